// What a row cuts off at the end of its column, or a chip at its end, is shown in full: as a tooltip to a mouse, and in
// the row itself to the keyboard and to a finger, which have no tooltips.

export function showFullTexts(): void {
  document.addEventListener("mouseover", ({ target }) => {
    const cell = (target as Element).closest<HTMLElement>(".table tbody :is(th, td), .chips li");
    const texts = cell ? getTexts(cell) : [];
    if (!cell || texts.length === 0) return;
    if (texts.some(isCut)) cell.title = texts.map((text) => text.textContent).join("\n");
    else cell.removeAttribute("title");
  });
  document.addEventListener("focusin", ({ target }) => {
    if ((target as Element).matches(":focus-visible")) expand(target as Element);
  });
  document.addEventListener("click", (event) => {
    if ((event as PointerEvent).pointerType === "touch") expand(event.target as Element);
  });
}

/** One row at a time; without a cut text it stays as it is. */
function expand(target: Element): void {
  const row = target.closest<HTMLElement>(".table tbody tr");
  if (row?.dataset.expanded !== undefined) return;
  document.querySelector("tr[data-expanded]")?.removeAttribute("data-expanded");
  if (row && getTexts(row).some(isCut)) row.dataset.expanded = "";
}

function getTexts(part: Element): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>("bdi, li > span")];
}

function isCut(text: HTMLElement): boolean {
  return text.scrollHeight > text.clientHeight + 1 || text.scrollWidth > text.clientWidth;
}
