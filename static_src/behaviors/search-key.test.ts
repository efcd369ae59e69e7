import { beforeEach, expect, test, vi } from "vitest";
import { initShortcuts } from "./search-key";

document.body.innerHTML = `
  <dialog id="keys" popover><input type="checkbox" checked></dialog><button id="opener" data-keys hidden></button>
  <input id="search" data-search-key value="Ahmed"><textarea id="note"></textarea><p id="text"></p>
  <input type="checkbox" id="row"><form id="bar" data-selection="/list"><div class="bulk-actions"><button id="act" formaction="/list/bulk"></button></div></form>
  <section id="toasts"></section>`;
initShortcuts();
Element.prototype.checkVisibility = function () {
  return !this.closest("[hidden]"); // happy-dom has no layout
};

const list = document.getElementById("keys") as HTMLDialogElement;
const check = document.querySelector("#keys input") as HTMLInputElement;

beforeEach(() => {
  document.getElementById("opener")?.focus();
  list.showPopover = vi.fn();
  list.checkVisibility = () => true;
  if (!check.checked) check.click();
});

test("a slash goes to the search box", () => {
  expect(press("/", "text").defaultPrevented).toBe(true);
  expect(document.activeElement?.id).toBe("search");
});

test("a question mark shows the list of keys, and so does a button", () => {
  expect(press("?", "text", { shiftKey: true }).defaultPrevented).toBe(true);
  expect(list.showPopover).toHaveBeenCalledTimes(1);
  expect(document.getElementById("opener")?.hidden).toBe(false);
});

test("F8 goes to what can be done with the rows that were ticked, from a box and from anywhere else [DM-24]", () => {
  for (const from of ["row", "text"]) {
    document.getElementById("row")?.focus();
    expect(press("F8", from).defaultPrevented).toBe(true);
    expect(document.activeElement?.id).toBe("act");
  }
});

test("F8 is the browser's where nothing is selected [DM-24]", () => {
  const bar = document.getElementById("bar") as HTMLFormElement;
  bar.hidden = true;
  expect(press("F8", "row").defaultPrevented).toBe(false);
  expect(document.activeElement?.id).toBe("opener");
  bar.hidden = false;
});

test("F8 goes to the newest toast, its action first, also from a field, but not out of a dialog [CO-08, DM-27]", () => {
  const toasts = document.getElementById("toasts") as HTMLElement;
  const toast = (id: string, action = "") =>
    `<div class="toast"${id === "new" ? " data-newest" : ""}>${action && `<button id="${action}" class="button"></button>`}<button id="${id}"></button></div>`;
  for (const [html, id] of [
    [toast("old", "undo-old") + toast("new", "undo-new"), "undo-new"],
    [toast("old") + toast("new"), "new"],
  ] as const) {
    toasts.innerHTML = html;
    for (const from of ["note", "text"]) {
      document.getElementById("note")?.focus();
      expect(press("F8", from).defaultPrevented).toBe(true);
      expect(document.activeElement?.id).toBe(id);
    }
  }
  check.id = "check";
  expect(press("F8", "check").defaultPrevented).toBe(false);
  toasts.replaceChildren();
});

test("F8 goes to the selected rows if these are newer than the toast [DM-24]", () => {
  const [toasts, bar] = ["toasts", "bar"].map((id) => document.getElementById(id) as HTMLElement);
  if (toasts) toasts.innerHTML = '<div class="toast" data-newest><button id="undo" class="button"></button></div>';
  for (const [isLater, id] of [
    [true, "act"],
    [false, "undo"],
  ] as const) {
    bar?.toggleAttribute("data-later", isLater);
    press("F8", "text");
    expect(document.activeElement?.id).toBe(id);
  }
  toasts?.replaceChildren();
});

test("F8 goes to a message in the page, if there is no toast and no later selection [CO-08, DM-27]", () => {
  const [toasts, bar] = ["toasts", "bar"].map((id) => document.getElementById(id) as HTMLElement);
  toasts?.insertAdjacentHTML(
    "afterend",
    '<div class="alert">Planned</div><div class="alert" id="saved" tabindex="-1"></div>',
  );
  press("F8", "text");
  expect(document.activeElement?.id).toBe("saved");
  bar?.setAttribute("data-later", "");
  press("F8", "text");
  expect(document.activeElement?.id).toBe("act");
  bar?.removeAttribute("data-later");
  if (toasts) toasts.innerHTML = '<div class="toast" data-newest><button id="close"></button></div>';
  press("F8", "text");
  expect(document.activeElement?.id).toBe("close");
  toasts?.replaceChildren();
  for (const alert of document.querySelectorAll(".alert")) alert.remove();
});

test.each(["/", "?"])("%s that is typed into a field is just that", (key) => {
  document.getElementById("note")?.focus();
  expect(press(key, "note").defaultPrevented).toBe(false);
  expect(document.activeElement?.id).toBe("note");
  expect(list.showPopover).not.toHaveBeenCalled();
});

test("an invisible field does not capture keys: a closed dialog may keep the focus for a moment", () => {
  list.checkVisibility = () => false;
  check.id = "check";
  expect(press("/", "check").defaultPrevented).toBe(true);
});

test("the browser's shortcuts keep working", () => {
  expect(press("/", "text", { ctrlKey: true }).defaultPrevented).toBe(false);
});

test("single-key shortcuts can be turned off, and on again [DM-32]", () => {
  check.click();
  expect(["/", "?", "F8"].map((key) => press(key, "text").defaultPrevented)).toEqual([false, false, false]);
  expect(list.showPopover).not.toHaveBeenCalled();
  expect(localStorage.getItem("shortcuts")).toBe("off");
  check.click();
  expect(press("/", "text").defaultPrevented).toBe(true);
});

function press(key: string, target: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.getElementById(target)?.dispatchEvent(event);
  return event;
}
