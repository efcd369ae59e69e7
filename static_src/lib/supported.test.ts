import { afterEach, expect, test, vi } from "vitest";
import { isSupported } from "./supported";

afterEach(() => vi.unstubAllGlobals());

function browser({ knowsPopovers = true, unknownColor = "none" }): void {
  vi.spyOn(document, "querySelector").mockImplementation((selector) => {
    if (!knowsPopovers) throw new SyntaxError(`'${selector}' is not a valid selector`);
    return null;
  });
  vi.stubGlobal("CSS", { supports: (_: string, value: string) => !value.includes(unknownColor) });
}

test("a browser runs the scripts only if it knows popovers, light-dark() and relative colors", () => {
  browser({});
  expect(isSupported()).toBe(true);
  browser({ knowsPopovers: false });
  expect(isSupported()).toBe(false);
  for (const unknownColor of ["light-dark(", "rgb(from"]) {
    browser({ unknownColor });
    expect(isSupported()).toBe(false);
  }
  vi.stubGlobal("CSS", undefined);
  expect(isSupported()).toBe(false);
});
