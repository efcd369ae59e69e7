// The number at the bell: asked for once a minute at most, and never by a hidden tab. Loaded a minute after the page.

import { ask } from "../lib/api";
import { PageEvent } from "../lib/events";
import type { BellCount } from "./counts";

const EVERY_MS = 60_000;
const PATIENCE_MS = 5_000;

/** Ask now if the tab is visible, else once it is; then after each further minute likewise. */
export function ring(): void {
  const bell = document.querySelector<HTMLElement>("[data-bell]");
  if (!bell) return;
  if (document.hidden) document.addEventListener("visibilitychange", ring, { once: true });
  else void refresh(bell.dataset.bell ?? "").then(() => setTimeout(ring, EVERY_MS));
}

async function refresh(url: string): Promise<void> {
  try {
    const { item: bell } = await ask<BellCount>(url, AbortSignal.timeout(PATIENCE_MS));
    document.dispatchEvent(new CustomEvent(PageEvent.Counted, { detail: { bell } }));
  } catch {
    // The number stays as it is.
  }
}
