import { expect, test } from "vitest";
import { focusWhatMatters } from "./focus";

test("the errors of a form get the focus, and lead into its fields [ER-35]", () => {
  document.body.innerHTML =
    '<div tabindex="-1" data-focus><a href="#id_email">Enter Email</a></div><input id="id_email">';
  focusWhatMatters();
  expect(document.activeElement).toBe(document.querySelector("[data-focus]"));
  document.querySelector("a")?.click();
  expect(document.activeElement?.id).toBe("id_email");
});

test("a page without errors leaves the focus alone", () => {
  document.body.innerHTML = "<input autofocus>";
  document.querySelector("input")?.focus();
  focusWhatMatters();
  expect(document.activeElement).toBe(document.querySelector("input"));
});
