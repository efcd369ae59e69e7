// Rows that have just come under the pointer: for half a second, a click there was meant for what was there before.

const GUARD_MS = 500;
const NEVER = Number.NEGATIVE_INFINITY;
/** Pixels: rounding is no move. */
const TOLERANCE = 4;

interface Position {
  readonly top: number;
  /** When the row came under the pointer; NEVER for those of the first drawing, and for those elsewhere. */
  readonly since: number;
}

export interface RowGuard {
  /** Note where the rows are now. */
  readonly note: () => void;
  /** The controls of a row were exchanged. */
  readonly change: (row: Element | null | undefined) => void;
}

/** `pressed`: where the pointer was last. */
export function guardRows(section: HTMLElement, pressed?: Element): RowGuard {
  let positions = new Map<string, Position>();
  /** When the controls of a row were last exchanged, in their place. */
  const changes = new Map<string, number>();
  const box = pressed?.getBoundingClientRect();
  let pointer = box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : { x: -1, y: -1 };

  function note(now = performance.now()): void {
    const before = positions;
    positions = new Map();
    for (const row of section.querySelectorAll("tbody tr")) {
      const key = getKey(row);
      if (!key) continue;
      const box = row.getBoundingClientRect();
      const { x, y } = pointer;
      const isHit = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      const top = box.top + scrollY;
      const old = before.get(key);
      const isSame = old && Math.abs(old.top - top) < TOLERANCE;
      positions.set(key, isSame ? old : { top, since: isHit ? now : NEVER });
    }
  }

  function guard(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest("tbody tr") : null;
    if (!row || !getKey(row)) return;
    const changed = changes.get(getKey(row)) ?? NEVER;
    // A key acts on what has the focus, wherever that is.
    const moved = (event.detail && positions.get(getKey(row))?.since) || NEVER;
    if (performance.now() - Math.max(changed, moved) > GUARD_MS) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function follow({ clientX, clientY }: PointerEvent): void {
    pointer = { x: clientX, y: clientY };
  }

  note(NEVER);
  section.addEventListener("click", guard, { capture: true });
  for (const event of ["pointermove", "pointerdown"] as const)
    document.addEventListener(event, follow, { capture: true, passive: true });
  return { note: () => note(), change: (row) => row && changes.set(getKey(row), performance.now()) };
}

/** What its actions lead to names a row. */
function getKey(row: Element): string {
  const control = row.querySelector("[popovertarget], .row-actions[id]");
  return control?.getAttribute("popovertarget") ?? control?.id ?? "";
}
