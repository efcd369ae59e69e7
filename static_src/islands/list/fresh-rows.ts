// Rows that have just come to their place: for half a second, a click there was meant for what was there before.

const SETTLE_MS = 500;
const NEVER = Number.NEGATIVE_INFINITY;
/** Pixels: rounding is no move. */
const TOLERANCE = 4;

interface Place {
  readonly top: number;
  /** When the row came there; NEVER for those of the first drawing. */
  readonly since: number;
}

export class FreshRows {
  private places = new Map<string, Place>();
  /** When the controls of a row were last exchanged, in their place. */
  private readonly changes = new Map<string, number>();

  constructor(private readonly section: HTMLElement) {
    this.note(NEVER);
    section.addEventListener("click", (event) => this.guard(event), { capture: true });
  }

  /** Take down where the rows are now. */
  note(now = performance.now()): void {
    const before = this.places;
    this.places = new Map();
    for (const row of this.section.querySelectorAll("tbody tr")) {
      const top = row.getBoundingClientRect().top + scrollY;
      const old = before.get(keyOf(row));
      this.places.set(keyOf(row), old && Math.abs(old.top - top) < TOLERANCE ? old : { top, since: now });
    }
  }

  /** The controls of a row were exchanged. */
  change(row: Element | null | undefined): void {
    if (row) this.changes.set(keyOf(row), performance.now());
  }

  private guard(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest("tbody tr") : null;
    if (!row) return;
    const changed = this.changes.get(keyOf(row)) ?? NEVER;
    // A key acts on what has the focus, wherever that is.
    const moved = (event.detail && this.places.get(keyOf(row))?.since) || NEVER;
    if (performance.now() - Math.max(changed, moved) > SETTLE_MS) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** What its actions lead to names a row. */
function keyOf(row: Element): string {
  const control = row.querySelector("[popovertarget], .row-actions[id]");
  return control?.getAttribute("popovertarget") ?? control?.id ?? "";
}
