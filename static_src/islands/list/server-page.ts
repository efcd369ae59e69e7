// The server's markup around a list: found once, and changed by each answer.

import type { ListView, Progress, Tab } from "../../types/props.gen";
import { element, find, setAttribute } from "./dom";
import { getHiddenFields, type Pairs } from "./search-form";

const NOTICE = "[data-notice]";

type TabState = Pick<Tab, "href" | "count" | "is_current">;

/** What the page says about its list outside of the rows. */
interface Summary {
  readonly range: string;
  readonly sorting: string;
  /** Why the server did not search. */
  readonly error: string;
  readonly notices: readonly string[];
  readonly facts: readonly string[];
  readonly tabs: readonly TabState[];
  /** How much of what the list is for is done: null where that is not known, undefined for what the server drew. */
  readonly progress: Progress | null | undefined;
  readonly filters: number;
  readonly selectionQuery: string;
  readonly selectionFits: string;
}

export interface ServerPage {
  readonly section: HTMLElement;
  readonly form: HTMLFormElement;
  readonly box: HTMLInputElement;
  /** The place of messages about the keyword. */
  readonly keywordMessage: HTMLElement;
  /** The server's rows. */
  readonly results: HTMLElement;
  /** A place for errors, above the rows. */
  readonly problems: HTMLElement;
  /** The form of the actions of rows. */
  readonly actions: HTMLFormElement | null;
  readonly columns: HTMLFormElement | null;
  /** What the form carried without showing it. */
  readonly hidden: Pairs;
  readonly summary: Summary;
}

export function readPage(section: HTMLElement): ServerPage {
  const form = find<HTMLFormElement>(section, "form");
  const keywordMessage = find(section, ".search-message");
  const results = find(section, "[data-results]");
  const error = keywordMessage.textContent?.trim() ?? "";
  const actions = document.getElementById(`act-${section.dataset.list}`);
  const problems = element("div");
  results.before(problems);
  return {
    section,
    form,
    box: find(section, "input[type=search]"),
    keywordMessage,
    results,
    problems,
    actions: actions instanceof HTMLFormElement ? actions : null,
    columns: section.querySelector<HTMLFormElement>("[data-columns]"),
    hidden: getHiddenFields(form),
    summary: {
      range: getText(results.querySelector(".list-status")),
      sorting: results.dataset.sorting ?? "",
      error,
      notices: [...results.querySelectorAll(NOTICE)].map(getText),
      facts: factsInHead(),
      tabs: tabsInHead(),
      progress: undefined,
      filters: results.querySelectorAll(".chips > li").length,
      selectionQuery: "",
      selectionFits: "",
    },
  };
}

export function summarize(list: ListView): Summary {
  const { rows, pager, empty, sorting, search, notices, facts, tabs, progress = null, chips } = list;
  return {
    range: rows.length > 0 ? pager.range : empty.title,
    sorting: rows.length > 0 ? sorting : "",
    error: search.error,
    notices: notices.map(({ text, remove_label }) => `${text} ${remove_label}`),
    facts,
    tabs,
    progress,
    filters: chips.length,
    selectionQuery: list.selection_query ?? "",
    selectionFits: list.selection_fits ?? "",
  };
}

export function showInPage({ section, form }: ServerPage, summary: Summary): void {
  const { range, filters, notices, facts, tabs, progress } = summary;
  setAttribute(section, "data-selection-query", summary.selectionQuery);
  setAttribute(section, "data-selection-fits", summary.selectionFits);
  find(form, ".list-count").textContent = range;
  for (const count of form.querySelectorAll("[data-filter-count]")) count.textContent = filters ? String(filters) : "";
  showFacts(facts);
  showTabs(tabs);
  showProgress(progress);
  // What the list can't apply of its address would be missing in a file, which then had more rows.
  for (const part of document.querySelectorAll<HTMLElement>("a[data-download], [popovertarget=export]"))
    part.hidden = notices.length > 0;
}

export function currentUrl(): string {
  return location.pathname + location.search;
}

/** What the list says of itself in the head of the page. */
function factsInHead(): string[] {
  return [...document.querySelectorAll("[data-list-fact]")].map(getText);
}

function showFacts(facts: readonly string[]): void {
  if (factsInHead().join("\n") === facts.join("\n")) return;
  for (const old of document.querySelectorAll("[data-list-fact]")) old.remove();
  for (const fact of facts) {
    const item = element("li", { "data-list-fact": "" });
    item.textContent = fact;
    document.querySelector(".facts-line")?.append(item);
  }
}

function showProgress(progress: Summary["progress"]): void {
  const region = document.querySelector<HTMLElement>("[data-list-progress]");
  if (!region || progress === undefined) return;
  region.hidden = !progress;
  if (!progress) return;
  const bar = find<HTMLProgressElement>(region, "progress");
  bar.max = progress.total;
  bar.value = progress.value;
  find(region, "span").textContent = progress.text;
}

/** The tabs of a list are in the head of its page; their addresses keep the search of the list. */
export function tabsInHead(): TabState[] {
  return tabLinks().map((link) => ({
    href: link.getAttribute("href") ?? "",
    count: getText(link.querySelector(".count")),
    is_current: link.hasAttribute("aria-current"),
  }));
}

/** An answer without tabs leaves them as they are: some lists have them only after an act, which may have changed a count. */
export function showTabs(tabs: readonly TabState[]): void {
  if (tabs.length === 0) return;
  for (const [index, link] of tabLinks().entries()) {
    const { href = "", count = "", is_current } = tabs[index] ?? {};
    setAttribute(link, "href", href);
    setAttribute(link, "aria-current", is_current ? "page" : "");
    const countElement = link.querySelector(".count") ?? element("span", { class: "count" });
    countElement.textContent = count;
    if (count) link.append(countElement);
  }
}

function tabLinks(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("[data-list-tabs] a")];
}

function getText(element: Element | null): string {
  return element?.textContent ?? "";
}
