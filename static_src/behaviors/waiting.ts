// What error and waiting pages do: go back, and load again.

/** `data-back` on a link: goes to the page before, if that was one of ours; else where the link leads. */
export function goBack(): void {
  document.querySelector("a[data-back]")?.addEventListener("click", (event) => {
    if (!document.referrer.startsWith(`${location.origin}/`)) return;
    event.preventDefault();
    history.back();
  });
}

/** `data-reload-after="seconds"`: loads the page again after that time, while somebody can see it. */
export function reloadAfter(): void {
  const seconds = Number(document.querySelector<HTMLElement>("[data-reload-after]")?.dataset.reloadAfter);
  if (!seconds) return;
  setInterval(() => {
    if (!document.hidden) location.reload();
  }, seconds * 1000);
}
