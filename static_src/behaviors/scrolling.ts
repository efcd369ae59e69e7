// A wide table is scrolled with the keyboard, so it takes the focus; where nothing is hidden it is no stop on the way.
//
// Without this script each table is a stop. Islands replace tables, and rows may widen them, at any time.

export function stopWhereTablesScroll(): void {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest<HTMLElement>(".table-wrap");
      if (box) box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
    }
  });
  const watch = () => {
    for (const part of document.querySelectorAll(".table-wrap, .table-wrap > .table")) sizes.observe(part);
  };
  new MutationObserver(watch).observe(document.querySelector("main") ?? document.body, {
    childList: true,
    subtree: true,
  });
  watch();
}
