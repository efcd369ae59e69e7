// The bar of a list has buttons for what only some rows have (`data-of-row`): they are shown where a selected row has it. Where
// all that match are selected, or it is not known what a selected row has, the server has said what may be.

import { PageEvent } from "../../lib/events";

export function showFittingActions(section: HTMLElement): void {
  const form = document.querySelector<HTMLFormElement>("form[data-selection]");
  const buttons = [...(form?.querySelectorAll<HTMLElement>("[data-of-row]") ?? [])];
  if (!form || buttons.length === 0) return;
  const all = form.elements.namedItem("all") as HTMLInputElement;
  const paths = buttons.map(getRowAction);
  /** Those of the list as the server drew it. */
  const initial = buttons.filter(({ hidden }) => !hidden).map(getRowAction);
  const key = `fitting:${form.dataset.selection}`;
  /** What the selected rows have, by their IDs; stored, because rows of other pages are not here. */
  const rows = new Map(read(key));

  function getActions(box: HTMLElement): string[] {
    const actions = box.closest("tr")?.querySelector(".row-actions");
    return paths.filter((path) => actions?.querySelector(`[href$="${path}"], [formaction$="${path}"]`));
  }

  function show(): void {
    if (form?.hidden) rows.clear();
    for (const box of section.querySelectorAll<HTMLInputElement>("tbody [name=id]")) {
      if (box.checked) rows.set(box.value, getActions(box));
      else rows.delete(box.value);
    }
    write(key, [...rows]);
    const fits = section.dataset.selectionFits?.split(" ") ?? initial;
    const offered = all.checked || rows.size === 0 ? fits : [...rows.values()].flat();
    for (const button of buttons) button.hidden = !offered.includes(getRowAction(button));
  }

  for (const event of ["change", "click"]) document.addEventListener(event, show);
  // The rows that were drawn are not ticked yet (behaviors/selection.ts).
  document.addEventListener(PageEvent.ListRendered, () => setTimeout(show));
  show();
}

/** The action of a row that a button does to many. */
function getRowAction(button: HTMLElement): string {
  return button.dataset.ofRow ?? "";
}

function read(key: string): [string, string[]][] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as [string, string[]][];
  } catch {
    return [];
  }
}

function write(key: string, rows: readonly unknown[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(rows));
  } catch {
    // Storage is off: it is known as long as the page lives.
  }
}
