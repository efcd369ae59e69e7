// What has to do with going back and with loading again.

/** A private page that comes back from the history cache is read again: it would show old data, or a closed session's. */
export function reloadFromHistory(): void {
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && document.documentElement.hasAttribute("data-private")) location.reload();
  });
}

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
