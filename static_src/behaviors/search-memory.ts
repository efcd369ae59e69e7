// What was opened last from the search. The tab stores it with the queries of lists, until the session ends or another
// administrator logs in (behaviors/list-memory.ts, behaviors/session-dialog.ts).

import { TabStorage } from "../lib/storage";
import type { SearchHit } from "../types/props.gen";
import type { Memory } from "./list-memory";

const MAX_OPENED = 5;

/** The last first; nothing where the session has ended. */
export function readOpened(): SearchHit[] {
  const opened = memory()?.opened;
  return Array.isArray(opened) ? opened : [];
}

export function storeOpened(hit: SearchHit): void {
  const stored = memory();
  const opened = [hit, ...readOpened().filter(({ href }) => href !== hit.href)].slice(0, MAX_OPENED);
  try {
    if (stored) sessionStorage.setItem(TabStorage.Memory, JSON.stringify({ ...stored, opened }));
  } catch {
    // Storage is off: nothing is remembered.
  }
}

/** What the tab stores for the administrator; null where the session has ended. */
function memory(): Memory | null {
  const { sender = "", ended } = document.documentElement.dataset;
  if (ended !== undefined) return null;
  try {
    const stored: Memory | null = JSON.parse(sessionStorage.getItem(TabStorage.Memory) ?? "null");
    if (stored?.sender === sender) return stored;
  } catch {
    // As above, or it is none of ours.
  }
  return { sender };
}
