// The counts of the page follow an action: the answer with the rows also has the counts.

import type { Counts } from "../../lib/api";

export async function showCounts({ badges, bell }: Counts): Promise<void> {
  for (const [href, count] of Object.entries(badges)) showBadge(href, count);
  const element = document.querySelector<HTMLElement>("[data-bell]");
  if (element && bell) (await import("../../behaviors/bell")).showBell(element, bell);
}

function showBadge(href: string, count: string): void {
  const entry = document.querySelector(`.navigation li > a[href="${CSS.escape(href)}"]`);
  const badge = entry?.querySelector(".count");
  if (!count) badge?.remove();
  else if (badge) badge.textContent = count;
  else entry?.append(Object.assign(document.createElement("span"), { className: "count", textContent: count }));
}
