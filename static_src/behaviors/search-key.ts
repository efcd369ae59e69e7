// Single keys: "/" goes to the search box of the page (`data-search-key`), F8 to the newest toast, its action first, or else
// to a message in the page, or to what can be done with the selected rows, if these were selected later (`data-later`,
// behaviors/selection.ts) or there is neither. "?" shows the list of keys (`#keys`). They do nothing in text fields,
// except F8, or when they are turned off in that list (WCAG 2.1.4). Browsers and screen readers leave these keys to pages;
// letters are taken by screen readers, and F6 by browsers.

const STORAGE_KEY = "shortcuts";
const OFF = "off";
const TYPING = "input:not([type=checkbox], [type=radio]), textarea, select, dialog";
const SELECTORS: Readonly<Record<string, readonly string[]>> = {
  "/": ["[data-search-key]"],
  F8: [
    "[data-later] :is(.bulk-open, [formaction])",
    "[data-newest] button",
    ".alert[tabindex]",
    "[data-selection] :is(.bulk-open, [formaction])",
  ],
};

export function initShortcuts(): void {
  const list = document.getElementById("keys");
  const checkbox = list?.querySelector("input");
  if (!list || !checkbox) return;
  for (const opener of document.querySelectorAll<HTMLElement>("[data-keys]")) opener.hidden = false;
  checkbox.checked = stored() !== OFF;
  checkbox.addEventListener("change", () => store(checkbox.checked ? "on" : OFF));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || stored() === OFF) return;
    const typing = (event.target as Element | null)?.closest?.(event.key === "F8" ? "dialog" : TYPING);
    const targets = SELECTORS[event.key]?.flatMap((target) => [...document.querySelectorAll<HTMLElement>(target)]);
    const target = targets?.find((each) => each.checkVisibility());
    if (typing?.checkVisibility() || !(event.key === "?" || target)) return;
    event.preventDefault();
    if (target) target.focus();
    else list.showPopover();
    (target as Partial<HTMLInputElement> | undefined)?.select?.();
  });
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null; // storage is disabled
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, value);
  } catch {
    // storage is disabled
  }
}
