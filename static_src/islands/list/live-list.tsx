// A list that lives in the address bar. Its search form is the server's and stays; its first rows are the server's, too.
// Those of each further address are read when somebody goes there, and drawn in their place.

import type { ReactNode } from "react";
import { createPortal, flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../../components/ErrorBoundary";
import { Failed } from "../../components/Failed";
import { Results } from "../../components/Results";
import { PageEvent } from "../../lib/events";
import { detailsOf, explain } from "../../lib/failures";
import { Acts } from "./acts";
import { Columns } from "./columns";
import { element, find, setAttribute } from "./dom";
import { FINDER, findChoices } from "./find-choice";
import { offerWhatFits } from "./fitting";
import { type Problem, problemOf } from "./keyword";
import { keepPlace, showFromItsStart } from "./place";
import { Reader, type Shown } from "./reader";
import {
  addressOf,
  carriedBy,
  carriedOf,
  carry,
  fill,
  isAsWritten,
  offer,
  type Pairs,
  showCounts,
  textOf,
} from "./search-form";
import { describe, type Said, Told } from "./Told";
import { showTabs, tabsInHead } from "./tabs";

const QUIET_MS = 300;
const NOTICE = "[data-notice]";

export class LiveList {
  private readonly form: HTMLFormElement;
  private readonly box: HTMLInputElement;
  /** The server's drawing, which comes back with its address. */
  private readonly first: HTMLElement;
  private readonly firstCarried: Pairs;
  private readonly drawn = element("div", { "data-results": "" });
  private readonly problems = element("div");
  private readonly live = element("p", { class: "visually-hidden", role: "status" });
  private readonly told: HTMLElement;
  private readonly firstFacts = factsInHead();
  private readonly firstTabs = tabsInHead();
  private readonly firstTold: Element | null;
  private readonly firstRefusal: string;
  /** The page came without what can be done with the whole list: an export, the selection of all. */
  private readonly isFirstRestricted: boolean;
  private readonly root = createRoot(this.drawn);
  private readonly reader = new Reader(here(), () => this.changed());
  private readonly acts: Acts | null;
  private readonly columns: Columns | null;

  private shown: Shown = null;
  private results: ReactNode = null;
  /** What the current address answers is not shown yet. */
  private isAwaited = false;
  /** The form is ahead of the list, and keeps its own values. */
  private formLeads = false;
  /** The rows are read again because of an act or for other columns, which was announced already. */
  private isQuiet = false;
  /** The link that was followed. Unless the focus has gone elsewhere, it goes to the rows when they arrive. */
  private followed: Element | null = null;
  private failure = "";
  private details = "";
  private problem: Problem | null = null;
  /** The keyword is not being typed any more, so what is wrong with it is said as an error. */
  private isLeft = true;
  /** Why the server did not search. */
  private refusal: string;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly section: HTMLElement) {
    this.form = find(section, "form");
    this.box = find(section, "input[type=search]");
    this.told = find(section, ".search-told");
    this.first = find(section, "[data-results]");
    this.firstCarried = carriedBy(this.form);
    this.firstTold = this.told.firstElementChild;
    this.firstRefusal = this.told.textContent?.trim() ?? "";
    this.refusal = this.firstRefusal;
    this.isFirstRestricted = this.first.querySelector(NOTICE) !== null;
    this.first.before(this.problems);
    section.append(this.live);
    const form = document.getElementById(`act-${section.dataset.list}`);
    findChoices(this.form, (query) => this.readAnew(query));
    this.acts = form instanceof HTMLFormElement ? new Acts(form, section, () => this.readAnew()) : null;
    const columns = section.querySelector<HTMLFormElement>("[data-columns]");
    this.columns = columns && new Columns(columns, (choice) => this.readAnew(choice));
    offerWhatFits(section);
    this.listen();
    // What was typed or chosen while this code was on its way.
    if (!isAsWritten(this.form)) this.typed();
  }

  private listen(): void {
    const { form, box, section } = this;
    form.addEventListener("input", (event) => event.target === box && this.typed((event as InputEvent).isComposing));
    form.addEventListener("compositionend", () => this.typed());
    box.addEventListener("blur", () => this.say({ isLeft: true }));
    form.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLElement && target !== box && !target.matches(FINDER))
        this.chose(target === form.elements.namedItem("searchField"));
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.form.querySelector<HTMLElement>(":popover-open")?.hidePopover();
      if (this.maySearch(true)) this.search("pushState");
    });
    section.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || !isPlainClick(event) || link.href.split("?")[0] !== form.action) return;
      if (link.search.includes("list_query=")) return; // a view with columns of its own leads on to an address of the list
      event.preventDefault();
      this.follow(link.pathname + link.search, { link: link.closest("thead") ? null : link });
    });
    addEventListener("popstate", () => {
      if (here() !== this.reader.url) this.follow(here(), { isWayBack: true });
    });
  }

  private typed(isComposing = this.section.hasAttribute("data-composing")): void {
    if (this.maySearch(false) && !isComposing) this.timer = setTimeout(() => this.search("replaceState"), QUIET_MS);
  }

  private chose(isField: boolean): void {
    if (this.maySearch(!isField) && !(isField && !textOf(this.form, "keyword"))) this.search("pushState");
  }

  /** Whether what stands in the form now can be searched for. */
  private maySearch(isLeft: boolean): boolean {
    clearTimeout(this.timer);
    this.formLeads = true;
    this.followed = null;
    const problem = problemOf(textOf(this.form, "searchField"), textOf(this.form, "keyword").trim());
    this.say({ problem, isLeft });
    return !problem;
  }

  private search(write: "pushState" | "replaceState"): void {
    this.go(addressOf(this.form), { write });
  }

  private follow(
    url: string,
    { link = null, isWayBack = false }: { link?: Element | null; isWayBack?: boolean },
  ): void {
    this.formLeads = false;
    this.followed = link;
    this.go(url, isWayBack ? {} : { write: "pushState" });
  }

  private go(url: string, { write }: { write?: "pushState" | "replaceState" }): void {
    clearTimeout(this.timer);
    if (url === this.reader.url) {
      if (this.failure) this.reader.again();
      else if (!this.isAwaited) this.arrived();
      return;
    }
    if (write) history[write](null, "", url);
    this.isAwaited = true;
    this.isQuiet = false;
    this.acts?.forget();
    this.reader.go(url, !write);
  }

  private readAnew(more = ""): void {
    this.isQuiet = !this.isAwaited;
    void this.reader.anew(more);
  }

  private changed(): void {
    const { data, error, isFetching } = this.reader.now;
    setAttribute(this.section, "aria-busy", isFetching ? "true" : "");
    const failure = error && !isFetching ? explain(error) : "";
    if (failure !== this.failure) {
      this.failure = failure;
      this.details = detailsOf(error);
      this.draw();
      if (failure) this.problems.scrollIntoView({ block: "nearest" });
    }
    if (data === undefined || (data === this.shown && !this.isAwaited)) return;
    this.shown = data;
    this.results = data && <Results list={data} />;
    this.arrived();
  }

  private arrived(): void {
    const { form, section, shown } = this;
    if (this.isFirstRestricted && shown?.notices.length === 0) {
      location.reload();
      return;
    }
    this.isAwaited = false;
    offer(form, shown);
    showCounts(form, shown);
    if (shown) this.columns?.show(shown);
    carry(form, shown ? carriedOf(form, shown) : this.firstCarried);
    if (!this.formLeads) {
      if (shown) fill(form, shown);
      else form.reset();
      Object.assign(this, { problem: null, isLeft: true });
    }
    this.refusal = shown ? shown.search.error : this.firstRefusal;
    setAttribute(section, "data-selection-query", shown?.selection_query);
    setAttribute(section, "data-selection-fits", shown?.selection_fits);
    const moves = this.followed && [this.followed, document.body].includes(document.activeElement ?? document.body);
    this.draw();
    this.acts?.goOn();
    const range = section.querySelector(".list-status")?.textContent ?? "";
    find(form, ".list-count").textContent = range;
    showFacts(shown ? shown.facts : this.firstFacts);
    showTabs(shown ? shown.tabs : this.firstTabs);
    const filters = section.querySelectorAll(".chips > li").length;
    for (const told of form.querySelectorAll("[data-filter-count]")) told.textContent = filters ? String(filters) : "";
    const notices = [...section.querySelectorAll(NOTICE)].map((notice) => notice.textContent);
    showExports(notices.length === 0);
    const sorting = shown ? shown.rows.length > 0 && shown.sorting : this.first.dataset.sorting;
    if (!this.isQuiet) this.live.textContent = notices.join(" ") || [range, sorting].filter(Boolean).join(". ");
    this.isQuiet = false;
    if (moves) showFromItsStart(section);
    this.followed = null;
    document.dispatchEvent(new Event(PageEvent.ListDrawn));
  }

  private say(change: { problem?: Problem | null; isLeft: boolean }): void {
    Object.assign(this, change);
    this.draw();
  }

  private draw(): void {
    const { failure, details, first, drawn, results } = this;
    const restore = keepPlace(this.section);
    const said = this.said();
    describe(this.box, said);
    this.firstTold?.remove(); // it is drawn here from now on
    flushSync(() =>
      this.root.render(
        <>
          <ErrorBoundary>{results}</ErrorBoundary>
          {createPortal(
            failure && <Failed text={failure} details={details} onRetry={() => this.reader.again()} />,
            this.problems,
          )}
          {createPortal(<Told {...said} />, this.told)}
        </>,
      ),
    );
    const [place, other] = results ? [drawn, first] : [first, drawn];
    if (!place.isConnected) other.replaceWith(place);
    this.acts?.show();
    restore();
  }

  private said(): Said {
    const error = this.isLeft ? (this.problem?.error ?? this.refusal) : "";
    const text = error || (this.isLeft ? "" : (this.problem?.hint ?? ""));
    return { id: `list-${error ? "error" : "hint"}-${this.section.dataset.list}`, text, isError: Boolean(error) };
  }
}

/** What the list says of itself in the head of the page. */
function factsInHead(): string[] {
  return [...document.querySelectorAll("[data-list-fact]")].map((fact) => fact.textContent ?? "");
}

function showFacts(facts: readonly string[]): void {
  if (factsInHead().join("\n") === facts.join("\n")) return;
  for (const old of document.querySelectorAll("[data-list-fact]")) old.remove();
  for (const fact of facts) {
    const shown = element("li", { "data-list-fact": "" });
    shown.textContent = fact;
    document.querySelector(".facts-line")?.append(shown);
  }
}

/** What the list can't apply of its address would be missing in a file, which then had more rows. */
function showExports(areOffered: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-keep-query], [popovertarget=export]"))
    part.hidden = !areOffered;
}

/** New tabs, windows and downloads are left to the browser. */
function isPlainClick(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return event.button === 0 && !modified && !event.defaultPrevented;
}

function here(): string {
  return location.pathname + location.search;
}
