// `data-focus`: what must be read first, such as the errors of a form. Links in it move the focus into the fields.
// A field with autofocus takes precedence over the heading, which would get the focus from a message; not one in a dialog
// that is closed.

export function setInitialFocus(): void {
  const fields = [...document.querySelectorAll<HTMLElement>("form[data-guard] [autofocus]")];
  const field = fields.find((each) => !each.closest("[popover]"));
  const first = field ?? document.querySelector<HTMLElement>("[data-focus]");
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
