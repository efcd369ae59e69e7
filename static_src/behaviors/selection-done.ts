// The result of a bulk action, on its page or in a message above a list: what was selected for it is selected no more.

/** Where the selected rows of a list are stored. */
export function getKey(list: string): string {
  return `selection:${list}`;
}

export function clearSelection(): void {
  // A result that is opened again: other rows may have been selected since.
  const [opening] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (opening?.type === "back_forward" || opening?.type === "reload") return;
  const list = document.querySelector<HTMLElement>("[data-selection-done]")?.dataset.selectionDone;
  try {
    if (list) sessionStorage.removeItem(getKey(list));
  } catch {
    // Storage is off: nothing was kept.
  }
}
