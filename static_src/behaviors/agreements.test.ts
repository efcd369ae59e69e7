import { beforeEach, expect, test, vi } from "vitest";
import { checkAgreements } from "./agreements";

const send = vi.fn((event: Event) => event.preventDefault());

beforeEach(() => {
  send.mockClear();
  document.body.innerHTML = `<form novalidate><input type="password" name="password" value="Secret 1"><div class="agreements">
    <input type="checkbox" name="terms" required checked><input type="checkbox" name="privacy" required>
    <input type="checkbox" name="marketing"></div><button>Create account</button><button name="check">Check availability</button></form>`;
  document.querySelector("form")?.addEventListener("submit", send);
  checkAgreements();
});

function press(button = "button"): void {
  document.querySelector<HTMLButtonElement>(button)?.click();
}

test("a missing agreement is reported before the form is sent", () => {
  const report = vi.spyOn(HTMLInputElement.prototype, "reportValidity");
  press();
  expect(send).not.toHaveBeenCalled();
  expect(report.mock.contexts.at(-1)).toBe(document.querySelector("[name=privacy]"));
});

test("the form is sent with all agreements; product news are optional", () => {
  document.querySelector<HTMLInputElement>("[name=privacy]")?.click();
  press();
  expect(send).toHaveBeenCalledOnce();
});

test("without a password, which would be lost, the service reports all that is missing", () => {
  document.querySelector<HTMLInputElement>("[name=password]")?.setAttribute("value", "");
  press();
  expect(send).toHaveBeenCalledOnce();
});

test("the availability of a name is checked without agreements", () => {
  press("[name=check]");
  expect(send).toHaveBeenCalledOnce();
});
