// The focus and the scroll position of a list, while its rows are exchanged.

/** Store the focus, an open menu and how far a wide table is scrolled; the returned function restores them. */
export function keepFocus(section: HTMLElement): () => void {
  const heads = () => [...section.querySelectorAll<HTMLElement>("thead a")];
  const rows = () => [...section.querySelectorAll("tbody tr")];
  const before = document.activeElement;
  const head = heads().indexOf(before as HTMLElement);
  const row = rows().findIndex((each) => each.contains(before));
  const scrolled = section.querySelector(".table-wrap")?.scrollLeft ?? 0;
  const isInside = before !== section && section.contains(before);
  const menu = section.querySelector("tbody :popover-open")?.id ?? "";
  return () => {
    const table = section.querySelector(".table-wrap");
    if (table && scrolled) table.scrollLeft = scrolled;
    // A menu closes when it is taken out of the page. Its button opens it where it belongs.
    if (!document.getElementById(menu)?.matches(":popover-open")) getOpener(menu)?.click();
    if (!isInside) return;
    if (before?.isConnected) {
      // It was put into another row for a moment.
      if (before !== document.activeElement) focus(section, before as HTMLElement);
      return;
    }
    const twin = row < 0 ? null : findTwin(before, section);
    // If its row is gone, the next one is in its place.
    focus(section, heads()[head], twin, ...getControls(twin?.closest("tr") ?? rows()[row]));
  };
}

/** The pressed element may be gone: focus the rows, or the search box if there are none. */
export function showFromItsStart(section: HTMLElement): void {
  focus(section, section.querySelector<HTMLElement>(".table-wrap") ?? section.querySelector("input[type=search]"));
  if (section.getBoundingClientRect().top < 0) section.scrollIntoView();
}

/** The same control of the same row as it is drawn now: what it leads to names the row. */
function findTwin(control: Element | null, section: HTMLElement): HTMLElement | null {
  const name = ["popovertarget", "formaction", "href"].find((each) => control?.hasAttribute(each));
  const value = CSS.escape(control?.getAttribute(name ?? "") ?? "");
  return name ? section.querySelector(`tbody [${name}="${value}"]`) : null;
}

/** The menu button of a row, and its actions, which can have the focus where they are in sight. */
export function getControls(row: Element | null | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(".row-actions :is(a, button)") ?? [])];
}

/** The button of a row's menu, or the cell of actions that are all in sight, by the id of either. */
export function getOpener(menu: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(menu)}"], td#${CSS.escape(menu || "-")}`);
}

export function getRow(menu: string): HTMLTableRowElement | null {
  return getOpener(menu)?.closest("tr") ?? null;
}

/** Focus the first of these that can have the focus: what is not shown can't, a table's box shown as cards neither. */
export function focus(section: HTMLElement, ...targets: (HTMLElement | null | undefined)[]): void {
  for (const target of [...targets, section]) {
    target?.focus({ preventScroll: true });
    if (target && target === document.activeElement) return;
  }
}
