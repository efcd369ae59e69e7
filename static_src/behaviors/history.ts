// A page that comes back from the history.

/** A private page that comes back from the history cache is read again: it would show old data, or a closed session's. */
export function reloadFromHistory(): void {
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && document.documentElement.hasAttribute("data-private")) location.reload();
  });
}
