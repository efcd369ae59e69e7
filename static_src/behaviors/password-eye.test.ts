import { beforeEach, expect, test } from "vitest";
import { initPasswordToggles } from "./password-eye";

beforeEach(() => {
  document.body.innerHTML = `<form><input type="password" id="password" value="Demo123!">
    <button type="button" data-password-eye="password" data-show="Show password" data-hide="Hide password" hidden></button></form>`;
  initPasswordToggles();
});

test("the eye shows the password and hides it again, and announces it", () => {
  expect(button().hidden).toBe(false);
  expect(state()).toEqual(["password", "Show password", "false"]);
  button().click();
  expect(state()).toEqual(["text", "Hide password", "true"]);
  button().click();
  expect(state()).toEqual(["password", "Show password", "false"]);
});

test("the field is a password field again when submitted", () => {
  button().click();
  document.querySelector("form")?.dispatchEvent(new Event("submit"));
  expect(field().type).toBe("password");
  expect(field().value).toBe("Demo123!");
});

function field(): HTMLInputElement {
  return document.querySelector("input") as HTMLInputElement;
}

function button(): HTMLButtonElement {
  return document.querySelector("button") as HTMLButtonElement;
}

function state() {
  return [field().type, button().ariaLabel, button().ariaPressed];
}
