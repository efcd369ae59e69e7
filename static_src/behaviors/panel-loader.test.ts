import { beforeEach, expect, test, vi } from "vitest";
import { loadPanelWhenNeeded } from "./panel-loader";

const openRowsBeside = vi.hoisted(() => vi.fn());
vi.mock("./panel", () => ({ openRowsBeside }));

const LIST = '<div class="beside"><div data-panel="user"><table><tr><td>Ada</td></tr></table></div></div>';

function earlyClicks(): Element[] {
  return openRowsBeside.mock.lastCall?.[0].map(({ target }: MouseEvent) => target);
}

beforeEach(() => openRowsBeside.mockClear());

test("the panel is loaded with the first click, which it gets", async () => {
  document.body.innerHTML = LIST;
  loadPanelWhenNeeded();
  expect(openRowsBeside).not.toHaveBeenCalled();
  const cell = document.querySelector("td") as HTMLElement;
  cell.click();
  cell.click();
  await vi.waitFor(() => expect(openRowsBeside).toHaveBeenCalledOnce());
  expect(earlyClicks()).toEqual([cell, cell]);
  cell.click();
  expect(earlyClicks()).toHaveLength(2);
});

test("an open panel is loaded at once", async () => {
  document.body.innerHTML = `<dialog class="panel" open></dialog>${LIST}`;
  loadPanelWhenNeeded();
  await vi.waitFor(() => expect(openRowsBeside).toHaveBeenCalledOnce());
  expect(earlyClicks()).toEqual([]);
});
