import { afterEach, expect, test, vi } from "vitest";
import { isSupported } from "./supported";

afterEach(() => vi.unstubAllGlobals());

function browser({ knowsPopovers = true, knowsColors = true }): void {
  vi.spyOn(document, "querySelector").mockImplementation((selector) => {
    if (!knowsPopovers) throw new SyntaxError(`'${selector}' is not a valid selector`);
    return null;
  });
  vi.stubGlobal("CSS", { supports: () => knowsColors });
}

test("a browser runs the scripts only if it knows popovers and light-dark()", () => {
  browser({});
  expect(isSupported()).toBe(true);
  browser({ knowsPopovers: false });
  expect(isSupported()).toBe(false);
  browser({ knowsColors: false });
  expect(isSupported()).toBe(false);
  vi.stubGlobal("CSS", undefined);
  expect(isSupported()).toBe(false);
});
