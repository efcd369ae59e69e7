// A page that comes back from the history.

/** Reload a private page that comes back from the history cache: it could show old data, or that of a closed session. */
export function reloadFromHistory(): void {
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && document.documentElement.hasAttribute("data-private")) location.reload();
  });
}
