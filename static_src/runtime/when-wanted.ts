// When an island's code is worth its bytes: as soon as the region is touched, or before that when the browser is idle.

const TOUCHES = ["pointerdown", "focusin", "keydown"];
/** A busy machine may never be idle. */
const TIMEOUT_MS = 1000;

export function whenNeeded(region: HTMLElement, load: () => void): void {
  if (region.contains(document.activeElement)) {
    load();
    return;
  }
  const waiting = new AbortController();
  const start = () => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    load();
  };
  for (const type of TOUCHES) region.addEventListener(type, start, { signal: waiting.signal, passive: true });
  if (savesData()) return;
  // Safari has no idle callback.
  if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: TIMEOUT_MS });
  else setTimeout(start);
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
