// The contrast of the colors, computed from the tokens themselves: 4.5 for text, 3 for the borders of controls (AX-12).

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(`${import.meta.dirname}/tokens.css`, "utf8");
const TEXT = 4.5;
const CONTROL = 3;

const PAIRS: readonly (readonly [ink: string, ground: string, least: number])[] = [
  ["ink", "surface", TEXT],
  ["ink", "page", TEXT],
  ["ink", "raised", TEXT],
  ["muted", "surface", TEXT],
  ["muted", "page", TEXT],
  ["muted", "raised", TEXT],
  ["accent", "surface", TEXT],
  ["accent", "page", TEXT],
  ["accent", "accent-tint", TEXT],
  ["accent-strong", "surface", TEXT],
  ["accent-strong", "accent-tint", TEXT],
  ["on-accent", "accent", TEXT],
  ["on-accent", "accent-strong", TEXT],
  ["on-danger", "danger", TEXT],
  ["on-danger", "danger-strong", TEXT],
  ...["success", "warning", "danger", "info"].flatMap((tone) => [
    [tone, `${tone}-tint`, TEXT] as const,
    [tone, "surface", TEXT] as const,
    ["ink", `${tone}-tint`, TEXT] as const,
  ]),
  ["control-line", "surface", CONTROL],
  ["control-line", "page", CONTROL],
  ["control-line", "raised", CONTROL],
];

describe.each(["light", "dark"])("in the %s theme", (theme) => {
  test.each(PAIRS)("%s on %s is readable [AX-12]", (ink, ground, least) => {
    expect(contrast(color(ink, theme), color(ground, theme))).toBeGreaterThanOrEqual(least);
  });
});

test("the ratio is that of WCAG", () => {
  expect(contrast("#000", "#fff")).toBeCloseTo(21);
  expect(contrast("#0a6573", "#fff")).toBeCloseTo(6.73, 1);
});

function color(name: string, theme: string): string {
  const match = new RegExp(`--${name}: light-dark\\((#[0-9a-f]+), (#[0-9a-f]+)\\);`).exec(css);
  if (!match) throw new Error(`tokens.css has no color --${name}`);
  return (theme === "light" ? match[1] : match[2]) ?? "";
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((d) => d + d) : (hex.slice(1).match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = digits.map((pair) => {
    const part = Number.parseInt(pair, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
