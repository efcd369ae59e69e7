// `data-focus`: what the reader must hear first, such as the errors of a form. Links in it lead into the fields themselves.
// A field that the server wants typed into at once comes before the heading, which a message would give the focus.

export function focusWhatMatters(): void {
  const field = document.querySelector<HTMLElement>("form[data-guard] [autofocus]");
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
