import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { storeListQueries } from "./list-memory";

const USERS = "/user-manage/user";
const CLINICS = "/user-manage/clinic";
let stop: () => void;

beforeEach(() => {
  const window = vi.spyOn(globalThis, "addEventListener");
  const page = vi.spyOn(document, "addEventListener");
  stop = () => {
    for (const [type, listener] of window.mock.calls) removeEventListener(type, listener);
    for (const [type, listener] of page.mock.calls) document.removeEventListener(type, listener as EventListener);
    window.mockClear();
    page.mockClear();
  };
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  sessionStorage.clear();
});

/** Go to a page of this administrator ("" for a page without a login), by a link, or to its path and search there. */
function visit(
  address: string,
  { sender = "me", content = '<section class="list"></section>', isLink = false } = {},
): void {
  dispatchEvent(new Event("pagehide"));
  stop();
  history.replaceState(null, "", isLink ? address : address.split("?")[0]);
  document.documentElement.dataset.sender = sender;
  const entries = [CLINICS, USERS].map((href) => `<a href="${href}">List</a>`).join("");
  document.body.innerHTML = `<nav class="navigation">${entries}</nav><main>${content}</main>`;
  storeListQueries();
  history.replaceState(null, "", address);
}

/** Where the entry of a list leads when it is pressed. */
function entry(path: string): string {
  const link = document.querySelector(`.navigation a[href^="${path}"]`) as HTMLAnchorElement;
  link.addEventListener("click", (event) => event.preventDefault(), { once: true });
  link.click();
  return link.pathname + link.search;
}

test("the side menu leads back to a list as it was left, from everywhere in this tab [DM-07]", () => {
  visit(`${USERS}?status=ACTIVE&page=2`);
  visit(`${CLINICS}?keyword=kim`);
  visit("/user-manage/clinic/g-1/edit", { content: "" });
  expect([entry(USERS), entry(CLINICS)]).toEqual([`${USERS}?status=ACTIVE&page=2`, `${CLINICS}?keyword=kim`]);
});

test("what a link of another page filtered is not how the reader left the list [DM-07]", () => {
  visit(`${USERS}?keyword=kim`);
  visit("/", { content: "" });
  visit(`${USERS}?last_login=90`, { isLink: true });
  visit(CLINICS);
  expect(entry(USERS)).toBe(`${USERS}?keyword=kim`);
});

test("what the reader searched in such a list is kept [DM-07]", () => {
  visit(`${USERS}?last_login=90`, { isLink: true });
  history.replaceState(null, "", `${USERS}?last_login=90&keyword=kim`);
  visit(CLINICS);
  expect(entry(USERS)).toBe(`${USERS}?last_login=90&keyword=kim`);
});

test("in the list itself, its entry leads to the whole list [DM-07]", () => {
  visit(`${USERS}?status=ACTIVE`);
  expect(entry(USERS)).toBe(USERS);
  visit(USERS);
  visit(CLINICS);
  expect(entry(USERS)).toBe(USERS);
});

test("a plan at the address of its list is not stored as the list [DM-07]", () => {
  visit(`${USERS}?status=ACTIVE`);
  visit(`${USERS}/bulk/lock`, { content: "" });
  history.replaceState(null, "", `${USERS}?status=ACTIVE`); // waiting.ts
  expect(entry(USERS)).toBe(`${USERS}?status=ACTIVE`);
});

test("the language and the side panel are not part of how a list was left [DM-07]", () => {
  visit(`${USERS}?keyword=kim&user=u-1&lng=ar-EG`, {
    content: '<div data-panel="user"><section class="list"></section></div>',
  });
  visit(CLINICS);
  expect(entry(USERS)).toBe(`${USERS}?keyword=kim`);
});

test("lists that are not in the side menu are not kept", () => {
  visit("/user-manage/clinic/g-1/user?keyword=kim");
  visit(CLINICS);
  expect(sessionStorage.getItem("memory") ?? "").not.toContain("kim");
});

test("after a logout, or the end of the session, nothing is kept [ST-20]", () => {
  visit(`${USERS}?keyword=kim`);
  visit("/login", { sender: "", content: "" });
  expect(sessionStorage.getItem("memory") ?? "").not.toContain("kim");
  visit(CLINICS);
  expect(entry(USERS)).toBe(USERS);
});

test("another administrator sees nothing of it [ST-20]", () => {
  visit(`${USERS}?keyword=kim`);
  visit(CLINICS, { sender: "somebody else" });
  expect(entry(USERS)).toBe(USERS);
  visit(USERS, { sender: "somebody else" });
  expect(sessionStorage.getItem("memory")).not.toContain("kim");
});

test("with another administrator, nothing of the one before is kept, wherever they come in [ST-20]", () => {
  visit(`${USERS}?keyword=kim`);
  visit("/", { sender: "somebody else", content: "" });
  expect(sessionStorage.getItem("memory") ?? "").not.toContain("kim");
});

test("a list whose session has ended is not kept on the way out [ST-20]", () => {
  visit(`${USERS}?keyword=kim`);
  const page = document.documentElement.dataset;
  page.ended = "";
  dispatchEvent(new Event("pagehide"));
  expect(sessionStorage.getItem("memory") ?? "").not.toContain("kim");
  delete page.ended;
  dispatchEvent(new Event("pagehide"));
  expect(sessionStorage.getItem("memory")).toContain("kim");
});

test.each(["{", "null", "7"])("what can't be read is nothing: %s", (stored) => {
  visit(CLINICS);
  sessionStorage.setItem("memory", stored);
  expect(entry(USERS)).toBe(USERS);
});
