// `data-focus`: what must be read first, such as the errors of a form. Links in it move the focus into the fields.
// Next comes a field with autofocus, not one in a dialog that is closed, then the heading, which a message gives the focus.
// A tab that was opened by keyboard has the focus in its page, too: the address says so.

export function setInitialFocus(): void {
  document.querySelector(".tabs")?.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (link && !(event as MouseEvent).detail) link.hash = "tab";
  });
  const tab = location.hash === "#tab" ? ",.tabs [aria-current]" : "";
  const parts = [...document.querySelectorAll<HTMLElement>(`[data-guard] [autofocus],[data-focus]${tab}`)];
  const first = parts.find((each) => !each.closest("[popover],h1")) ?? parts[0];
  if (!first) return;
  first.focus();
  first.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    const field = link && document.getElementById(link.hash.slice(1));
    if (!field) return;
    event.preventDefault();
    field.focus();
  });
}
