import { expect, test } from "vitest";
import { findOptions } from "./find-option";

function open() {
  document.body.innerHTML = `<form><input type="search" data-find-option="clinic"><select id="clinic">
    <option value="">Choose a clinic</option><option value="1">Seoul Central</option>
    <option value="2">Zürich Nord</option><option value="3">Zurich Süd</option></select></form>`;
  findOptions();
  const field = document.querySelector("input") as HTMLInputElement;
  const select = document.querySelector("select") as HTMLSelectElement;
  const type = (text: string) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  };
  return { field, select, type, texts: () => [...select.options].map((option) => option.text) };
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
  expect([texts().length, select.size, select.value]).toEqual([4, 0, "3"]);
});

test("Enter sends nothing, and the arrow leads to the options", () => {
  const { field, select } = open();
  const enter = new KeyboardEvent("keydown", { key: "Enter", cancelable: true });
  field.dispatchEvent(enter);
  expect(enter.defaultPrevented).toBe(true);
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", cancelable: true }));
  expect(document.activeElement).toBe(select);
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
