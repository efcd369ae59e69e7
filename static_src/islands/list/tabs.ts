// The tabs of a list stand in the head of its page, and are the server's. They keep what is asked of the list beside them.

import type { Tab } from "../../types/props.gen";
import { element, setAttribute } from "./dom";

type Shown = Pick<Tab, "href" | "count" | "is_current">;

export function tabsInHead(): Shown[] {
  return links().map((link) => ({
    href: link.getAttribute("href") ?? "",
    count: link.querySelector(".count")?.textContent ?? "",
    is_current: link.hasAttribute("aria-current"),
  }));
}

/** An answer without tabs leaves them as they are: some lists have them only after an act, which may have changed a count. */
export function showTabs(tabs: readonly Shown[]): void {
  if (tabs.length === 0) return;
  for (const [place, link] of links().entries()) {
    const { href = "", count = "", is_current } = tabs[place] ?? {};
    setAttribute(link, "href", href);
    setAttribute(link, "aria-current", is_current ? "page" : "");
    const shown = link.querySelector(".count") ?? element("span", { class: "count" });
    shown.textContent = count;
    if (count) link.append(shown);
  }
}

function links(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("[data-list-tabs] a")];
}
