// Commands of the search: each presses what the header or the footer of the page has for it.

const CONTROLS: Readonly<Record<string, string>> = {
  logout: "form[data-logout] [type=submit]",
  language: "[popovertarget=language-menu]",
  keys: "[popovertarget=keys]",
};
const THEME = /^theme-/;

export function runCommand(name: string): void {
  if (THEME.test(name)) setTheme(name.replace(THEME, ""));
  else if (CONTROLS[name]) press(document.querySelector<HTMLElement>(CONTROLS[name]));
}

/** With the focus, so that keys continue in the menu that opens. */
function press(control: HTMLElement | null): void {
  control?.focus();
  control?.click();
}

/** The switch steps through all themes. */
function setTheme(theme: string): void {
  const control = document.querySelector<HTMLElement>("[data-theme-switch]");
  const { dataset } = document.documentElement;
  for (let steps = 0; steps < 2 && (dataset.theme ?? "system") !== theme; steps++) control?.click();
}
