// Where somebody is in a list, while its rows are drawn by somebody else than before.

/** Remember the focus and how far a wide table is scrolled; the returned function restores them. */
export function keepPlace(section: HTMLElement): () => void {
  const heads = () => [...section.querySelectorAll<HTMLElement>("thead a")];
  const before = document.activeElement;
  const head = heads().indexOf(before as HTMLElement);
  const left = section.querySelector(".table-wrap")?.scrollLeft ?? 0;
  const isInside = before !== section && section.contains(before);
  return () => {
    if (left) section.querySelector(".table-wrap")?.scrollTo({ left });
    if (isInside && !before?.isConnected) focus(heads()[head], section);
  };
}

/** The pressed element may be gone: focus the rows, or the search box if there are none. */
export function showFromItsStart(section: HTMLElement): void {
  focus(section.querySelector<HTMLElement>(".table-wrap") ?? section.querySelector("input[type=search]"), section);
  if (section.getBoundingClientRect().top < 0) section.scrollIntoView();
}

function focus(target: HTMLElement | null | undefined, section: HTMLElement): void {
  target?.focus({ preventScroll: true });
  // Shown as cards, the table has no box and can't get the focus.
  if (!target || target !== document.activeElement) section.focus({ preventScroll: true });
}
