import { beforeEach, expect, test, vi } from "vitest";
import { loadPanelWhenNeeded } from "./panel-loader";

const openRowsInPanel = vi.hoisted(() => vi.fn());
vi.mock("./panel", () => ({ openRowsInPanel }));

const LIST =
  '<div class="beside"><div data-panel="user"><table><tr><th><a href="/user/u-1">Ada</a></th><td>Active</td></tr></table></div></div>';

function earlyClicks(): Element[] {
  return openRowsInPanel.mock.lastCall?.[0].map(({ target }: MouseEvent) => target);
}

beforeEach(() => openRowsInPanel.mockClear());

test("the panel is loaded with the first click, which it gets", async () => {
  document.body.innerHTML = LIST;
  loadPanelWhenNeeded();
  expect(openRowsInPanel).not.toHaveBeenCalled();
  const cell = document.querySelector("td") as HTMLElement;
  cell.click();
  cell.click();
  await vi.waitFor(() => expect(openRowsInPanel).toHaveBeenCalledOnce());
  expect(earlyClicks()).toEqual([cell, cell]);
  cell.click();
  expect(earlyClicks()).toHaveLength(2);
});

test("an open panel is loaded at once", async () => {
  document.body.innerHTML = `<dialog class="panel" open></dialog>${LIST}`;
  loadPanelWhenNeeded();
  await vi.waitFor(() => expect(openRowsInPanel).toHaveBeenCalledOnce());
  expect(earlyClicks()).toEqual([]);
});

function click(options: MouseEventInit = {}) {
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...options });
  document.querySelector("th a")?.dispatchEvent(event);
}

test("a plain click on a name doesn't lead to its page, unless the window is a phone's", () => {
  document.body.innerHTML = LIST;
  loadPanelWhenNeeded();
  let isPhone = false;
  vi.stubGlobal("matchMedia", () => ({ matches: isPhone }));
  // jsdom can't follow links.
  const wasPrevented: boolean[] = [];
  addEventListener("click", (event) => {
    wasPrevented.push(event.defaultPrevented);
    event.preventDefault();
  });
  click();
  for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey"]) click({ [key]: true });
  click({ button: 1 });
  isPhone = true;
  click();
  expect(wasPrevented).toEqual([true, false, false, false, false, false, false]);
  vi.unstubAllGlobals();
});
