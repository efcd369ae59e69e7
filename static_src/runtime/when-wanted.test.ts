import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whenNeeded } from "./when-wanted";

let idle: (() => void) | undefined;
const load = vi.fn();

beforeEach(() => {
  idle = undefined;
  load.mockReset();
  vi.stubGlobal("requestIdleCallback", (callback: () => void) => {
    idle = callback;
  });
  document.body.innerHTML = "<p></p><section><input></section>";
});

afterEach(() => {
  vi.unstubAllGlobals();
  Object.defineProperty(navigator, "connection", { value: undefined, configurable: true });
});

function section() {
  return document.querySelector("section") as HTMLElement;
}

function field() {
  return document.querySelector("input") as HTMLElement;
}

it("loads when the browser is idle", () => {
  whenNeeded(section(), load);
  expect(load).not.toHaveBeenCalled();
  idle?.();
  expect(load).toHaveBeenCalledOnce();
});

it.each(["pointerdown", "focusin", "keydown"])(
  "loads at the first %s in the region, and not again when idle",
  (type) => {
    whenNeeded(section(), load);
    document.querySelector("p")?.dispatchEvent(new Event(type, { bubbles: true }));
    expect(load).not.toHaveBeenCalled();
    field().dispatchEvent(new Event(type, { bubbles: true }));
    field().dispatchEvent(new Event(type, { bubbles: true }));
    idle?.();
    expect(load).toHaveBeenCalledOnce();
  },
);

it("loads at once where the focus is in the region already", () => {
  field().focus();
  whenNeeded(section(), load);
  expect(load).toHaveBeenCalledOnce();
});

it("waits for a touch where the browser asks to save data", () => {
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  whenNeeded(section(), load);
  expect(idle).toBeUndefined();
  field().focus();
  expect(load).toHaveBeenCalledOnce();
});

it("does without idle callbacks", () => {
  vi.useFakeTimers();
  vi.stubGlobal("requestIdleCallback", undefined);
  Reflect.deleteProperty(window, "requestIdleCallback");
  whenNeeded(section(), load);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(load).toHaveBeenCalledOnce();
});
