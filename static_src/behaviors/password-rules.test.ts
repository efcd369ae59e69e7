import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkPasswordRules } from "./password-rules";

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<input id="password" type="password">
    <ul data-password-rules="password" data-done="met" data-open="not met" data-counts="none|one|both">
    <li data-pattern=".{8,}" data-broken><span data-state></span></li>
    <li data-pattern="[^0-9]*[0-9].*"><span data-state></span></li></ul>
    <p role="status" data-rules-status="password"></p>`;
  checkPasswordRules();
});

afterEach(() => vi.useRealTimers());

test("each rule is ticked off as soon as it is kept, in words as well [VA-09]", () => {
  expect(states()).toEqual(["", ""]);
  type("Demo1");
  expect(states()).toEqual(["not met", "met"]);
  expect(rules().map((rule) => rule.hasAttribute("data-done"))).toEqual([false, true]);
  type("Demo1234");
  expect(states()).toEqual(["met", "met"]);
});

test("a rule that the server reported as broken is checked again [VA-09]", () => {
  type("x");
  expect(broken()).toEqual([false, false]);
});

test("a rule that typing more can't keep is broken at once, in words as well [VA-09]", () => {
  rules()[0]?.setAttribute("data-pattern", ".{0,16}");
  type("Demo12345678901!");
  expect(broken()).toEqual([false, false]);
  type("Demo123456789012!");
  expect(broken()).toEqual([true, false]);
  expect(states()).toEqual(["not met", "met"]);
  type("");
  expect(broken()).toEqual([false, false]);
});

test("a rule that is kept again and again is not kept by an empty field", () => {
  type("Demo1234");
  type("");
  expect(states()).toEqual(["not met", "not met"]);
});

test("how many rules are kept is said once one pauses, not at each key [VA-09]", () => {
  type("D");
  vi.advanceTimersByTime(500);
  type("Demo1234");
  vi.advanceTimersByTime(999);
  expect(statusText()).toBe("");
  vi.advanceTimersByTime(1);
  expect(statusText()).toBe("both");
});

function type(text: string): void {
  const field = document.querySelector("input") as HTMLInputElement;
  field.value = text;
  field.dispatchEvent(new Event("input"));
}

function rules(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-pattern]")];
}

function broken(): boolean[] {
  return rules().map((rule) => rule.hasAttribute("data-broken"));
}

function states(): (string | null)[] {
  return rules().map((rule) => rule.textContent);
}

function statusText(): string {
  return document.querySelector("[role=status]")?.textContent ?? "";
}
