import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tellLogout } from "./logout";

const channels: Channel[] = [];

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

afterEach(() => vi.unstubAllGlobals());

test("the page after a logout notifies the other tabs, once", () => {
  privatePage();
  tellLogout();
  document.querySelector("form")?.dispatchEvent(new Event("submit"));
  expect(channels[0]?.sent).toEqual([]);

  publicPage();
  tellLogout();
  expect(channels[1]?.sent).toEqual(["logout"]);
  tellLogout();
  expect(channels[2]?.sent).toEqual([]);
});

test("a private page is left when notified", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  privatePage();
  tellLogout();
  channels[0]?.dispatchEvent(new MessageEvent("message", { data: "logout" }));
  expect(assign).toHaveBeenCalledWith("/login");
});

test("a public page stays", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  publicPage();
  tellLogout();
  channels[0]?.dispatchEvent(new MessageEvent("message", { data: "logout" }));
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
