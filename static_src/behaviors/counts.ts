// What waits, in numbers: those of the navigation and of the bell follow what an answer tells.

import { PageEvent } from "../lib/events";

export interface BellCount {
  /** Empty for none. */
  readonly count: string;
  /** The same in words, for who does not see it. */
  readonly label: string;
}

interface Counts {
  /** By the addresses of the navigation's entries. */
  readonly badges?: Readonly<Record<string, number>>;
  readonly bell?: BellCount | null;
}

export function keepCounts(): void {
  document.addEventListener(PageEvent.Counted, (event) => {
    const { badges, bell } = (event as CustomEvent<Counts>).detail;
    for (const [href, count] of Object.entries(badges ?? {})) showBadge(href, count);
    if (bell) showBell(bell);
  });
}

function showBadge(href: string, count: number): void {
  const entry = document.querySelector(`.navigation li > a[href="${CSS.escape(href)}"]`);
  const badge = entry?.querySelector(".count");
  if (!count) badge?.remove();
  else if (badge) badge.textContent = String(count);
  else entry?.append(Object.assign(document.createElement("span"), { className: "count", textContent: String(count) }));
}

function showBell({ count, label }: BellCount): void {
  const bell = document.querySelector("[data-bell]");
  const badge = bell?.querySelector(".count");
  bell?.setAttribute("aria-label", label);
  if (badge) badge.textContent = count;
}
