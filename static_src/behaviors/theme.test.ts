import { beforeEach, expect, test, vi } from "vitest";
import { switchTheme } from "./theme";

const root = document.documentElement;
let cookies: string[] = [];

beforeEach(() => {
  cookies = [];
  delete root.dataset.theme;
  vi.spyOn(document, "cookie", "set").mockImplementation((cookie) => {
    cookies.push(cookie);
  });
});

test("without a script there is no switch; with one it shows the chosen theme", () => {
  renderButton();
  expect(button().hidden).toBe(true);
  switchTheme();
  expect(button().hidden).toBe(false);
  expect(button().ariaLabel).toBe("As the system");
});

test("it cycles: system, light, dark, system", () => {
  renderButton();
  switchTheme();
  const states = [1, 2, 3].map(() => {
    button().click();
    return [root.dataset.theme, button().ariaLabel];
  });
  expect(states).toEqual([
    ["light", "Light"],
    ["dark", "Dark"],
    [undefined, "As the system"],
  ]);
});

test("the choice is kept for a year, and forgotten when the system's is chosen", () => {
  renderButton();
  switchTheme();
  for (const _ of [1, 2, 3]) button().click();
  expect(cookies.map((cookie) => cookie.split("; ").slice(0, 3))).toEqual([
    ["theme=light", "path=/", "max-age=31536000"],
    ["theme=dark", "path=/", "max-age=31536000"],
    ["theme=system", "path=/", "max-age=0"],
  ]);
});

test("it continues from the theme that the server rendered", () => {
  root.dataset.theme = "dark";
  renderButton();
  switchTheme();
  expect(button().ariaLabel).toBe("Dark");
  button().click();
  expect(root.dataset.theme).toBeUndefined();
});

function renderButton(): void {
  document.body.innerHTML =
    '<button data-theme-switch data-label-system="As the system" data-label-light="Light" data-label-dark="Dark" hidden></button>';
}

function button(): HTMLButtonElement {
  return document.querySelector("button") as HTMLButtonElement;
}
