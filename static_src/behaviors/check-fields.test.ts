import { fireEvent } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import rules from "../../console/forms/rules.json";
import { checkFields } from "./check-fields";

checkFields();

function open() {
  document.body.innerHTML = `<form><div class="field"><input type="text" id="email" aria-describedby="hint"
    data-max-length="254" data-error="Invalid email"></div></form>`;
  const field = document.querySelector("input") as HTMLInputElement;
  field.dataset.email = rules.email.pattern;
  const leave = (value: string) => fireEvent.change(field, { target: { value } });
  const error = () => document.querySelector(".field-error")?.textContent ?? "";
  const submit = () => field.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  return { field, leave, error, submit };
}

test("an address that is none is reported at the field when it is left, until it is one", () => {
  const { field, leave, error } = open();
  leave("kim(at)demo.example");
  expect([error(), field.ariaInvalid, field.getAttribute("aria-describedby")]).toEqual([
    "Invalid email",
    "true",
    "hint email_error",
  ]);
  fireEvent.input(field, { target: { value: "kim@demo.example" } });
  expect([error(), field.ariaInvalid, field.getAttribute("aria-describedby")]).toEqual(["", "false", "hint"]);
  leave("");
  expect(error()).toBe("");
});

test("a form with such an address and a password is not sent, and the field gets the focus", () => {
  const { field, leave, error, submit } = open();
  field.form?.insertAdjacentHTML("beforeend", `<input autocomplete="current-password">`);
  vi.spyOn(field, "focus");
  leave("kim");
  expect(submit()).toBe(false);
  expect(field.focus).toHaveBeenCalled();
  expect(error()).toBe("Invalid email");
  leave("kim@demo.example");
  expect(submit()).toBe(true);
});

test("another form is sent, so that the server reports all problems, and its earlier errors stay", () => {
  const { field, leave, error, submit } = open();
  leave("kim");
  const other = field.closest(".field")?.cloneNode() as HTMLElement;
  other.innerHTML = `<input id="known" data-email=".*" value="ada@demo.example"><p id="known_error">Already invited</p>`;
  field.form?.append(other);
  expect(submit()).toBe(true);
  expect(error()).toBe("Invalid email");
  expect(document.getElementById("known_error")).not.toBeNull();
});

test("a password that is repeated differently is reported below it and not sent, until either is corrected", () => {
  document.body.innerHTML = `<form><input name="new" autocomplete="new-password"><div class="field"><div class="password">
    <input id="repeated" name="repeated" autocomplete="new-password" data-repeats="new" data-error="They do not match">
    <button type="button">Show</button></div></div></form>`;
  const [first, repeated] = [...document.querySelectorAll("input")] as [HTMLInputElement, HTMLInputElement];
  const error = () => document.querySelector(".password + .field-error")?.textContent ?? "";
  const submit = () => first.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  expect(submit()).toBe(true);
  fireEvent.input(first, { target: { value: "Quiet4" } });
  expect(error()).toBe("");
  expect(submit()).toBe(false);
  expect([error(), document.activeElement]).toEqual(["They do not match", repeated]);
  fireEvent.change(repeated, { target: { value: "Quiet5" } });
  expect(error()).toBe("They do not match");
  fireEvent.input(first, { target: { value: "Quiet5" } });
  expect([error(), submit()]).toEqual(["", true]);
});
