// Rows that have just come under the pointer: for half a second, a click there was meant for what was there before.

const SETTLE_MS = 500;
const NEVER = Number.NEGATIVE_INFINITY;
/** Pixels: rounding is no move. */
const TOLERANCE = 4;

interface Place {
  readonly top: number;
  /** When the row came under the pointer; NEVER for those of the first drawing, and for those elsewhere. */
  readonly since: number;
}

export class FreshRows {
  private places = new Map<string, Place>();
  /** When the controls of a row were last exchanged, in their place. */
  private readonly changes = new Map<string, number>();
  private pointer: { x: number; y: number };

  /** `pressed`: where the pointer was last. */
  constructor(
    private readonly section: HTMLElement,
    pressed?: Element,
  ) {
    const box = pressed?.getBoundingClientRect();
    this.pointer = box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: -1, y: -1 };
    this.note(NEVER);
    section.addEventListener("click", (event) => this.guard(event), { capture: true });
    for (const event of ["pointermove", "pointerdown"] as const)
      document.addEventListener(
        event,
        ({ clientX, clientY }) => {
          this.pointer = { x: clientX, y: clientY };
        },
        { capture: true, passive: true },
      );
  }

  /** Take down where the rows are now. */
  note(now = performance.now()): void {
    const before = this.places;
    this.places = new Map();
    for (const row of this.section.querySelectorAll("tbody tr")) {
      if (!keyOf(row)) continue;
      const box = row.getBoundingClientRect();
      const { x, y } = this.pointer;
      const isHit = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      const top = box.top + scrollY;
      const old = before.get(keyOf(row));
      const isSame = old && Math.abs(old.top - top) < TOLERANCE;
      this.places.set(keyOf(row), isSame ? old : { top, since: isHit ? now : NEVER });
    }
  }

  /** The controls of a row were exchanged. */
  change(row: Element | null | undefined): void {
    if (row) this.changes.set(keyOf(row), performance.now());
  }

  private guard(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest("tbody tr") : null;
    if (!row || !keyOf(row)) return;
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
