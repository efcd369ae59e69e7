// Toasts are loaded with the first thing to show: most pages have none.

import { PageEvent } from "../lib/events";
import type { Toast } from "../lib/toasts";

/** Show the toasts of islands, from the first one on. */
export function loadToastsWhenNeeded(): void {
  const early: Toast[] = [];
  const collect = (event: Event) => {
    early.push((event as CustomEvent<Toast>).detail);
    if (early.length > 1) return;
    void import("./toasts").then(async (m) => {
      await m.loadSheet();
      document.removeEventListener(PageEvent.Toast, collect);
      m.showToasts(early);
    });
  };
  document.addEventListener(PageEvent.Toast, collect);
}
