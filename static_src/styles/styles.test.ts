// One stylesheet serves both text directions: it names no side of the screen.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".css"));
const SIDES =
  /(?:margin|padding|border)-(?:left|right|top|bottom)\b|(?:^|[\s;{])(?:left|right|top|bottom|inset|width|height)\s*:|(?:text-align|float)\s*:\s*(?:left|right)/m;

test.each(files)("%s uses logical properties only", (file) => {
  const css = readFileSync(`${import.meta.dirname}/${file}`, "utf8").replace(/\/\*.*?\*\//gs, "");
  // A single value is for all sides.
  expect(SIDES.exec(css.replaceAll(/inset: [^ ;]+;/g, ""))?.[0]).toBeUndefined();
});

test.each(files)("%s fetches nothing from anywhere", (file) => {
  expect(readFileSync(`${import.meta.dirname}/${file}`, "utf8")).not.toMatch(/url\((?!["']?\.\/)|@import (?!"\.\/)/);
});

test("a sheet of some pages is linked by a template, and there are ten at most", () => {
  const templates = readdirSync("templates", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .map((file) => readFileSync(`templates/${file}`, "utf8"))
    .join("");
  const sheets = files.filter((file) => file !== "app.css" && !file.includes("/"));
  expect(sheets.length).toBeLessThanOrEqual(10);
  expect(sheets.filter((sheet) => !templates.includes(`asset("${sheet}")`))).toEqual([]);
});
