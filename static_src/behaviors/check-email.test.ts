import { fireEvent } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import rules from "../../console/forms/rules.json";
import { checkEmails } from "./check-email";

checkEmails();

function open() {
  document.body.innerHTML = `<form><div class="field"><input type="text" id="email" aria-describedby="hint"
    data-max-length="254" data-error="Invalid email"></div>
    <button id="send">Send</button><button id="add" name="add_row">Add row</button></form>`;
  const field = document.querySelector("input") as HTMLInputElement;
  field.dataset.email = rules.email.pattern;
  const leave = (value: string) => fireEvent.change(field, { target: { value } });
  const error = () => document.querySelector(".field-error")?.textContent ?? "";
  const isSent = (id: string) => {
    const event = new SubmitEvent("submit", {
      bubbles: true,
      cancelable: true,
      submitter: document.getElementById(id),
    });
    return document.querySelector("form")?.dispatchEvent(event);
  };
  return { field, leave, error, isSent };
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

test("a form with such an address is not sent, and the field gets the focus", () => {
  const { field, leave, isSent } = open();
  vi.spyOn(field, "focus");
  leave("kim");
  expect(isSent("send")).toBe(false);
  expect(field.focus).toHaveBeenCalled();
  expect(isSent("add")).toBe(true);
  leave("kim@demo.example");
  expect(isSent("send")).toBe(true);
});
