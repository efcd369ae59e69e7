// Replaces the server's markup with an island, and carries over what the user has started there.

import { Component, type ReactNode } from "react";
import { flushSync } from "react-dom";
import type { createRoot } from "react-dom/client";
import { Failed } from "../components/Failed";
import { gettext, ready } from "./i18n";
import { createQueryClient, QueryClientProvider } from "./query";
import type { IslandModule } from "./registry";
import { remember } from "./typed";

export interface MountModule {
  readonly mount: typeof mount;
}

/** Milliseconds between two checks whether the pointer has been released. */
const PAUSE_MS = 100;

/** One cache for all islands of a page; a new page is a new document, so it starts empty (conformance RT-36). */
const client = createQueryClient();

export async function mount<Props extends object>(
  create: typeof createRoot,
  region: HTMLElement,
  { default: Island, mayMount }: IslandModule<Props>,
  props: Props,
): Promise<void> {
  await ready;
  if (mayMount) await until(region, mayMount);
  await letGo(region);
  const root = create(region);
  const restore = remember(region);
  // Synchronously: nothing can be typed into the server's markup after it was captured.
  flushSync(() =>
    root.render(
      <QueryClientProvider client={client}>
        <ErrorBoundary>
          <Island {...props} />
        </ErrorBoundary>
      </QueryClientProvider>,
    ),
  );
  restore();
  region.dataset.islandReady = "";
}

function until(region: HTMLElement, mayMount: (region: HTMLElement) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!mayMount(region)) return;
      region.removeEventListener("change", check);
      resolve();
    };
    region.addEventListener("change", check);
    check();
  });
}

/** Wait while something is pressed or a menu is open in the region, which the island would remove. */
async function letGo(region: HTMLElement): Promise<void> {
  while (region.querySelector(":active, :popover-open")) await new Promise((done) => setTimeout(done, PAUSE_MS));
}

/** An island that fails to render says so in place; the rest of the page keeps working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Failed
        text={gettext("This part of the page stopped working.")}
        onRetry={() => this.setState({ failed: false })}
      />
    );
  }
}
