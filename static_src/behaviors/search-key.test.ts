import { beforeEach, expect, test } from "vitest";
import { focusSearchOnSlash } from "./search-key";

focusSearchOnSlash();

beforeEach(() => {
  document.body.innerHTML =
    '<input id="search" data-search-key value="Ahmed"><textarea id="note"></textarea><p id="text"></p>';
});

test("a slash goes to the search box", () => {
  expect(press("/", "text").defaultPrevented).toBe(true);
  expect(document.activeElement?.id).toBe("search");
});

test("a slash that is typed into a field is just a slash", () => {
  document.getElementById("note")?.focus();
  expect(press("/", "note").defaultPrevented).toBe(false);
  expect(document.activeElement?.id).toBe("note");
});

test("the browser's own shortcuts stay its own", () => {
  expect(press("/", "text", { ctrlKey: true }).defaultPrevented).toBe(false);
});

function press(key: string, target: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.getElementById(target)?.dispatchEvent(event);
  return event;
}
