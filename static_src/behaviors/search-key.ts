// Single keys: "/" goes to the search box of the page (`data-search-key`), "?" shows the list of keys (`#keys`). They do
// nothing while somebody types, or when they are turned off in that list (WCAG 2.1.4).

const STORAGE_KEY = "shortcuts";
const OFF = "off";

export function obeySingleKeys(): void {
  const list = document.getElementById("keys");
  const obeyed = list?.querySelector("input");
  if (!list || !obeyed) return;
  for (const opener of document.querySelectorAll<HTMLElement>("[data-keys]")) opener.hidden = false;
  obeyed.checked = stored() !== OFF;
  obeyed.addEventListener("change", () => store(obeyed.checked ? "on" : OFF));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || stored() === OFF) return;
    const typing = (event.target as Element | null)?.closest?.("input, textarea, select, [contenteditable], dialog");
    const search = document.querySelector<HTMLInputElement>("[data-search-key]");
    if (typing?.checkVisibility() || !(event.key === "?" || (event.key === "/" && search))) return;
    event.preventDefault();
    if (event.key === "?") list.showPopover();
    else focus(search);
  });
}

function focus(search: HTMLInputElement | null): void {
  search?.focus();
  search?.select();
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
