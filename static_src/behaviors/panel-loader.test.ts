import { beforeEach, expect, test, vi } from "vitest";
import { loadPanelWhenNeeded } from "./panel-loader";

const openRowsInPanel = vi.hoisted(() => vi.fn());
vi.mock("./panel", () => ({ openRowsInPanel }));

const LIST = '<div class="beside"><div data-panel="user"><table><tr><td>Ada</td></tr></table></div></div>';

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
