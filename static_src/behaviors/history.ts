// A page that comes back from the history.

/**
 * Reload a private page that comes back from the history cache: it could show old data, or that of a closed session. It is
 * hidden when it is left, because it would be seen until the reload.
 */
export function reloadFromHistory(): void {
  const { dataset, style } = document.documentElement;
  if (dataset.private === undefined) return;
  window.addEventListener("pagehide", () => {
    style.visibility = "hidden";
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}
