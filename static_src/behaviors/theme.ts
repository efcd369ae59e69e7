// `data-theme-switch` on a button: cycles through system, light and dark. The cookie lets the server render the page in
// the chosen theme from the start.

const THEMES = ["system", "light", "dark"] as const;
const YEAR = 365 * 24 * 3600;

type Theme = (typeof THEMES)[number];

export function switchTheme(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-switch]");
  if (!button) return;
  const root = document.documentElement;
  const label = (theme: Theme) => {
    button.ariaLabel = button.getAttribute(`data-label-${theme}`) ?? "";
    button.title = button.ariaLabel;
  };
  let theme: Theme = (root.dataset.theme as Theme | undefined) ?? "system";
  label(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    label(theme);
    storeTheme(theme);
  });
}

function storeTheme(theme: Theme): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  const age = theme === "system" ? 0 : YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and not in every browser
  document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
}
