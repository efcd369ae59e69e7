import { expect, test } from "vitest";
import { splitByWords } from "./marked";

const marked = (text: string, keyword: string) =>
  splitByWords(text, keyword)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

test.each([
  ["Anna Esposito", "esposito anna", "[Anna] [Esposito]"],
  ["Anna", "ann na", "[Anna]"],
  ["Bergström", "bergstrom", "[Bergström]"],
  ["Bergstro\u0308m", "stro", "Berg[stro\u0308]m"],
  ["Bergstrom", "BERGSTRÖM", "[Bergstrom]"],
  ["Straße 5", "strasse", "[Straße] 5"],
  ["Strasse", "straße", "[Strasse]"],
  ["عمر الفاروق", "عمر", "[عمر] الفاروق"],
  ["田中 太郎", "太", "田中 [太]郎"],
  ["Anna", "", "Anna"],
  ["Anna", " \u0301", "Anna"],
  ["", "x", ""],
])("the words of a keyword are marked, whatever their case and accents: %s, %s", (text, keyword, expected) => {
  expect(marked(text, keyword)).toBe(expected);
});
