import { beforeEach, expect, test } from "vitest";
import { findRows } from "./find-rows";

beforeEach(() => {
  document.body.innerHTML = `<form><div class="bulk-find"><input name="find" data-find-rows><button name="show"></button>
    <p role="status" data-text="%(seen)s of %(total)s"></p></div>
    <ul class="bulk-rows"><li>Zoé Park <ul><li>Has an order</li></ul></li><li hidden>Kim <bdi>kim@x.example</bdi></li></ul>
    <ul class="bulk-rows"><li>박지훈</li></ul><button data-primary></button></form>`;
  findRows();
});

function find(text: string): (boolean | string | null)[] {
  const field = document.querySelector("[data-find-rows]") as HTMLInputElement;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const rows = [...document.querySelectorAll<HTMLElement>(".bulk-rows > li")];
  return [...rows.map((row) => !row.hidden), document.querySelector("[role=status]")?.textContent ?? null];
}

test("rows are filtered by all their texts as the user types, and counted [LS-08]", () => {
  expect(find("ZOE")).toEqual([true, false, false, "1 of 3"]);
  expect(find("an order")).toEqual([true, false, false, "1 of 3"]);
  expect(find("kim@")).toEqual([false, true, false, "1 of 3"]);
  expect(find("지훈")).toEqual([false, false, true, "1 of 3"]);
  expect(find("nobody")).toEqual([false, false, false, "0 of 3"]);
  expect(find(" ")).toEqual([true, true, true, ""]);
});

test("Enter in the search does not carry the plan out [LS-15]", () => {
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  expect(document.querySelector("[data-find-rows]")?.dispatchEvent(enter)).toBe(false);
  expect(document.querySelector("[name=show]")).toBeNull();
});
