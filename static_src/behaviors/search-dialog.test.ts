import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageEvent } from "../lib/events";
import { type Call, done, fakeServer, refused } from "../testing/server";
import type { Memory } from "./list-memory";
import { openSearch } from "./search-dialog";

const QUIET = 300;
const KIM = { label: "Grace Kim", href: "/user/u-1", details: ["grace@demo.example", "Seoul"], icon: "user" };
const LEE = { label: "Ann Lee", href: "/user/u-2", details: [], icon: "user" };
const INVITE = { label: "Invite user", href: "/user/new", details: [], icon: "plus" };

document.body.innerHTML = `<button id="opener" data-search="data:text/css,"><svg><use href="/icons.svg#search"/></svg><span>Search</span></button><p id="beside"></p>
  <div id="toasts" data-close="Close"></div>
`;
const opener = document.getElementById("opener") as HTMLElement;
const page = document.documentElement;
const query = document.querySelector.bind(document);
let question = false;
// happy-dom knows no :modal, and has no layout.
document.querySelector = ((selector: string) =>
  selector === ".dialog:modal" ? question || null : query(selector)) as typeof document.querySelector;
Element.prototype.scrollIntoView = () => {};
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a");
  if (link && !event.defaultPrevented) went.push(link.getAttribute("href") ?? "");
  event.preventDefault();
});

let calls: Call[];
let went: string[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  calls = fakeServer();
  went = [];
  question = false;
  page.dataset.sender = "me";
  delete page.dataset.ended;
  sessionStorage.clear();
  const opening = openSearch(opener);
  document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')?.onload?.(new Event("load"));
  await opening;
  await answer(calls[0], { groups: [group("pages", "Pages and actions", [INVITE])] });
});

