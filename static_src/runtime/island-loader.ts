// Loads what an island needs and starts it; if that fails, the server's markup stays and a reload is offered once.

import { preload } from "./chunks";
import { whenNeeded } from "./when-wanted";

/** Specification, section 9. An import can't be aborted, so a late result is ignored. */
export const CHUNK_LIMIT_MS = 120_000;

/** A module below islands/. */
export interface Island {
  /** Takes over a region of the page, which works as HTML until then. */
  readonly start: (region: HTMLElement) => void | Promise<void>;
}

type Load = (island: string) => Promise<Island>;

export function startIslands(page: Document, load: Load): void {
  const leaving = new AbortController();
  window.addEventListener("pagehide", () => leaving.abort());
  for (const region of page.querySelectorAll<HTMLElement>("[data-island]")) {
    trackComposition(region);
    whenNeeded(region, () => void startIsland(region, load, leaving.signal));
  }
}

async function startIsland(region: HTMLElement, load: Load, leaving: AbortSignal): Promise<void> {
  const name = region.dataset.island ?? "";
  try {
    preload(name);
    const island = await withinLimit(withRetry(() => load(name)));
    await island.start(region);
    region.dataset.islandReady = "";
    clearReloaded();
  } catch (error) {
    if (leaving.aborted) return; // a browser gives nothing more to a page that is left
    console.error(error);
    region.dataset.islandFailed = "";
    offerReload(region);
  }
}

/** An island may arrive while a word is being composed (by an input method), and has missed the event. */
function trackComposition(region: HTMLElement): void {
  region.addEventListener("compositionstart", () => region.setAttribute("data-composing", ""), { capture: true });
  region.addEventListener("compositionend", () => region.removeAttribute("data-composing"), { capture: true });
}

/** Current browsers retry a module that failed to load; older ones remember the failure, hence the reload. */
function withRetry<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(load);
}

function withinLimit<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the island's files took too long")), CHUNK_LIMIT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The texts come from the script's own element: the module that translates may be the one that failed to load. */
function offerReload(region: HTMLElement): void {
  const texts = document.querySelector<HTMLElement>("script[data-failed]")?.dataset;
  if (!texts || document.querySelector(".island-notice")) return;
  const notice = document.createElement("div");
  notice.className = "alert island-notice";
  notice.dataset.tone = "warning";
  notice.role = "status";
  const text = document.createElement("p");
  text.className = "alert-text";
  text.textContent = texts.failed ?? "";
  notice.append(text);
  if (!wasReloaded()) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = texts.reload ?? "";
    button.addEventListener("click", () => {
      markReloaded();
      location.reload();
    });
    notice.append(button);
  }
  region.before(notice);
}

const RELOADED = "island-reloaded";

function wasReloaded(): boolean {
  return storage((s) => s.getItem(RELOADED)) === location.pathname;
}

function markReloaded(): void {
  storage((s) => s.setItem(RELOADED, location.pathname));
}

function clearReloaded(): void {
  storage((s) => s.removeItem(RELOADED));
}

/** Storage may be disabled; then the reload is offered each time, and still only done by a click. */
function storage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
