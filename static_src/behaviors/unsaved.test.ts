import { beforeEach, expect, test } from "vitest";
import { guardUnsaved } from "./unsaved";

let followed: string[] = [];

document.body.innerHTML = `<main></main><dialog id="leave"><form method="dialog"><button value="">Stay</button>
  <button value="leave">Leave</button></form></dialog>`;
guardUnsaved();
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a");
  if (link && !event.defaultPrevented) followed.push(link.getAttribute("href") ?? "");
  event.preventDefault();
});

beforeEach(() => {
  followed = [];
  dialog().close("");
  main().innerHTML = `<a href="/elsewhere">Elsewhere</a><a href="#top">Up</a><a href="/x" target="_blank">New tab</a>
    <form method="post" data-guard><input name="name" value="Ada"><textarea name="info">as sent</textarea>
    <input type="hidden" name="version" value="1"><input type="checkbox" name="on" checked>
    <input type="radio" name="type" value="a"><input type="radio" name="type" value="b" checked>
    <select name="country"><option value="">None</option><option value="KR">Korea</option></select></form>`;
  window.dispatchEvent(new Event("pageshow"));
});

test("an unchanged form does not ask", () => {
  click("Elsewhere");
  expect(dialog().open).toBe(false);
  expect(followed).toEqual(["/elsewhere"]);
  expect(warnsBeforeUnload()).toBe(false);
});

test.each<[string, (form: HTMLFormElement) => void]>([
  ["a text", (form) => change<HTMLInputElement>(form, "name", (c) => (c.value = "Eve"))],
  ["a long text", (form) => change<HTMLTextAreaElement>(form, "info", (c) => (c.value = "other"))],
  ["a tick", (form) => change<HTMLInputElement>(form, "on", (c) => (c.checked = false))],
  ["a choice of few", (form) => form.querySelector<HTMLInputElement>('[value="a"]')?.click()],
  ["a choice of a list", (form) => change<HTMLSelectElement>(form, "country", (c) => (c.value = "KR"))],
])("%s that was changed is asked about", (_, edit) => {
  edit(form());
  click("Elsewhere");
  expect(dialog().open).toBe(true);
  expect(followed).toEqual([]);
  expect(warnsBeforeUnload()).toBe(true);
});

test("a search for what can be chosen does not ask", () => {
  form().insertAdjacentHTML("beforeend", `<input type="search" name="find">`);
  change<HTMLInputElement>(form(), "find", (c) => (c.value = "Kim"));
  click("Elsewhere");
  expect(dialog().open).toBe(false);
  expect(warnsBeforeUnload()).toBe(false);
});

test("a change that was undone does not ask", () => {
  type("Eve");
  type("Ada");
  click("Elsewhere");
  expect(dialog().open).toBe(false);
});

test("Stay stays, and the next link asks again", () => {
  type("Eve");
  click("Elsewhere");
  dialog().close("");
  expect(followed).toEqual([]);
  click("Elsewhere");
  expect(dialog().open).toBe(true);
});

test("Leave follows the link, and the browser does not ask again", () => {
  type("Eve");
  click("Elsewhere");
  dialog().close("leave");
  expect(followed).toEqual(["/elsewhere"]);
  expect(warnsBeforeUnload()).toBe(false);
});

test("typing after that guards the form again", () => {
  type("Eve");
  click("Elsewhere");
  dialog().close("leave");
  type("Eva");
  expect(warnsBeforeUnload()).toBe(true);
});

test("a link that stays on the page does not ask", () => {
  type("Eve");
  click("Up");
  click("New tab");
  expect(dialog().open).toBe(false);
  expect(followed).toEqual(["#top", "/x"]);
});

test("a submitted form does not ask", () => {
  type("Eve");
  form().dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  expect(warnsBeforeUnload()).toBe(false);
});

test("a form whose submission was prevented is still guarded", () => {
  type("Eve");
  form().addEventListener("submit", (event) => event.preventDefault());
  form().dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  expect(warnsBeforeUnload()).toBe(true);
});

test("values that the server rendered but did not save are guarded", () => {
  main().insertAdjacentHTML("afterbegin", "<p data-unsaved>Still here, and not saved</p>");
  click("Elsewhere");
  expect(dialog().open).toBe(true);
});

test("a form without the attribute does not ask", () => {
  form().removeAttribute("data-guard");
  type("Eve");
  click("Elsewhere");
  expect(dialog().open).toBe(false);
});

test("a page that is left on purpose does not ask", () => {
  type("Eve");
  document.documentElement.dataset.leaving = "";
  expect(warnsBeforeUnload()).toBe(false);
});

function main(): HTMLElement {
  return document.querySelector("main") as HTMLElement;
}

function dialog(): HTMLDialogElement {
  return document.querySelector("dialog") as HTMLDialogElement;
}

function form(): HTMLFormElement {
  return document.querySelector("main form") as HTMLFormElement;
}

function change<T extends Element>(within: HTMLFormElement, name: string, change: (control: T) => void): void {
  change(within.querySelector<T>(`[name="${name}"]`) as T);
}

function type(name: string): void {
  change<HTMLInputElement>(form(), "name", (control) => {
    control.value = name;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

function click(text: string): void {
  const link = [...document.querySelectorAll("a")].find((a) => a.textContent === text);
  link?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

/** Whether the browser would ask before it closes the tab. */
function warnsBeforeUnload(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}
