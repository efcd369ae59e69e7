import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getDialog } from "./dialogs";

/** The browser's reader of documents; `page` is what the server answers, null for no answer. */
let page: string | null;
let requestedUrls: string[];

class Reading extends EventTarget {
  responseXML: Document | null = null;
  private url = "";
  open(_method: string, url: string): void {
    this.url = url;
  }
  send(): void {
    requestedUrls.push(this.url);
    this.responseXML = page === null ? null : new DOMParser().parseFromString(page, "text/html");
    queueMicrotask(() => this.dispatchEvent(new Event("loadend")));
  }
}

beforeEach(() => {
  requestedUrls = [];
  page = '<main>More</main><dialog id="log-in-again"></dialog><dialog id="session-ends"></dialog>';
  document.documentElement.lang = "de-DE";
  document.body.innerHTML = "";
  vi.stubGlobal("XMLHttpRequest", Reading);
});

afterEach(() => vi.unstubAllGlobals());

test("the dialogs come once, in the language of the page, and nothing else comes with them", async () => {
  const dialog = await getDialog("session-ends");
  expect(dialog.isConnected).toBe(true);
  expect((await getDialog("log-in-again")).isConnected).toBe(true);
  expect(requestedUrls).toEqual(["/session/dialogs?lng=de-DE"]);
  expect([...document.body.children].map(({ id }) => id)).toEqual(["log-in-again", "session-ends"]);
});

test.each([null, "<main>Not found</main>"])("where they can't be had (%s), one can try again", async (answer) => {
  page = answer;
  await expect(getDialog("log-in-again")).rejects.toBeDefined();
  page = '<dialog id="log-in-again"></dialog>';
  expect((await getDialog("log-in-again")).id).toBe("log-in-again");
});
