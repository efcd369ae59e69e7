// Behaviors of error and maintenance pages: go back, and reload.

/** `data-back` on a link: goes to the previous page if that was one of ours, otherwise where the link leads. */
export function goBack(): void {
  document.querySelector("a[data-back]")?.addEventListener("click", (event) => {
    if (!document.referrer.startsWith(`${location.origin}/`)) return;
    event.preventDefault();
    history.back();
  });
}

/** `data-reload-after="seconds"`: reloads the page after that time, while it is visible. */
export function reloadAfter(): void {
  const seconds = Number(document.querySelector<HTMLElement>("[data-reload-after]")?.dataset.reloadAfter);
  if (!seconds) return;
  setInterval(() => {
    if (!document.hidden) location.reload();
  }, seconds * 1000);
}
