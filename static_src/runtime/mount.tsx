// Replaces the server's markup with a component, once nothing that the user has begun there would be lost.

import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../components/ErrorBoundary";
import { ready } from "../lib/i18n";

/** The component gets the props that the server wrote beside the region. */
export async function mount<Props extends object>(
  region: HTMLElement,
  Island: (props: Props) => ReactNode,
  mayMount: () => boolean,
): Promise<void> {
  const props = JSON.parse(document.getElementById(region.dataset.props ?? "")?.textContent ?? "") as Props;
  await ready;
  await until(mayMount);
  const focused = region.contains(document.activeElement) && document.activeElement?.getAttribute("name");
  const root = createRoot(region);
  // Synchronously: nothing can happen to the server's markup after it was checked.
  flushSync(() =>
    root.render(
      <ErrorBoundary>
        <Island {...props} />
      </ErrorBoundary>,
    ),
  );
  if (focused) region.querySelector<HTMLElement>(`[name="${focused}"]:is(:checked, :not([type="radio"]))`)?.focus();
}

function until(mayMount: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const check = () => {
      if (waiting.signal.aborted || !mayMount()) return;
      waiting.abort();
      resolve();
    };
    // Afterwards: during these events the old state still holds.
    const later = () => setTimeout(check);
    for (const type of ["change", "focusout", "pointerup", "pointercancel"]) {
      document.addEventListener(type, later, { signal: waiting.signal });
    }
    check();
  });
}
