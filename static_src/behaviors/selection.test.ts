import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepSelection } from "./selection";

const LIST = "/user-manage/clinic/g-1/user";

function page(...ids: string[]): void {
  const rows = ids.map((id) => `<input type="checkbox" name="id" value="${id}" form="bulk">`).join("");
  document.body.innerHTML = `<main data-total="240"><input type="checkbox" data-select="page" hidden><div id="rows">${rows}</div></main>
    <form id="bulk" data-selection="${LIST}" data-selection-pages="/person/"><input type="hidden" name="back" value=""><input type="hidden" name="ids" value="">
    <p class="bulk-count" data-text="Selected: %(count)s" hidden></p>
    <div class="bulk-choice" hidden><button type="button" data-select="page"></button><button type="button" data-select="none"></button></div>
    <div class="bulk-actions"><button type="submit">Delete</button></div>
    <input type="checkbox" name="all" value="1"></form>`;
  keepSelection();
}

function box(id: string): HTMLInputElement {
  return document.querySelector(`input[value="${id}"][type=checkbox]`) as HTMLInputElement;
}

function count(): string {
  return document.querySelector(".bulk-count")?.textContent ?? "";
}

function arriveFrom(path: string): void {
  vi.spyOn(document, "referrer", "get").mockReturnValue(location.origin + path);
}

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

test("ticked rows are counted in words [LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  expect(count()).toBe("Selected: 1");
  box("u-2").click();
  expect(count()).toBe("Selected: 2");
});

test("a selection is kept over the pages of its list, and sent with those of other pages [LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  arriveFrom(`${LIST}?page=1`);
  page("u-3", "u-4");
  expect(count()).toBe("Selected: 1");
  box("u-3").click();
  const form = document.querySelector("form") as HTMLFormElement;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.requestSubmit();
  const sent = new FormData(form);
  expect([sent.getAll("id"), sent.get("ids")]).toEqual([["u-3"], "u-1"]);
});

test("a selection ends with its action, and when one comes from elsewhere [LS-07]", () => {
  page("u-1");
  box("u-1").click();
  arriveFrom("/user-manage/clinic/g-2/user");
  page("u-1");
  expect(count()).toBe("Selected: 0");
  box("u-1").click();
  document.body.innerHTML = `<div data-selection-done="${LIST}"></div>`;
  keepSelection();
  arriveFrom(`${LIST}/bulk/delete`);
  page("u-1");
  expect(box("u-1").checked).toBe(false);
});

test("a selection is kept by who comes back from the page of a row, wherever that is [LS-07]", () => {
  page("u-1");
  box("u-1").click();
  arriveFrom("/user-manage/clinic/g-2/person/u-7/edit");
  page("u-1");
  expect(count()).toBe("Selected: 1");
});

test("rows that an island draws anew stay ticked [LS-07]", async () => {
  page("u-1", "u-2");
  box("u-2").click();
  const rows = document.getElementById("rows") as HTMLElement;
  rows.innerHTML = '<input type="checkbox" name="id" value="u-2" form="bulk">';
  await vi.waitFor(() => expect(box("u-2").checked).toBe(true));
});

test("this page, none, and all are three different things [LS-06]", () => {
  page("u-1", "u-2");
  (document.querySelector("button[data-select=page]") as HTMLElement).click();
  expect(count()).toBe("Selected: 2");
  (document.querySelector("[data-select=none]") as HTMLElement).click();
  expect(count()).toBe("Selected: 0");
  expect(box("u-1").checked).toBe(false);
});

test("all that match are counted by the list, whatever is ticked in this page [LS-06, LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  const all = document.querySelector<HTMLInputElement>("[name=all]");
  all?.click();
  expect(count()).toBe("Selected: 240");
  all?.click();
  expect(count()).toBe("Selected: 1");
});

test("the box in the head ticks the page, and tells when only some of it is ticked [LS-06]", () => {
  page("u-1", "u-2");
  const head = document.querySelector("input[data-select=page]") as HTMLInputElement;
  expect([head.hidden, head.checked, head.indeterminate]).toEqual([false, false, false]);
  box("u-1").click();
  expect([head.checked, head.indeterminate]).toEqual([false, true]);
  head.click();
  expect([count(), head.checked, head.indeterminate]).toEqual(["Selected: 2", true, false]);
  head.click();
  expect([count(), box("u-1").checked]).toEqual(["Selected: 0", false]);
});

test("clearing the selection leaves the focus in the bar [AX-02]", () => {
  page("u-1");
  box("u-1").click();
  const none = document.querySelector("[data-select=none]") as HTMLElement;
  none.focus();
  none.click();
  expect(document.activeElement).toBe(document.querySelector("button[data-select=page]"));
});

test("without a choice nothing is sent", () => {
  page("u-1");
  const form = document.querySelector("form") as HTMLFormElement;
  const sent = vi.fn((event: Event) => event.defaultPrevented);
  form.addEventListener("submit", sent);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.requestSubmit();
  expect(sent).toHaveReturnedWith(true);
  (form.elements.namedItem("all") as HTMLInputElement).click();
  form.requestSubmit();
  expect(sent).toHaveLastReturnedWith(false);
});
