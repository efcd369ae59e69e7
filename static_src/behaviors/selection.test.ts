import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { initSelection } from "./selection";
import { clearSelection } from "./selection-done";

const LIST = "/user-manage/clinic/g-1/user";
const ALL = "240?keyword=seed#:signature";

function getRows(ids: string[]): string {
  return ids.map((id) => `<input type="checkbox" name="id" value="${id}" form="bulk">`).join("");
}

function page(...ids: string[]): void {
  makePage(ALL, ids);
}

function makePage(query: string, ids: string[]): void {
  document.body.innerHTML = `<main><section class="list" tabindex="-1"><input type="checkbox" data-select="page" hidden><div id="rows">${getRows(ids)}</div></section></main>
    <form id="bulk" data-selection="${LIST}" data-selection-pages="/person/"><input type="hidden" name="back" value=""><input type="hidden" name="query" value="${query}">
    <input type="hidden" name="ids"><input type="hidden" name="except">
    <p class="bulk-count" data-one="%(count)s person selected" data-other="%(count)s people selected" data-off="%(count)s not on this page" hidden></p>
    <div class="bulk-choice" hidden><button type="button" data-select="page"></button><button type="button" data-select="none"></button></div>
    <div class="bulk-actions"><button type="submit">Delete</button></div>
    <label><input type="checkbox" name="all" value="1"><span data-text="Select all %(count)s"></span></label></form>`;
  initSelection();
}

/** A page in which the browser has put ticks back before the script ran. */
function pageWithTicks(...ids: string[]): void {
  for (const id of ids) box(id).setAttribute("checked", "");
  document.body.innerHTML = document.querySelector("body")?.innerHTML ?? "";
  initSelection();
}

/** What an island does after a search or another page. */
function renderRows(query: string, ...ids: string[]): void {
  const list = document.querySelector<HTMLElement>(".list");
  if (list) list.dataset.selectionQuery = query;
  (document.getElementById("rows") as HTMLElement).innerHTML = getRows(ids);
}

function box(id: string): HTMLInputElement {
  return document.querySelector(`input[value="${id}"][type=checkbox]`) as HTMLInputElement;
}

function all(): HTMLInputElement {
  return document.querySelector("[name=all]") as HTMLInputElement;
}

function head(): HTMLInputElement {
  return document.querySelector("input[data-select=page]") as HTMLInputElement;
}

/** The text of the bar. */
function status(): string {
  return document.querySelector(".bulk-count")?.textContent ?? "";
}

/** Its first line. */
function count(): string {
  return status().split("\n")[0] ?? "";
}

function send(): FormData {
  const form = document.querySelector("form") as HTMLFormElement;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.requestSubmit();
  return new FormData(form);
}

function arriveFrom(path: string): void {
  vi.spyOn(document, "referrer", "get").mockReturnValue(location.origin + path);
}

beforeEach(() => {
  sessionStorage.clear();
  document.documentElement.lang = "en-US";
});
afterEach(() => vi.restoreAllMocks());

test("selected rows are marked, also after others took their place [LS-07]", () => {
  page();
  (document.getElementById("rows") as HTMLElement).innerHTML =
    `<table><tr><td>${getRows(["u-1"])}</td></tr><tr><td>${getRows(["u-2"])}</td></tr></table>`;
  const marked = () =>
    [...document.querySelectorAll("tr[data-selected] input")].map((each) => each.getAttribute("value"));
  box("u-2").click();
  expect(marked()).toEqual(["u-2"]);
  box("u-1").click();
  box("u-2").click();
  expect(marked()).toEqual(["u-1"]);
});

test("selected rows are counted in words [LS-07]", () => {
  page("u-1", "u-2");
  expect(count()).toBe("0 people selected");
  box("u-1").click();
  expect(count()).toBe("1 person selected");
  box("u-2").click();
  expect(count()).toBe("2 people selected");
});

