// What a row cuts off at the end of its column is told whole to who points at it.

export function tellWholeTexts(): void {
  document.addEventListener("mouseover", ({ target }) => {
    const cell = (target as Element).closest<HTMLElement>(".table tbody :is(th, td)");
    const text = cell?.querySelector<HTMLElement>("bdi");
    if (!cell || !text) return;
    if (text.scrollHeight > text.clientHeight + 1) cell.title = text.textContent ?? "";
    else cell.removeAttribute("title");
  });
}
