// The tabs of a list stand in the head of its page, and are the server's. They keep what is asked of the list beside them.

import type { Tab } from "../../types/props.gen";
import { find, setAttribute } from "./dom";

type Shown = Pick<Tab, "href" | "count" | "is_current">;

export function tabsInHead(): Shown[] {
  return links().map((link) => ({
    href: link.getAttribute("href") ?? "",
    count: find(link, ".count").textContent ?? "",
    is_current: link.hasAttribute("aria-current"),
  }));
}

export function showTabs(tabs: readonly Shown[]): void {
  for (const [place, link] of links().entries()) {
    const { href = "", count = "", is_current } = tabs[place] ?? {};
    setAttribute(link, "href", href);
    setAttribute(link, "aria-current", is_current ? "page" : "");
    find(link, ".count").textContent = count;
  }
}

function links(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("[data-list-tabs] a")];
}
