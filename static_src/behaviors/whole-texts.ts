// What a row cuts off at the end of its column, or a chip at its end, is shown in full to those who point at it.

export function showFullTexts(): void {
  document.addEventListener("mouseover", ({ target }) => {
    const cell = (target as Element).closest<HTMLElement>(".table tbody :is(th, td), .chips li");
    const text = cell?.querySelector<HTMLElement>("bdi, li > span");
    if (!cell || !text) return;
    if (text.scrollHeight > text.clientHeight + 1 || text.scrollWidth > text.clientWidth)
      cell.title = text.textContent ?? "";
    else cell.removeAttribute("title");
  });
}