afterEach(() => {
  dialog().close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("it opens with the focus in its field, and with what one can begin with, of which nothing is chosen [DM-46]", () => {
  expect(dialog().open).toBe(true);
  expect(document.activeElement).toBe(field());
  expect(names()).toEqual(["Invite user"]);
  expect(chosen()).toBeUndefined();
  press("Enter");
  expect(went).toEqual([]);
});

test("from two characters on, after 300 ms of quiet, it asks once [DM-46]", async () => {
  type("k");
  await vi.advanceTimersByTimeAsync(QUIET * 2);
  expect(calls).toHaveLength(1);
  type("ki");
  await vi.advanceTimersByTimeAsync(QUIET - 1);
  type("kim ");
  await vi.advanceTimersByTimeAsync(QUIET - 1);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls.map(({ url }) => url)).toEqual(["/search", "/search?q=kim"]);
});

test.each(["金", "김", "あ", "ก", "𠮷", "ab"])("%s may be a word, so it asks [DM-46]", async (word) => {
  type(word);
  await vi.advanceTimersByTimeAsync(QUIET);
  expect(calls.map(({ url }) => url)).toContain(`/search?${new URLSearchParams({ q: word })}`);
});

test.each(["k", "é", "ж", "🦷", "7"])("%s alone is too short to ask [DM-46]", async (letter) => {
  type(letter);
  await vi.advanceTimersByTimeAsync(QUIET);
  expect(calls.map(({ url }) => url)).toEqual(["/search"]);
});

test("results are rendered with their details and announced, and the first one is chosen [DM-46]", async () => {
  await find("kim");
  expect(names()).toEqual(["Grace Kimgrace@demo.example · Seoul", "Ann Lee", "See all results in Users 12"]);
  expect(query('a[href="/user/u-1"] use')?.getAttribute("href")).toBe("/icons.svg#user");
  expect(query(".search-dialog [role=status]")?.textContent).toBe("12 results Labs: Couldn't load this.");
  expect(query(".search-dialog [role=group]")?.getAttribute("aria-label")).toBe("Users");
  expect(chosen()).toBe("/user/u-1");
  expect(field().getAttribute("aria-activedescendant")).toBe(query('a[href="/user/u-1"]')?.id);
  press("Enter");
  expect(went).toEqual(["/user/u-1"]);
  expect(dialog().open).toBe(false);
});

test("a command is run in place of a page, once the search is closed [DM-46]", async () => {
  type("dark");
  await vi.advanceTimersByTimeAsync(QUIET);
  const dark = { label: "Theme: dark", href: "", details: [], icon: "moon", command: "theme-dark" };
  await answer(calls.at(-1), { groups: [group("pages", "Pages and actions", [dark])] });
  const button = document.createElement("button");
  button.dataset.themeSwitch = "";
  const pressed: boolean[] = [];
  button.addEventListener("click", () => pressed.push(dialog().open));
  document.body.append(button);
  press("Enter");
  expect(pressed).toEqual([false, false]);
  expect(names()[0]).toBe("Theme: dark");
  expect(query(".found mark")?.textContent).toBe("dark");
  button.remove();
});

test("while a word is composed nothing is asked, and the Enter that confirms it opens nothing [DM-46]", async () => {
  await find("kim");
  type("ki");
  compose("compositionstart");
  type("김", { isComposing: true });
  await vi.advanceTimersByTimeAsync(QUIET * 3);
  expect(calls).toHaveLength(2);
  press("Enter", { isComposing: true });
  press("Enter", { keyCode: 229 });
  press("ArrowDown", { isComposing: true });
  expect([went, calls.length, chosen()]).toEqual([[], 2, "/user/u-1"]);
  type("김민");
  compose("compositionend");
  await vi.advanceTimersByTimeAsync(QUIET);
  expect(calls.at(-1)?.url).toBe(`/search?q=${encodeURIComponent("김민")}`);
});

test("the answer to an earlier keyword never replaces that to a later one [DM-46]", async () => {
  type("kim");
  await vi.advanceTimersByTimeAsync(QUIET);
  type("lee");
  expect(calls[1]?.gaveUp).toBe(true);
  await vi.advanceTimersByTimeAsync(QUIET);
  await answer(calls[2], { groups: [group("users", "Users", [LEE])] });
  await answer(calls[1], { groups: [group("users", "Users", [KIM])] });
  expect(names()).toEqual(["Ann Lee"]);
});

test("Enter opens nothing of an earlier keyword: it looks for the new one at once [DM-46]", async () => {
  await find("kim");
  type("lee");
  press("Enter");
  expect(went).toEqual([]);
  expect(calls.at(-1)?.url).toBe("/search?q=lee");
  await answer(calls.at(-1), { groups: [group("users", "Users", [LEE])] });
  await vi.advanceTimersByTimeAsync(QUIET * 2);
  expect(calls).toHaveLength(3);
  press("Enter");
  expect(went).toEqual(["/user/u-2"]);
});

test("arrow keys go around; Home and End are the field's until they do [DM-46]", async () => {
  await find("kim");
  expect(press("End").defaultPrevented).toBe(false);
  press("ArrowDown");
  expect(chosen()).toBe("/user/u-2");
  press("End");
  expect(chosen()).toBe("/users?keyword=kim");
  press("ArrowDown");
  expect(chosen()).toBe("/user/u-1");
  press("ArrowUp");
  expect(chosen()).toBe("/users?keyword=kim");
  press("Home");
  expect(chosen()).toBe("/user/u-1");
  await find("lee");
  expect(press("Home").defaultPrevented).toBe(false);
});

test("Ctrl+Enter opens a new tab, and the search stays [DM-46]", async () => {
  const open = vi.fn();
  vi.stubGlobal("open", open);
  await find("kim");
  press("Enter", { ctrlKey: true });
  expect(open.mock.calls[0]?.slice(1)).toEqual(["_blank", "noopener"]);
  expect([String(open.mock.calls[0]?.[0]).endsWith("/user/u-1"), went, dialog().open]).toEqual([true, [], true]);
  expect(opened()).toEqual(["Grace Kim"]);
});

test("who was opened last stands first the next time, each once, five at most; pages and lists don't [DM-46]", async () => {
  for (const name of ["a", "b", "c", "d", "e", "f", "b"]) {
    await find("kim", [{ ...KIM, label: name, href: `/user/${name}` }]);
    press("Enter");
    await reopen();
  }
  expect(opened()).toEqual(["b", "f", "e", "d", "c"]);
  expect(names()).toEqual([...["b", "f", "e", "d", "c"].map((n) => `${n}grace@demo.example · Seoul`), "Invite user"]);
  expect(query(".found-title")?.textContent).toBe("Recently viewed");
  press("ArrowUp");
  press("Enter");
  expect(went.at(-1)).toBe("/user/new");
  expect(opened()).toHaveLength(5);
});

test("how the lists were left stays with what was opened [DM-07]", async () => {
  sessionStorage.setItem("memory", JSON.stringify({ sender: "me", queries: { "/user": "page=2" } }));
  await find("kim");
  press("Enter");
  expect(storedMemory()?.queries).toEqual({ "/user": "page=2" });
});

test.each([
  ["by another administrator", { sender: "another" }],
  ["that is not valid JSON", "{"],
  ["that is no list", { sender: "me", opened: 1 }],
])("what was opened %s is not shown [DM-46, ST-20, SEC-107]", async (_what, stored) => {
  sessionStorage.setItem(
    "memory",
    typeof stored === "string" ? stored : JSON.stringify({ opened: [KIM], ...(stored as object) }),
  );
  dialog().close();
  await reopen();
  expect(names()).toEqual(["Invite user"]);
});

test("after the end of the session nothing is shown of what was opened, and nothing is kept [DM-46, ST-20]", async () => {
  await find("kim");
  press("Enter");
  page.dataset.ended = "";
  await reopen();
  expect(names()).toEqual(["Invite user"]);
  await find("lee", [LEE]);
  press("Enter");
  expect(opened()).toEqual(["Grace Kim"]); // the dialog that asks to log in again removes it
});

test("if another administrator has logged in since, nothing is rendered, and the page is notified [DM-46, ST-20]", async () => {
  const onSessionEnded = vi.fn();
  document.addEventListener(PageEvent.SessionEnded, onSessionEnded, { once: true });
  await find("kim");
  press("Enter");
  await reopen({ sender: "another" });
  expect(onSessionEnded).toHaveBeenCalledTimes(1);
  expect([dialog().open, names()]).toEqual([false, []]);
});

test("where nothing is found, Enter opens no other list, which the arrow leads to [DM-46]", async () => {
  const all = { label: "Search all labs", href: "/labs?keyword=zzzz" };
  type("zzzz");
  await vi.advanceTimersByTimeAsync(QUIET);
  await answer(calls[1], { groups: [{ ...group("labs", "Labs", []), more: all }], messages: ["No matches."] });
  expect([names(), chosen()]).toEqual([["Search all labs"], undefined]);
  press("Enter");
  expect([went, dialog().open]).toEqual([[], true]);
  press("ArrowDown");
  expect(chosen()).toBe("/labs?keyword=zzzz");
  type("kim");
  await vi.advanceTimersByTimeAsync(QUIET);
  await answer(calls[2], {
    groups: [{ ...group("labs", "Labs", []), more: all }, group("users", "Users", [KIM])],
  });
  expect(chosen()).toBe("/user/u-1");
});

test("a kind that failed says so in its place, and is read again from there [DM-46]", async () => {
  type("kim");
  await vi.advanceTimersByTimeAsync(QUIET);
  const failed = { ...group("users", "Users", []), failed: "Couldn't load this." };
  await answer(calls[1], { groups: [{ ...failed, more: { label: "Try again", href: "/search?q=kim" } }] });
  expect(query(".search-dialog [role=group]")?.textContent).toBe("UsersCouldn't load this.Try again");
  press("Enter");
  expect([went, dialog().open, calls.at(-1)?.url]).toEqual([[], true, "/search?q=kim"]);
});

test.each([
  ["lost", (call?: Call) => call?.breakOff(), "Check your connection."],
  ["refused", (call?: Call) => call?.answer(refused("The service is resting."), 503), "The service is resting."],
])("a call that is %s is reported, and Enter asks again [DM-46]", async (_what, fail, sentence) => {
  await find("kim");
  type("lee");
  await vi.advanceTimersByTimeAsync(QUIET);
  fail(calls.at(-1));
  await vi.advanceTimersByTimeAsync(0);
  expect(query(".search-dialog [role=status]")?.textContent).toBe(sentence);
  press("Enter");
  expect([went, calls.length]).toEqual([[], 4]);
});

test("its page opens where not even the first answer comes [DM-46]", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  vi.resetModules();
  const opening = (await import("./search-dialog")).openSearch(opener);
  document.querySelector<HTMLLinkElement>("link:last-of-type")?.onload?.(new Event("load"));
  await opening;
  calls.at(-1)?.breakOff();
  await vi.advanceTimersByTimeAsync(0);
  expect(assign).toHaveBeenCalledWith("/search");
  document.querySelector(".search-dialog:last-of-type")?.remove();
});

