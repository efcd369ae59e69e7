// Draws islands into the page, or in place of the server's markup once nothing that the user has begun there would be lost.

import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../components/ErrorBoundary";
import { ready } from "../lib/i18n";

/** Resolves when the drawn components listen. */
export function renderInto(container: Element, drawing: (onMount: () => void) => ReactNode): Promise<void> {
  return new Promise((resolve, reject) => createRoot(container, { onUncaughtError: reject }).render(drawing(resolve)));
}

/** The component gets the props that the server wrote next to the region. */
export async function mount<Props extends object>(
  region: HTMLElement,
  Island: (props: Props) => ReactNode,
  mayMount: () => boolean,
): Promise<void> {
  const props = JSON.parse(document.getElementById(region.dataset.props ?? "")?.textContent ?? "") as Props;
  await ready;
  let isFree = false;
  const checkFree = () => {
    isFree ||= mayMount();
    return isFree;
  };
  await renderInto(document.createElement("div"), (onMount) => (
    <WhenFree checkFree={checkFree}>
      {createPortal(
        <Replacing region={region}>
          <ErrorBoundary>
            <Island {...props} />
          </ErrorBoundary>
          <Mounted onMount={onMount} />
        </Replacing>,
        region,
      )}
    </WhenFree>
  ));
}

/** React asks while it draws, and draws in one go: nothing can happen to the server's markup in between. */
function WhenFree({ checkFree, children }: { checkFree: () => boolean; children: ReactNode }) {
  return useSyncExternalStore(subscribeToInput, checkFree) && children;
}

/** Content that takes the place of the server's in a region, without a moment with neither. */
export function Replacing({ region, children }: { region: HTMLElement; children: ReactNode }) {
  const [server] = useState(() => [...region.childNodes]);
  useLayoutEffect(() => {
    const focused = region.contains(document.activeElement) && document.activeElement?.getAttribute("name");
    for (const node of server) node.remove();
    if (focused) region.querySelector<HTMLElement>(`[name="${focused}"]:is(:checked, :not([type="radio"]))`)?.focus();
  }, [region, server]);
  return children;
}

/** The last child, whose effects come after those of the others. */
export function Mounted({ onMount }: { onMount: () => void }) {
  useEffect(onMount, [onMount]);
  return null;
}

function subscribeToInput(onChange: () => void): () => void {
  // Afterwards: during these events the old state still holds.
  const later = () => setTimeout(onChange);
  const events = ["change", "focusout", "pointerup", "pointercancel"];
  for (const type of events) document.addEventListener(type, later);
  return () => {
    for (const type of events) document.removeEventListener(type, later);
  };
}
