// Loads what an island needs and mounts it; if that fails, the server's markup stays and a reload is offered once.

import type { MountModule } from "./mount";
import type { IslandModule, Registry } from "./registry";

/** Specification, section 9. An import can't be aborted, so a late result is ignored. */
export const CHUNK_LIMIT_MS = 120_000;

export interface Runtime {
  readonly dom: () => Promise<typeof import("./react-dom")>;
  readonly mount: () => Promise<MountModule>;
  readonly libraries: readonly (() => Promise<unknown>)[];
}

type AnyRegistry = Readonly<Record<string, () => Promise<IslandModule<never>>>>;

/** Settles when each island of the page is mounted or has been given up. */
export async function startIslands(page: Document, registry: Registry, runtime: Runtime): Promise<void> {
  const regions = [...page.querySelectorAll<HTMLElement>("[data-island]")];
  await Promise.all(regions.map((region) => startIsland(region, registry, runtime)));
}

async function startIsland(region: HTMLElement, registry: AnyRegistry, runtime: Runtime): Promise<void> {
  try {
    const load = registry[region.dataset.island ?? ""];
    if (!load) throw new Error(`no island is called ${region.dataset.island}`);
    const [dom, { mount }, island] = await withinLimit(
      Promise.all([again(runtime.dom), again(runtime.mount), again(load), ...runtime.libraries.map(again)]),
    );
    await mount(dom.createRoot, region, island, propsOf(region));
    forgetReload();
  } catch (error) {
    console.error(error);
    region.dataset.islandFailed = "";
    offerReload(region);
  }
}

/** Current browsers retry a module that failed to load; older ones remember the failure, hence the reload. */
function again<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(load);
}

function withinLimit<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the island's files took too long")), CHUNK_LIMIT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The props that the server wrote next to the region; the type check of the registry guarantees their shape. */
function propsOf(region: HTMLElement): never {
  return JSON.parse(document.getElementById(region.dataset.props ?? "")?.textContent ?? "") as never;
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
      rememberReload();
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

function rememberReload(): void {
  storage((s) => s.setItem(RELOADED, location.pathname));
}

function forgetReload(): void {
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
