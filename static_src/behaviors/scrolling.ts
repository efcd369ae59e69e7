// A wide table can be scrolled with the keyboard, so it is focusable; a table that fits is not a tab stop.
//
// Without this script every table is a tab stop. Islands may replace tables, and rows may widen them, at any time.

export function focusScrollingTables(): void {
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
