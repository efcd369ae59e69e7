// How the dialog of the search draws what was found: options in groups, each a link, as the page draws it without a script.

import { splitByWords } from "../lib/marked";
import type { SearchGroup, SearchHit } from "../types/props.gen";

/** What was found, or was opened before. */
export type ResultGroup = Pick<SearchGroup, "name" | "title" | "hits"> & Partial<SearchGroup>;
/** By the options of things, as opposed to those of pages and lists. */
export type Things = WeakMap<Element, SearchHit>;

/** The words of the keyword are marked. */
export function renderGroup(result: ResultGroup, things: Things, keyword: string): HTMLElement {
  const { name, title, hits, count, failed, more } = result;
  const group = element("div", { role: "group", "aria-label": title });
  group.append(element("div", { class: "found-title" }, title));
  for (const hit of hits) {
    const link = option(hit.href);
    if (hit.command) link.dataset.command = hit.command;
    link.append(icon(hit.icon), marked(hit.label, keyword));
    if (hit.details.length) {
      const details = element("small");
      for (const detail of hit.details) details.append(details.firstChild ? " · " : "", marked(detail, keyword));
      link.append(details);
    }
    if (name !== "pages") things.set(link, hit);
    group.append(link);
  }
  if (failed) group.append(element("div", {}, failed));
  if (more) {
    const link = option(more.href);
    link.className = "found-more";
    link.append(more.label);
    if (count) link.append(" ", element("span", { class: "count" }, count));
    group.append(link);
  }
  return group;
}

function marked(text: string, keyword: string): HTMLElement {
  const name = element("bdi", { translate: "no" });
  for (const { text: part, isHit } of splitByWords(text, keyword))
    name.append(isHit ? element("mark", {}, part) : part);
  return name;
}

function option(href: string): HTMLElement {
  return element("a", { role: "option", tabindex: "-1", ...(href && { href }) });
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  text = "",
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.textContent = text;
  return created;
}

/** Return an icon. It is a copy of the opener's: to share a module with the toasts would load a further file. */
export function icon(name: string): Node {
  const svg = document.querySelector("[data-search] svg") as Element;
  const copy = svg.cloneNode(true) as Element;
  const use = copy.firstElementChild;
  use?.setAttribute("href", `${use.getAttribute("href")?.split("#")[0]}#${name}`);
  return copy;
}

/** What an element of each private page knows. */
export function pageData(id: string): DOMStringMap {
  return document.getElementById(id)?.dataset ?? {};
}
