import { expect, test, vi } from "vitest";
import { findOptions } from "./find-option";

function open(value = "") {
  document.body.innerHTML = `<form><input type="search" value="${value}" data-find-option="clinic"><select id="clinic">
    <option value="">Choose a clinic</option><option value="1">Seoul Central</option>
    <option value="2">Zürich Nord</option><option value="3">Zurich Süd</option>
    <option value="4">Nice</option></select></form>`;
  findOptions();
  const field = document.querySelector("input") as HTMLInputElement;
  const select = document.querySelector("select") as HTMLSelectElement;
  const type = (text: string) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  };
  /** Whether the browser does what the key does in any field. */
  const press = (key: string, init: KeyboardEventInit = {}) =>
    field.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, ...init }));
  return { field, select, type, press, texts: () => [...select.options].map((option) => option.text) };
}

test("only the options with what is typed are offered, and the chosen one stays [DM-01]", () => {
  const { select, type, texts } = open();
  type("zurich");
  expect(texts()).toEqual(["Zürich Nord", "Zurich Süd"]);
  expect(select.size).toBe(2);
  select.value = "3";
  type("seoul");
  expect([texts(), select.value]).toEqual([["Zurich Süd", "Seoul Central"], "3"]);
  type("");
  expect([texts().length, select.size, select.value]).toEqual([5, 0, "3"]);
});

test("what is typed before the script comes is found, too", () => {
  expect(open("zurich").texts()).toEqual(["Zürich Nord", "Zurich Süd"]);
});

test("the arrow leads to the options", () => {
  const { field, press } = open();
  expect(press("ArrowDown")).toBe(false);
  expect(document.activeElement?.closest("select")).not.toBeNull();
  field.focus();
  expect(press("ArrowDown", { isComposing: true }), "a candidate of an input method").toBe(true);
  expect(document.activeElement).toBe(field);
});

test("Enter chooses the only match, as a press on it would, and goes on to the options", () => {
  const { field, select, type, press } = open();
  const events: string[] = [];
  for (const name of ["input", "change"])
    field.form?.addEventListener(name, () => events.push(`${name} ${select.value}`));
  type("zurich");
  select.value = "2";
  type("seo");
  expect(press("Enter")).toBe(false);
  expect([select.value, field.value, events]).toEqual(["1", "seo", ["input 1", "change 1"]]);
  expect(document.activeElement?.closest("select")).not.toBeNull();
});

test("Enter chooses the first of several matches, which begins with what is typed", () => {
  const { select, type, texts, press } = open();
  select.value = "1";
  type("n");
  expect(texts()).toEqual(["Nice", "Seoul Central", "Zürich Nord"]);
  select.value = "";
  press("Enter");
  expect(select.value).toBe("4");
});

test("Enter keeps a match that is chosen already", () => {
  const { select, type, press } = open();
  type("zurich");
  select.value = "3";
  press("Enter");
  expect(select.value).toBe("3");
  expect(document.activeElement?.closest("select")).not.toBeNull();
});

test.each(["", " ", "xyz"])("Enter with “%s”, which matches nothing, neither chooses nor sends anything", (text) => {
  const { field, select, type, press } = open();
  const submit = vi.fn((event: Event) => event.preventDefault());
  field.form?.addEventListener("submit", submit);
  select.value = "2";
  field.focus();
  type(text);
  expect(press("Enter")).toBe(false);
  expect([select.value, field.value, document.activeElement]).toEqual(["2", text, field]);
  expect(submit).not.toHaveBeenCalled();
});

test.each([{ isComposing: true }, { keyCode: 229 }])("Enter that ends a composition chooses nothing: %o", (init) => {
  const { field, select, type, press } = open();
  select.value = "2";
  field.focus();
  type("seo");
  press("Enter", init);
  expect([select.value, document.activeElement]).toEqual(["2", field]);
});

test("the chosen option is set apart from the matches unless it is one of them", () => {
  const { select, type } = open();
  const rows = () => [...select.children].map((row) => row.textContent || row.tagName);
  type("zurich");
  select.value = "3";
  type("seoul");
  expect(rows()).toEqual(["Zurich Süd", "HR", "Seoul Central"]);
  type("zurich");
  expect(rows()).toEqual(["Zürich Nord", "Zurich Süd"]);
});

test("a second press on the chosen option keeps it", () => {
  const { select, type } = open();
  const values: string[] = [];
  select.addEventListener("input", () => values.push(select.value));
  type("zurich");
  for (const index of [1, -1]) {
    select.selectedIndex = index;
    select.dispatchEvent(new Event("input", { bubbles: true }));
  }
  expect(values).toEqual(["3", "3"]);
});
