import { beforeEach, expect, test, vi } from "vitest";
import { initSelection } from "../../behaviors/selection";
import { PageEvent } from "../../lib/events";
import { showFittingActions } from "./fitting";

const PENDING = ["/approve", "/disapprove"];
const BUTTONS = [...PENDING, "/cancel-approval"];

/** A list and its bar, of which the server hides what no row of the list can have. */
function page(hidden: string, rows: Record<string, string[]>): void {
  const buttons = BUTTONS.map(
    (path) => `<button type="submit" data-of-row="${path}"${hidden === path ? " hidden" : ""}></button>`,
  );
  document.body.innerHTML = `<main><section class="list">${table(rows)}</section></main>
    <form id="bulk" data-selection="/scanners"><input type="hidden" name="back"><input type="hidden" name="query" value="9?#:signed">
    <input type="hidden" name="ids"><input type="hidden" name="except"><p class="bulk-count" data-other="%(count)s"></p>
    <button type="button" data-select="none"></button>${buttons.join("")}<input type="checkbox" name="all"></form>`;
  initSelection();
  showFittingActions(list());
}

function table(rows: Record<string, string[]>): string {
  const lines = Object.entries(rows).map(([id, paths]) => {
    const buttons = paths.map((path) => `<button type="submit" formaction="s/${id}${path}"></button>`);
    const box = `<input type="checkbox" name="id" value="${id}" form="bulk">`;
    return `<tr><td>${box}</td><td class="row-actions">${buttons.join("")}</td></tr>`;
  });
  return `<table><tbody>${lines.join("")}</tbody></table>`;
}

/** What the island does after another page, a search, or an act. */
function renderRows(rows: Record<string, string[]>): void {
  list().innerHTML = table(rows);
  document.dispatchEvent(new Event(PageEvent.ListRendered));
}

function list(): HTMLElement {
  return document.querySelector(".list") as HTMLElement;
}

function tick(selector: string): void {
  (document.querySelector(selector) as HTMLElement).click();
}

function offered(): (string | undefined)[] {
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-of-row]")];
  return buttons.filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.ofRow);
}

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(document, "referrer", "get").mockReturnValue(`${location.origin}/scanners`);
});

test("only what a selected row allows is offered, also where that row is on another page [DM-35, LS-06]", async () => {
  page("", { "s-1": PENDING, "s-2": ["/approve"], "s-3": ["/cancel-approval"] });
  tick("[value=s-2]");
  expect(offered()).toEqual(["/approve"]);
  tick("[value=s-3]");
  expect(offered()).toEqual(["/approve", "/cancel-approval"]);
  renderRows({ "s-4": PENDING });
  await vi.waitFor(() => expect(offered()).toEqual(["/approve", "/cancel-approval"]));
  tick("[value=s-4]");
  expect(offered()).toEqual(BUTTONS);
  tick("[value=s-4]");
  page("", { "s-9": [] });
  expect(offered()).toEqual(["/approve", "/cancel-approval"]);
  tick("[data-select=none]");
  tick("[value=s-9]");
  expect(offered()).toEqual([]);
});

test("what a selected row allows changes with what is done to it [DM-35]", async () => {
  page("/cancel-approval", { "s-1": PENDING });
  tick("[value=s-1]");
  expect(offered()).toEqual(PENDING);
  renderRows({ "s-1": ["/cancel-approval"] });
  await vi.waitFor(() => expect(offered()).toEqual(["/cancel-approval"]));
});

test("where all that match are selected, what some of them may allow is offered [DM-35]", () => {
  page("/cancel-approval", { "s-1": ["/approve"] });
  tick("[name=all]");
  expect(offered()).toEqual(PENDING);
  list().dataset.selectionFits = "/cancel-approval";
  tick("[name=all]");
  tick("[name=all]");
  expect(offered()).toEqual(["/cancel-approval"]);
});

test("a bar whose buttons fit all rows is left as it is", () => {
  page("", {});
  for (const button of document.querySelectorAll("[data-of-row]")) button.removeAttribute("data-of-row");
  showFittingActions(list());
  expect(sessionStorage.getItem("fitting:/scanners")).toBe("[]");
});
