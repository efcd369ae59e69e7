// The side menu leads back to a list as its reader left it: searched, filtered, sorted, at its page. The tab stores that
// until the session ends or another administrator logs in. In the list itself, its entry leads to the whole list. What a
// link of another page filtered, such as one of the home page, is not stored unless the reader goes on from there.

import { TabStorage } from "../lib/storage";
import type { SearchHit } from "../types/props.gen";

export interface Memory {
  readonly sender: string;
  /** The queries of the lists, by their paths. */
  readonly queries?: Readonly<Record<string, string>>;
  /** What was opened last from the search of the whole console, which writes this (behaviors/search-memory.ts). */
  readonly opened?: readonly SearchHit[];
}

export function storeListQueries(): void {
  const page = document.documentElement.dataset;
  const { pathname } = location; // read once: a plan changes its address to that of its list (waiting.ts)
  const { sender } = page;
  if (!sender || read()?.sender !== sender) write(null);
  if (!sender) return;
  /** Null for the whole list, which is always stored. */
  const linked = query() || null;
  const entries = document.querySelectorAll<HTMLAnchorElement>(".navigation a");
  if ([...entries].some((entry) => entry.pathname === pathname)) {
    addEventListener("pagehide", () => {
      if (page.ended === undefined && query() !== linked)
        write({ ...read(), sender, queries: { ...read()?.queries, [pathname]: query() } });
    });
  }
  document.addEventListener("click", (event) => {
    const entry = (event.target as Element).closest<HTMLAnchorElement>(".navigation a");
    if (entry) entry.search = entry.pathname === pathname ? "" : (read()?.queries?.[entry.pathname] ?? "");
  });
}

/** The query of the list, without the language and the user in the side panel. */
function query(): string {
  const params = new URLSearchParams(location.search);
  params.delete("lng");
  params.delete(document.querySelector<HTMLElement>("[data-panel]")?.dataset.panel ?? "");
  return params.toString();
}

function read(): Memory | null {
  try {
    return JSON.parse(sessionStorage.getItem(TabStorage.Memory) ?? "null");
  } catch {
    return null;
  }
}

function write(memory: Memory | null): void {
  try {
    sessionStorage.setItem(TabStorage.Memory, JSON.stringify(memory));
  } catch {
    // Storage is off: the side menu leads to whole lists.
  }
}
