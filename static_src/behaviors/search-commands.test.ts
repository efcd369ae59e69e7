import { expect, test, vi } from "vitest";
import { runCommand } from "./search-commands";
import { switchTheme } from "./theme";

test("a command presses its control, which gets the focus", () => {
  document.body.innerHTML = `<button popovertarget="language-menu"></button>
    <form data-logout><button type="submit"></button></form>`;
  const pressed = vi.fn((event: Event) => event.preventDefault());
  for (const button of document.querySelectorAll("button")) button.addEventListener("click", pressed);
  runCommand("language");
  expect(document.activeElement).toBe(document.querySelector("[popovertarget]"));
  runCommand("logout");
  runCommand("unknown");
  expect(pressed).toHaveBeenCalledTimes(2);
});

test.each(["dark", "light", "system", "dark"])("the theme is set to %s, whatever it was", (theme) => {
  document.body.innerHTML = "<button data-theme-switch></button>";
  switchTheme();
  runCommand(`theme-${theme}`);
  expect(document.documentElement.dataset.theme ?? "system").toBe(theme);
});
