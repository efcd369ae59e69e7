import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { submitOnce } from "./submit-once";

let sent = 0;

submitOnce();
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) sent += 1;
});

beforeEach(() => {
  vi.useFakeTimers();
  sent = 0;
  document.body.innerHTML = '<form method="post"><button name="save" value="1">Save</button></form>';
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test("a double click submits a form once [LS-18]", () => {
  submit();
  submit();
  expect(sent).toBe(1);
});

test("the button shows that it is busy, and stays part of the form", () => {
  submit();
  expect(button().getAttribute("aria-disabled")).toBe("true");
  expect(button().disabled).toBe(false);
});

test("a page that comes back from the history cache can submit again", () => {
  submit();
  window.dispatchEvent(new Event("pageshow"));
  expect(button().hasAttribute("aria-disabled")).toBe(false);
  submit();
  expect(sent).toBe(2);
});

test("a form whose answer never came can be submitted again", () => {
  submit();
  vi.advanceTimersByTime(30_000);
  submit();
  expect(sent).toBe(2);
});

test("a search can be submitted any number of times", () => {
  (document.querySelector("form") as HTMLFormElement).method = "get";
  submit();
  submit();
  expect(sent).toBe(2);
});

function button(): HTMLButtonElement {
  return document.querySelector("button") as HTMLButtonElement;
}

function submit(): void {
  const event = new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button() });
  document.querySelector("form")?.dispatchEvent(event);
}

test.each(["form", "button"])("a %s that is answered with a file can be submitted again [LS-11]", (element) => {
  document.querySelector(element)?.setAttribute("data-download", "");
  submit();
  submit();
  expect(sent).toBe(2);
});