test("the bar is marked as newer than the messages as soon as rows are selected [DM-24]", () => {
  page("u-1");
  const isLater = () => document.querySelector("form")?.hasAttribute("data-later");
  expect(isLater()).toBe(false);
  box("u-1").click();
  expect(isLater()).toBe(true);
});

test("the count has the plural form of the page's language [LS-07]", () => {
  document.documentElement.lang = "pl-PL";
  page("u-1", "u-2");
  const words = document.querySelector<HTMLElement>(".bulk-count");
  Object.assign(words?.dataset ?? {}, { few: "%(count)s osoby", many: "%(count)s osób" });
  box("u-1").click();
  box("u-2").click();
  expect(count()).toBe("2 osoby");
  all().click();
  expect(count()).toBe("240 osób");
});

test("a selection is kept over the pages of its list, and sent with those of other pages [LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  arriveFrom(`${LIST}?page=1`);
  page("u-3", "u-4");
  expect(count()).toBe("1 person selected");
  box("u-3").click();
  const sent = send();
  expect([sent.getAll("id"), sent.get("ids"), sent.get("all")]).toEqual([["u-3"], "u-1 u-3", null]);
});

test("the bar says how many selected rows a search hides [LS-07]", async () => {
  page("u-1", "u-2", "u-3");
  head().click();
  expect(status()).toBe("3 people selected");
  renderRows("1?keyword=kim#:signed", "u-3");
  await vi.waitFor(() => expect(status()).toBe("3 people selected\n2 not on this page"));
  renderRows("0?keyword=kimm#:signed");
  await vi.waitFor(() => expect(status()).toBe("3 people selected\n3 not on this page"));
  renderRows(ALL, "u-1", "u-2", "u-3");
  await vi.waitFor(() => expect(status()).toBe("3 people selected"));
});

test("the bar says how many selected rows are on other pages [LS-06, LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  arriveFrom(`${LIST}?page=1`);
  page("u-3", "u-4");
  expect(status()).toBe("1 person selected\n1 not on this page");
  all().click();
  box("u-4").click();
  expect(status()).toBe("239 people selected\n238 not on this page");
});

test("a selection can be cleared where nothing matches the search [LS-07, AX-02]", () => {
  page("u-1");
  box("u-1").click();
  document.querySelector(".list")?.replaceChildren();
  const none = document.querySelector("[data-select=none]") as HTMLElement;
  none.focus();
  none.click();
  expect([status(), document.querySelector("form")?.hidden]).toEqual(["0 people selected", true]);
  expect(document.activeElement).toBe(document.querySelector(".list"));
});

test("a selection ends with its action, and when one comes from elsewhere [LS-07]", () => {
  page("u-1");
  box("u-1").click();
  arriveFrom("/user-manage/clinic/g-2/user");
  page("u-1");
  expect(count()).toBe("0 people selected");
  all().click();
  document.body.innerHTML = `<div data-selection-done="${LIST}"></div>`;
  clearSelection();
  arriveFrom(`${LIST}/bulk/delete`);
  page("u-1");
  expect([box("u-1").checked, all().checked, count()]).toEqual([false, false, "0 people selected"]);
});

test.each(["back_forward", "reload"])("a result that is opened again (%s) ends no later selection [LS-07]", (type) => {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as PerformanceNavigationTiming]);
  page("u-1");
  box("u-1").click();
  document.body.innerHTML = `<div data-selection-done="${LIST}"></div>`;
  clearSelection();
  arriveFrom(`${LIST}/bulk/delete`);
  page("u-1");
  expect(count()).toBe("1 person selected");
});

test("a selection is kept by who comes back from the page of a row, wherever that is [LS-07]", () => {
  page("u-1");
  box("u-1").click();
  arriveFrom("/user-manage/clinic/g-2/person/u-7/edit");
  page("u-1");
  expect(count()).toBe("1 person selected");
});

test("rows that an island renders again stay selected [LS-07]", async () => {
  page("u-1", "u-2");
  box("u-2").click();
  renderRows(ALL, "u-2");
  await vi.waitFor(() => expect(box("u-2").checked).toBe(true));
});

