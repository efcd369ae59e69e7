// The bar of a list has buttons for what only some rows have (`data-of-row`): they are shown where a selected row has it. Where
// all that match are selected, or it is not known what a selected row has, the server has said what may be.

import { PageEvent } from "../../lib/events";

export function offerWhatFits(section: HTMLElement): void {
  const form = document.querySelector<HTMLFormElement>("form[data-selection]");
  const buttons = [...(form?.querySelectorAll<HTMLElement>("[data-of-row]") ?? [])];
  if (form && buttons.length > 0) new Fitting(form, buttons, section);
}

class Fitting {
  private readonly paths: readonly string[];
  /** Those of the list as the server drew it. */
  private readonly drawn: readonly string[];
  private readonly key: string;
  /** What the selected rows have, by their IDs; kept, because rows of other pages are not here. */
  private readonly rows: Map<string, readonly string[]>;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly buttons: readonly HTMLElement[],
    private readonly section: HTMLElement,
  ) {
    this.paths = buttons.map(ofRow);
    this.drawn = buttons.filter(({ hidden }) => !hidden).map(ofRow);
    this.key = `fitting:${form.dataset.selection}`;
    this.rows = new Map(read(this.key));
    for (const event of ["change", "click"]) document.addEventListener(event, () => this.show());
    // The rows that were drawn are not ticked yet (behaviors/selection.ts).
    document.addEventListener(PageEvent.ListDrawn, () => setTimeout(() => this.show()));
    this.show();
  }

  private show(): void {
    if (this.form.hidden) this.rows.clear();
    for (const box of this.section.querySelectorAll<HTMLInputElement>("tbody [name=id]")) {
      if (box.checked) this.rows.set(box.value, this.actionsOf(box));
      else this.rows.delete(box.value);
    }
    write(this.key, [...this.rows]);
    const isAll = (this.form.elements.namedItem("all") as HTMLInputElement).checked;
    const found = isAll || this.rows.size === 0 ? this.told() : [...this.rows.values()].flat();
    for (const button of this.buttons) button.hidden = !found.includes(ofRow(button));
  }

  private actionsOf(box: HTMLElement): string[] {
    const actions = box.closest("tr")?.querySelector(".row-actions");
    return this.paths.filter((path) => actions?.querySelector(`[href$="${path}"], [formaction$="${path}"]`));
  }

  private told(): readonly string[] {
    return this.section.dataset.selectionFits?.split(" ") ?? this.drawn;
  }
}

/** The action of a row that a button does to many. */
function ofRow(button: HTMLElement): string {
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
