import { afterEach, expect, test } from "vitest";
import { numberText } from "./numbers";

afterEach(() => {
  document.documentElement.lang = "en-US";
});

test.each([
  ["en-US", "12,345"],
  ["de-DE", "12.345"],
  ["ar-EG", "12,345"],
])("a number in %s is %s", (language, text) => {
  document.documentElement.lang = language;
  expect(numberText(12_345)).toBe(text);
});