test("this page, none, and all are three different things [LS-06]", () => {
  page("u-1", "u-2");
  (document.querySelector("button[data-select=page]") as HTMLElement).click();
  expect(count()).toBe("2 people selected");
  (document.querySelector("[data-select=none]") as HTMLElement).click();
  expect(count()).toBe("0 people selected");
  expect(box("u-1").checked).toBe(false);
  all().click();
  expect(count()).toBe("240 people selected");
});

test("all that match are ticked in this page, and what was ticked before comes back without them [LS-06, LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  all().click();
  expect([box("u-1").checked, box("u-2").checked, head().checked]).toEqual([true, true, true]);
  expect(document.querySelector("[data-text]")?.textContent).toBe("Select all 240");
  all().click();
  expect([box("u-1").checked, box("u-2").checked]).toEqual([true, false]);
  expect(count()).toBe("1 person selected");
});

test("a row that is unticked while all are selected is left out, and sent as such [LS-06, LS-07]", () => {
  page("u-1", "u-2");
  all().click();
  box("u-2").click();
  expect([count(), all().checked, all().indeterminate]).toEqual(["239 people selected", true, true]);
  const sent = send();
  expect([sent.get("all"), sent.get("except"), sent.get("ids"), sent.get("query")]).toEqual(["1", "u-2", "", ALL]);
  box("u-2").click();
  expect([count(), all().indeterminate]).toEqual(["240 people selected", false]);
  expect(send().get("except")).toBe("");
});

test("what is left out of all stays left out over pages that the server draws [LS-06, LS-07]", () => {
  page("u-1", "u-2");
  all().click();
  box("u-2").click();
  arriveFrom(`${LIST}?keyword=seed`);
  page("u-3", "u-4");
  expect([count(), box("u-3").checked, all().checked]).toEqual(["239 people selected", true, true]);
  box("u-4").click();
  expect(count()).toBe("238 people selected");
  arriveFrom(`${LIST}?keyword=seed&page=2`);
  page("u-1", "u-2");
  expect([box("u-1").checked, box("u-2").checked]).toEqual([true, false]);
  expect(send().get("except")).toBe("u-2 u-4");
});

test("what is left out of all stays left out over pages that an island draws, in any order [LS-06, LS-07]", async () => {
  page("u-1", "u-2");
  all().click();
  box("u-2").click();
  const sorted = "241?keyword=seed#sort=email&order=desc:signed";
  renderRows(sorted, "u-3", "u-2");
  await vi.waitFor(() => expect(box("u-3").checked).toBe(true));
  expect([box("u-2").checked, count()]).toEqual([false, "240 people selected"]);
  expect(document.querySelector("[data-text]")?.textContent).toBe("Select all 241");
  const sent = send();
  expect([sent.get("query"), sent.get("except")]).toEqual([sorted, "u-2"]);
});

test("another search ends the selection of all that matched the one before [LS-06]", async () => {
  page("u-1", "u-2");
  all().click();
  box("u-2").click();
  renderRows("7?keyword=kim#:signed", "u-1", "u-7");
  await vi.waitFor(() => expect(all().checked).toBe(false));
  expect([count(), box("u-1").checked, box("u-7").checked]).toEqual(["0 people selected", false, false]);
  all().click();
  expect(count()).toBe("7 people selected");
  const sent = send();
  expect([sent.get("query"), sent.get("except")]).toEqual(["7?keyword=kim#:signed", ""]);
});

test("a new total of the same rows is shown [LS-05, LS-07]", async () => {
  page("u-1");
  all().click();
  const list = document.querySelector<HTMLElement>(".list");
  if (list) list.dataset.selectionQuery = "239?keyword=seed#:other";
  await vi.waitFor(() => expect(count()).toBe("239 people selected"));
});

