// The side menu leads back to a list as it was left: searched, filtered, sorted, at its page. The tab stores that until the
// session ends or another administrator logs in. In the list itself, its entry leads to the whole list.
// A form that is left without a change leads back to where the list was scrolled to.

import { TabStorage } from "../lib/storage";
import type { SearchHit } from "../types/props.gen";

export interface Memory {
  readonly sender: string;
  /** The queries of the lists, by their paths. */
  readonly queries?: Readonly<Record<string, string>>;
  /** The address of the list that was left last, and where it was scrolled to. */
  readonly position?: { readonly address: string; readonly top: number } | undefined;
  /** What was opened last from the search of the whole console, which writes this (behaviors/search-memory.ts). */
  readonly opened?: readonly SearchHit[];
}

export function storeListQueries(): void {
  const page = document.documentElement.dataset;
  const { sender } = page;
  if (!sender || read()?.sender !== sender) write(null);
  if (!sender) return;
  const entries = [...document.querySelectorAll<HTMLAnchorElement>(".navigation a")];
  let usesMenu = false;
  if (document.querySelector("section.list, [data-decisions]")) {
    const { position } = read() ?? {};
    // The message of a change, with its Undo, is above the list.
    const hasMessage = document.getElementById("messages") !== null;
    if (!hasMessage && position?.address === address()) scrollTo({ top: position.top, behavior: "instant" });
    const isInMenu = entries.some(({ pathname }) => pathname === location.pathname);
    addEventListener("pagehide", () => {
      if (page.ended !== undefined) return;
      const memory = { ...read(), sender, position: usesMenu ? undefined : { address: address(), top: scrollY } };
      write(isInMenu ? { ...memory, queries: { ...memory.queries, [location.pathname]: query() } } : memory);
    });
  }
  document.addEventListener("click", (event) => {
    const entry = entries.find((each) => each.contains(event.target as Element));
    if (!entry) return;
    usesMenu = true;
    entry.search = entry.pathname === location.pathname ? "" : (read()?.queries?.[entry.pathname] ?? "");
  });
}

function address(): string {
  return `${location.pathname}?${query()}`;
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
    if (memory) sessionStorage.setItem(TabStorage.Memory, JSON.stringify(memory));
    else sessionStorage.removeItem(TabStorage.Memory);
  } catch {
    // Storage is off: the side menu leads to whole lists.
  }
}
