import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageEvent } from "../lib/events";
import { broadcastLogout } from "./logout";

const channels: Channel[] = [];
const dialogs: (() => void)[] = [];

class Channel extends EventTarget {
  readonly sent: unknown[] = [];

  constructor() {
    super();
    channels.push(this);
  }

  postMessage(message: unknown): void {
    this.sent.push(message);
  }
}

beforeEach(() => {
  channels.length = 0;
  sessionStorage.clear();
  vi.stubGlobal("BroadcastChannel", Channel);
});

afterEach(() => {
  for (const removeListener of dialogs.splice(0)) removeListener();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("the page after a logout notifies the other tabs, once", () => {
  privatePage();
  broadcastLogout();
  document.querySelector("form")?.dispatchEvent(new Event("submit"));
  expect(channels[0]?.sent).toEqual([]);

  publicPage();
  broadcastLogout();
  expect(channels[1]?.sent).toEqual(["logout"]);
  broadcastLogout();
  expect(channels[2]?.sent).toEqual([]);
});

/** What the dialog of the page is asked for, and what comes of it. */
function dialog(goesOn: boolean): () => number {
  let promptCount = 0;
  const ask = (event: Event) => {
    event.preventDefault();
    promptCount += 1;
    (event as CustomEvent<(goesOn: boolean) => void>).detail(goesOn);
  };
  document.addEventListener(PageEvent.SessionEnded, ask);
  dialogs.push(() => document.removeEventListener(PageEvent.SessionEnded, ask));
  return () => promptCount;
}

function notify(): void {
  channels.at(-1)?.dispatchEvent(new MessageEvent("message", { data: "logout" }));
}

test("a private page asks to log in again, and stays for who does [ER-11, ST-21]", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  privatePage();
  broadcastLogout();
  const promptCount = dialog(true);
  notify();
  expect(promptCount()).toBe(1);
  expect(assign).not.toHaveBeenCalled();
});

test("a private page in a hidden tab asks once the tab is visible [ER-11, ST-21]", () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  privatePage();
  broadcastLogout();
  const promptCount = dialog(true);
  notify();
  expect(promptCount()).toBe(0);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(promptCount()).toBe(1);
});

test.each([true, false])(
  "the browser leaves a private page if the dialog is canceled or missing [ST-20]: %s",
  (hasDialog) => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
    history.replaceState(null, "", "/user-manage/user?page=2");
    privatePage();
    broadcastLogout();
    if (hasDialog) dialog(false);
    notify();
    expect(assign).toHaveBeenCalledExactlyOnceWith("/login?next=%2Fuser-manage%2Fuser%3Fpage%3D2");
  },
);

test("a public page stays", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  publicPage();
  broadcastLogout();
  notify();
  expect(assign).not.toHaveBeenCalled();
});

function privatePage(): void {
  document.documentElement.dataset.private = "/login";
  document.body.innerHTML = '<form method="post" action="/logout" data-logout><button>Log out</button></form>';
}

function publicPage(): void {
  delete document.documentElement.dataset.private;
  document.body.innerHTML = "";
}