test("back in the list that the server drew, its own query is sent", async () => {
  page("u-1");
  renderRows("7?keyword=kim#:signed", "u-7");
  await vi.waitFor(() => expect(document.querySelector("[data-text]")?.textContent).toBe("Select all 7"));
  document.querySelector(".list")?.removeAttribute("data-selection-query");
  await vi.waitFor(() => expect(document.querySelector("[data-text]")?.textContent).toBe("Select all 240"));
  all().click();
  expect(send().get("query")).toBe(ALL);
});

test("who unticks every row has selected nothing, and nothing is sent [LS-06]", () => {
  makePage("2?#:signature", ["u-1", "u-2"]);
  all().click();
  head().click();
  expect(document.querySelector("form")?.hidden).toBe(true);
});

test("the box in the head ticks the page, and tells when only some of it is ticked [LS-06]", () => {
  page("u-1", "u-2");
  expect([head().hidden, head().checked, head().indeterminate]).toEqual([false, false, false]);
  box("u-1").click();
  expect([head().checked, head().indeterminate]).toEqual([false, true]);
  head().click();
  expect([count(), head().checked, head().indeterminate]).toEqual(["2 people selected", true, false]);
  head().click();
  expect([count(), box("u-1").checked]).toEqual(["0 people selected", false]);
});

test("clearing the selection takes the focus to the rows with the bar's end [AX-02]", () => {
  page("u-1");
  box("u-1").click();
  const none = document.querySelector("[data-select=none]") as HTMLElement;
  none.focus();
  none.click();
  expect(document.activeElement).toBe(head());
});

test("what a browser has put back into the form counts", () => {
  makePage("2?#:signature", []);
  document.body.innerHTML = document.body.innerHTML.replace('name="all"', 'name="all" checked');
  initSelection();
  expect([count(), all().checked]).toEqual(["2 people selected", true]);
});

test("without a selection nothing is sent", () => {
  page("u-1");
  const form = document.querySelector("form") as HTMLFormElement;
  const sent = vi.fn((event: Event) => event.defaultPrevented);
  form.addEventListener("submit", sent);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.requestSubmit();
  expect(sent).toHaveReturnedWith(true);
  all().click();
  form.requestSubmit();
  expect(sent).toHaveLastReturnedWith(false);
});

test.each(["{", '["u-1"]'])("what is stored but can't be read is nothing: %s", (stored) => {
  sessionStorage.setItem(`selection:${LIST}`, stored);
  arriveFrom(LIST);
  page("u-1");
  expect(count()).toBe("0 people selected");
});

function redrawn(type: "reload" | "back_forward"): void {
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type } as PerformanceNavigationTiming]);
}

test.each(["reload", "back_forward"] as const)(
  "a page that is drawn again (%s) has the same rows selected, wherever one came from [LS-07]",
  (type) => {
    page("u-1", "u-2");
    all().click();
    box("u-2").click();
    arriveFrom("/login");
    redrawn(type);
    page("u-1", "u-2");
    expect([count(), box("u-1").checked, box("u-2").checked]).toEqual(["239 people selected", true, false]);
    expect([all().checked, all().indeterminate, head().indeterminate]).toEqual([true, true, true]);
  },
);

test("a tick that the browser put back by its place selects no row that stands there now [LS-07]", () => {
  page("u-1", "u-2");
  box("u-1").click();
  redrawn("reload");
  document.body.innerHTML = "";
  page("u-0", "u-1");
  expect(count()).toBe("1 person selected");
  pageWithTicks("u-0");
  expect([count(), box("u-0").checked, box("u-1").checked]).toEqual(["1 person selected", false, true]);
});

test("who has unticked all rows one by one has selected nothing, also of those that come later [LS-06]", () => {
  makePage("2?#:signature", ["u-1", "u-2"]);
  all().click();
  box("u-1").click();
  box("u-2").click();
  arriveFrom(LIST);
  makePage("3?#:signature", ["u-1", "u-2", "u-3"]);
  expect([all().checked, count(), box("u-3").checked]).toEqual([false, "0 people selected", false]);
});

