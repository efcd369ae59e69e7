// The number at the bell: asked for once a minute at most, and never by a hidden tab. Loaded a minute after the page.

import { ask } from "../lib/api";

const POLL_INTERVAL_MS = 60_000;
const TIMEOUT_MS = 5_000;

interface Bell {
  /** Empty for none. */
  readonly count: string;
  /** The same in words, for screen readers. */
  readonly label: string;
}

/** Ask now if the tab is visible, else once it is; then once a minute. */
export function pollUnread(): void {
  const bell = document.querySelector<HTMLElement>("[data-bell]");
  if (!bell) return;
  if (document.hidden) document.addEventListener("visibilitychange", pollUnread, { once: true });
  else void refresh(bell).then(() => setTimeout(pollUnread, POLL_INTERVAL_MS));
}

async function refresh(bell: HTMLElement): Promise<void> {
  try {
    const { item } = await ask<Bell>(bell.dataset.bell ?? "", AbortSignal.timeout(TIMEOUT_MS));
    if (item) showBell(bell, item);
  } catch {
    // The number stays as it is.
  }
}

export function showBell(bell: HTMLElement, { count, label }: Bell): void {
  bell.setAttribute("aria-label", label);
  const number = bell.querySelector(".count");
  if (number) number.textContent = count;
}
