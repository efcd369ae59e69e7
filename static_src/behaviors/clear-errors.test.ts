import { fireEvent } from "@testing-library/react";
import { expect, test } from "vitest";
import { clearErrors } from "./clear-errors";

clearErrors();

function open(control: string) {
  document.body.innerHTML = `<div class="field" data-invalid>${control}
    <p class="field-error" id="id_x_error">Enter name</p></div>`;
  const field = document.querySelector("#id_x") as HTMLInputElement;
  return { field, state: () => [document.querySelector(".field-error") !== null, field.getAttribute("aria-invalid")] };
}

const ATTRIBUTES = 'id="id_x" name="x" aria-invalid="true" aria-describedby="id_x_helptext id_x_error"';

test("the error of an empty field goes as soon as it has a value, for screen readers as well", () => {
  const { field, state } = open(`<input ${ATTRIBUTES} value="">`);
  fireEvent.input(field, { target: { value: " " } });
  expect(state()).toEqual([true, "true"]);
  fireEvent.input(field, { target: { value: "P" } });
  expect(state()).toEqual([false, "false"]);
  expect(field.getAttribute("aria-describedby")).toBe("id_x_helptext");
  expect(document.querySelector("[data-invalid]")).toBeNull();
});

test("the error of a value goes when it is changed, not when the field is left, where it would move the button", () => {
  const { field, state } = open(`<input ${ATTRIBUTES} value="abc">`);
  fireEvent.change(field);
  expect(state()).toEqual([true, "true"]);
  fireEvent.input(field, { target: { value: "ab" } });
  expect(state()).toEqual([false, "false"]);
});

test("the error of a choice goes when something is chosen, not when nothing is", () => {
  const { field, state } = open(
    `<select ${ATTRIBUTES}><option value="">Choose a country</option><option>DE</option></select>`,
  );
  fireEvent.input(field, { target: { value: "" } });
  const finder = document.createElement("input");
  field.before(finder);
  fireEvent.input(finder, { target: { value: "ger" } });
  expect(state()).toEqual([true, "true"]);
  fireEvent.input(field, { target: { value: "DE" } });
  expect(state()).toEqual([false, "false"]);
});

test("the error of an agreement goes when it is ticked", () => {
  const { field, state } = open(`<input type="checkbox" ${ATTRIBUTES}>`);
  fireEvent.click(field);
  expect(state()).toEqual([false, "false"]);
});

test("what a script says itself is left to it", () => {
  const { field } = open(`<input ${ATTRIBUTES} value="">`);
  document.querySelector(".field-error")?.setAttribute("role", "alert");
  fireEvent.input(field, { target: { value: "P" } });
  expect(document.querySelector(".field-error")).not.toBeNull();
});