function click(id: string, init: MouseEventInit = {}): void {
  box(id).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
}

function ticked(): string[] {
  return [...document.querySelectorAll<HTMLInputElement>("[name=id]:checked")].map(({ value }) => value);
}

test("with Shift all rows are ticked up to this one, or unticked, in both directions [LS-06]", () => {
  page("u-1", "u-2", "u-3", "u-4", "u-5");
  click("u-4");
  click("u-2", { shiftKey: true });
  expect([ticked(), count()]).toEqual([["u-2", "u-3", "u-4"], "3 people selected"]);
  click("u-3", { shiftKey: true });
  expect(ticked()).toEqual(["u-4"]);
  click("u-1");
  expect(ticked()).toEqual(["u-1", "u-4"]);
});

test("with Shift a row is ticked alone where none was before, or only on another page [LS-06]", () => {
  page("u-1", "u-2", "u-3");
  click("u-2", { shiftKey: true });
  expect(ticked()).toEqual(["u-2"]);
  renderRows(ALL, "u-7", "u-8", "u-9");
  click("u-9", { shiftKey: true });
  expect(ticked()).toEqual(["u-9"]);
});

test("with Shift rows are left out of all that match [LS-06]", () => {
  page("u-1", "u-2", "u-3");
  all().click();
  click("u-1");
  click("u-3", { shiftKey: true });
  expect(count()).toBe("237 people selected");
  expect(send().get("except")).toBe("u-1 u-2 u-3");
});

test("the menus of the bar are closed before it is hidden", () => {
  page("u-1");
  const menu = document.querySelector<HTMLElement>(".bulk-actions") as HTMLElement;
  const form = document.querySelector("form") as HTMLFormElement;
  menu.setAttribute("popover", "");
  const wasHidden: boolean[] = [];
  menu.hidePopover = () => wasHidden.push(form.hasAttribute("hidden"));
  all().click();
  expect(form.hidden).toBe(false);
  wasHidden.length = 0;
  all().click();
  expect([form.hidden, wasHidden]).toEqual([true, [false]]);
});

test("what a translator of the browser wrote into the bar stays until the count changes", async () => {
  page("u-1", "u-2");
  box("u-1").click();
  const words = document.querySelector(".bulk-count") as HTMLElement;
  const label = document.querySelector("[data-text]") as HTMLElement;
  words.innerHTML = "<font>1 Person</font>";
  label.innerHTML = "<font>Alle 240</font>";
  document.documentElement.lang = "de";
  renderRows(ALL, "u-1", "u-2");
  await new Promise((done) => setTimeout(done));
  expect([words.innerHTML, label.innerHTML]).toEqual(["<font>1 Person</font>", "<font>Alle 240</font>"]);
  box("u-2").click();
  expect([count(), label.innerHTML]).toEqual(["2 people selected", "<font>Alle 240</font>"]);
});

test("the plural form is that of the page, also when a translator has changed the page's language", () => {
  document.documentElement.lang = "pl-PL";
  page("u-1", "u-2");
  Object.assign(document.querySelector<HTMLElement>(".bulk-count")?.dataset ?? {}, { few: "%(count)s osoby" });
  document.documentElement.lang = "en";
  box("u-1").click();
  box("u-2").click();
  expect(count()).toBe("2 osoby");
});

test("all rows are not offered once each of them is selected [LS-07]", () => {
  makePage("2?#:signature", ["u-1", "u-2"]);
  const isOffered = () => all().closest("label")?.hidden === false;
  box("u-1").click();
  expect(isOffered()).toBe(true);
  box("u-2").click();
  expect(isOffered()).toBe(false);
  box("u-1").click();
  all().click();
  expect(isOffered(), "to take it back").toBe(true);
});

test("all rows are offered where those of the page are selected, and there are more", () => {
  page("u-1", "u-2");
  head().click();
  expect(all().closest("label")?.hidden).toBe(false);
});
