// Behaviors of pages that are left or reloaded: error and maintenance pages, and the plans of bulk actions.

/** `data-back` on a link: goes to the previous page if that was one of ours, otherwise where the link leads. */
export function goBack(): void {
  document.querySelector("a[data-back]")?.addEventListener("click", (event) => {
    if (!document.referrer.startsWith(`${location.origin}/`)) return;
    event.preventDefault();
    history.back();
  });
}

/**
 * `data-back="address"` on a form whose page answers a POST: the browser's Back button would ask whether to send that again.
 * The address replaces it in the history: the list, where the rows are still selected.
 */
export function replacePost(): void {
  const back = document.querySelector<HTMLElement>("form[data-back]")?.dataset.back;
  if (back) history.replaceState(history.state, "", back);
}

/** `data-reload-after="seconds"`: reloads the page after that time, while it is visible. */
export function reloadAfter(): void {
  const seconds = Number(document.querySelector<HTMLElement>("[data-reload-after]")?.dataset.reloadAfter);
  if (!seconds) return;
  setInterval(() => {
    if (!document.hidden) location.reload();
  }, seconds * 1000);
}
