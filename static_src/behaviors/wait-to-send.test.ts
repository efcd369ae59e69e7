import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitBeforeSending } from "./wait-to-send";

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML =
    '<form><button data-wait="60" data-wait-text="Resend in {seconds} sec">Resend</button></form>';
  waitBeforeSending();
});

afterEach(() => vi.useRealTimers());

test("the button counts down, and can be pressed after that", () => {
  expect(button().textContent).toBe("Resend in 60 sec");
  expect(button().ariaDisabled).toBe("true");
  expect(press()).toBe(false);
  vi.advanceTimersByTime(59_000);
  expect(button().textContent).toBe("Resend in 1 sec");
  vi.advanceTimersByTime(1000);
  expect(button().textContent).toBe("Resend");
  expect(button().hasAttribute("aria-disabled")).toBe(false);
  expect(press()).toBe(true);
});

function button(): HTMLButtonElement {
  return document.querySelector("button") as HTMLButtonElement;
}

/** Whether the form is sent. */
function press(): boolean {
  return document.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true })) ?? false;
}