test("its button and a press outside close it, and stop its requests [DM-46]", async () => {
  type("kim");
  query<HTMLElement>(".search-dialog button")?.click();
  await vi.advanceTimersByTimeAsync(QUIET * 2);
  expect([dialog().open, calls.length]).toEqual([false, 1]);
  await reopen();
  dialog().dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  expect(dialog().open).toBe(false);
});

test("it does not open over another dialog, and its key starts a new search if it is open", async () => {
  type("kim");
  await openSearch(opener);
  expect([dialog().open, field().value, field().selectionStart]).toEqual([true, "kim", 0]);
  dialog().close();
  question = true;
  await openSearch(opener);
  expect(dialog().open).toBe(false);
});

function dialog(): HTMLDialogElement {
  return query(".search-dialog") as HTMLDialogElement;
}

function field(): HTMLInputElement {
  return query(".search-dialog input") as HTMLInputElement;
}

function names(): string[] {
  return [...document.querySelectorAll(".search-dialog [role=option]")].map((option) => option.textContent ?? "");
}

function chosen(): string | undefined {
  return query(".search-dialog [aria-selected=true]")?.getAttribute("href") ?? undefined;
}

function storedMemory(): Memory | null {
  return JSON.parse(sessionStorage.getItem("memory") ?? "null");
}

