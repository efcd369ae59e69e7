import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageEvent } from "../lib/events";
import { openRowsBeside } from "./panel";

const LIST = "/user-manage/clinic/c-1/user";

let added: [string, EventListener, unknown][];

beforeEach(() => {
  history.replaceState(null, "", `${LIST}?size=10&user=u-2`);
  document.body.innerHTML = `<div class="beside">
    <aside><h2 tabindex="-1">Bea</h2><a class="icon-button" data-close href="${LIST}?size=10">x</a></aside>
    <div data-panel="user"><section class="list" tabindex="-1"><table><tbody>
      <tr><th><a href="${LIST}/u-1">Ada</a></th><td>Active</td></tr><tr><th><a href="${LIST}/u-2">Bea</a></th></tr>
    </tbody></table></section></div></div>`;
  const listen = vi.spyOn(document, "addEventListener");
  openRowsBeside();
  added = listen.mock.calls as never;
});

afterEach(() => {
  for (const [type, listener, options] of added) document.removeEventListener(type, listener, options as never);
});

function drawn() {
  document.dispatchEvent(new Event(PageEvent.ListDrawn));
}

function panel() {
  return document.querySelector<HTMLElement>("aside") as HTMLElement;
}

function open() {
  return document.querySelector("tr[aria-current]")?.textContent;
}

function press(key: string, target: Element) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
}

test("the row that is shown in the side panel is marked", () => {
  expect(open()).toBe("Bea");
});

test("the side panel follows the address", () => {
  history.pushState(null, "", `${LIST}?page=2`);
  drawn();
  expect([panel().hidden, open()]).toEqual([true, undefined]);
  history.replaceState(null, "", `${LIST}?size=10&user=u-2`);
  drawn();
  expect([panel().hidden, open()]).toEqual([false, "Bea"]);
});

test("Escape within the panel closes it, and the focus goes to the row [AX-02]", () => {
  const elsewhere = press("Escape", document.body);
  expect([panel().hidden, elsewhere.defaultPrevented]).toEqual([false, false]);
  const event = press("Escape", document.querySelector("h2") as Element);
  expect([panel(), event.defaultPrevented]).toEqual([null, true]);
  expect(location.search).toBe("?size=10");
  expect(document.activeElement?.textContent).toBe("Bea");
});

test("its link closes it without loading the page; if its row is not in the list, the list gets the focus", () => {
  document.querySelector("tr:last-child")?.remove();
  const close = document.querySelector("[data-close]");
  const event = new MouseEvent("click", { bubbles: true, cancelable: true });
  close?.dispatchEvent(event);
  expect([panel(), event.defaultPrevented]).toEqual([null, true]);
  expect(document.activeElement?.className).toBe("list");
});

test("a click on a row opens the panel, by the address of its row", () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  document.querySelector("td")?.click();
  document.querySelector("th")?.click();
  vi.unstubAllGlobals();
  expect(assign.mock.calls.map(([url]) => new URL(url).search)).toEqual(["?size=10&user=u-1", "?size=10&user=u-1"]);
});

test("nothing opens on a page whose list has no panel", () => {
  document.querySelector("[data-panel]")?.removeAttribute("data-panel");
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  document.querySelector("td")?.click();
  vi.unstubAllGlobals();
  expect(assign).not.toHaveBeenCalled();
});
