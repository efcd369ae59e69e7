import { afterEach, expect, test, vi } from "vitest";
import { focusScrollingTables } from "./scrolling";

let measure: (target: Element) => void;
const watched = new Set<Element>();

class FakeResizeObserver {
  constructor(callback: (entries: { target: Element }[]) => void) {
    measure = (target) => callback([{ target }]);
  }
  observe(target: Element): void {
    watched.add(target);
  }
}

afterEach(() => {
  watched.clear();
  vi.unstubAllGlobals();
});

const LIST = '<div class="table-wrap" tabindex="0"><table class="table"></table></div>';

function page(): void {
  vi.stubGlobal("ResizeObserver", FakeResizeObserver);
  document.body.innerHTML = `<main>${LIST}</main>`;
  focusScrollingTables();
}

function box(): HTMLElement {
  return document.querySelector(".table-wrap") as HTMLElement;
}

function show(content: number, width: number): void {
  Object.defineProperties(box(), { scrollWidth: { value: content }, clientWidth: { value: width } });
}

test("a table that scrolls takes the focus [AX-02]", () => {
  page();
  show(1200, 700);
  measure(box());
  expect(box().tabIndex).toBe(0);
});

test("a table that fits is not a tab stop [AX-02]", () => {
  page();
  show(700, 700);
  measure(box());
  expect(box().tabIndex).toBe(-1);
});

test("a table rendered by an island is measured as well, and so are its rows", async () => {
  page();
  (document.querySelector("main") as HTMLElement).innerHTML = LIST;
  await new Promise((done) => setTimeout(done));
  expect(watched).toContain(box());
  expect(watched).toContain(box().firstElementChild);
});