function opened(): string[] {
  return (storedMemory()?.opened ?? []).map(({ label }) => label);
}

function group(name: string, title: string, hits: readonly object[]): object {
  return { name, title, hits, count: "", failed: "", more: null };
}

async function answer(call: Call | undefined, item: object): Promise<void> {
  call?.answer(
    done({
      sender: "me",
      label: "Search by name",
      opened: "Recently viewed",
      unreachable: "Check your connection.",
      messages: [],
      groups: [],
      ...item,
    }),
  );
  await vi.advanceTimersByTimeAsync(0);
}

async function reopen(item: object = {}): Promise<void> {
  await openSearch(opener);
  await answer(calls.at(-1), { groups: [group("pages", "Pages and actions", [INVITE])], ...item });
}

async function find(keyword: string, hits: readonly object[] = [KIM, LEE]): Promise<void> {
  type(keyword);
  await vi.advanceTimersByTimeAsync(QUIET);
  const users = { ...group("users", "Users", hits), count: "12" };
  const more = { label: "See all results in Users", href: `/users?keyword=${keyword}` };
  const messages = ["12 results", "Labs: Couldn't load this."];
  await answer(calls.at(-1), { groups: [{ ...users, more }], messages });
}

function type(text: string, more: InputEventInit = {}): void {
  field().value = text;
  field().dispatchEvent(new InputEvent("input", { bubbles: true, ...more }));
}

function compose(what: "compositionstart" | "compositionend"): void {
  field().dispatchEvent(new Event(what, { bubbles: true }));
}

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  if (more.keyCode) Object.defineProperty(event, "keyCode", { value: more.keyCode });
  field().dispatchEvent(event);
  return event;
}
