// Selected rows of a list: kept over pages and searches, counted, and sent with the bulk action.
//
// The list may be drawn by the server or by an island, which replaces its rows at any time; so ticks are read from events
// and put back when rows appear. The form (`data-selection`) stands outside of the list.
//
// Either rows are selected one by one, or all that match the list's query, except those that were unticked after that.
// The query is signed by the server (`total?search#order:signature`): the form holds that of the list in the page, a list
// that an island drew has its own (`data-selection-query`). Another search or filter is another list: it ends "all".

import { numberText } from "../lib/numbers";
import { keyOf } from "./selection-done";

const ROW = "input[type=checkbox][name=id]";
const HEAD = "input[data-select=page]";
const ROOT = document.documentElement;

interface Stored {
  readonly ids: readonly string[];
  /** The search and filters that all rows were selected of; null when rows are selected one by one. */
  readonly all: string | null;
  readonly except: readonly string[];
}

const NOTHING: Stored = { ids: [], all: null, except: [] };

export function keepSelection(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-selection]");
  if (form) new Selection(form);
}

class Selection {
  private readonly list: string;
  private readonly ids: Set<string>;
  private readonly except: Set<string>;
  private allOf: string | null;
  /** The signed query of the list as the server drew it. */
  private readonly drawn: string;
  /** The row that was ticked or unticked last; with Shift, the next one takes along all rows from there. */
  private last = "";
  private isRange = false;
  /** Of the page as it came: a translator of the browser changes its language. */
  private readonly plurals = new Intl.PluralRules(ROOT.lang || "en-US");
  /** What was written last into an element. */
  private readonly told = new Map<HTMLElement, string>();

  constructor(private readonly form: HTMLFormElement) {
    this.list = form.dataset.selection ?? "";
    this.drawn = this.field("query").value;
    const isAgain = isRestoredPage();
    const stored = isAgain || this.arrivedFromList() ? read(this.list) : NOTHING;
    this.ids = new Set(stored.ids);
    this.except = new Set(stored.except);
    this.allOf = stored.all;
    // What was ticked before this script ran. In a page that is drawn again these are the ticks that the browser has put
    // back, by their places: other rows may stand there now.
    if (isAgain) this.field("all").checked = false;
    else if (this.field("all").checked) this.allOf ??= searchOf(this.query());
    else for (const box of this.boxes()) if (box.checked) this.ids.add(box.value);
    document.addEventListener("change", (event) => this.changed(event));
    // A click comes before its change, also that of the space bar. A change doesn't tell whether Shift is held.
    document.addEventListener(
      "click",
      (event) => {
        this.isRange = event.shiftKey;
      },
      { capture: true },
    );
    document.addEventListener("mousedown", (event) => this.pressed(event));
    form.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.reserveSpace()).observe(form);
    form.addEventListener("submit", (event) => {
      if (this.count() === 0) event.preventDefault();
      else this.carry();
    });
    new MutationObserver(() => this.show()).observe(document.querySelector("main") ?? document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ["data-selection-query"],
    });
    this.show();
  }

  /** A selection lives while one stays in the list: its pages, its searches, and the forms that lead back to it. */
  private arrivedFromList(): boolean {
    const [from, pages] = [document.referrer, this.form.dataset.selectionPages];
    return from.startsWith(location.origin + this.list) || (!!pages && from.includes(pages));
  }

  private boxes(): HTMLInputElement[] {
    return [...document.querySelectorAll<HTMLInputElement>(ROW)].filter((box) => box.form === this.form);
  }

  private field(name: string): HTMLInputElement {
    return this.form.elements.namedItem(name) as HTMLInputElement;
  }

  /** The signed query of the list as it is shown. */
  private query(): string {
    return document.querySelector<HTMLElement>("[data-selection-query]")?.dataset.selectionQuery ?? this.drawn;
  }

  private count(): number {
    if (this.allOf === null) return this.ids.size;
    return Math.max(0, totalOf(this.query()) - this.except.size);
  }

  private isSelected(id: string): boolean {
    return this.allOf === null ? this.ids.has(id) : !this.except.has(id);
  }

  private select(id: string, selected: boolean): void {
    if (this.allOf !== null) this.except[selected ? "delete" : "add"](id);
    if (this.allOf === null || !selected) this.ids[selected ? "add" : "delete"](id);
  }

  private selectAll(search: string | null): void {
    this.allOf = search;
    this.except.clear();
  }

  private changed(event: Event): void {
    const box = event.target;
    if (!(box instanceof HTMLInputElement)) return;
    if (box.matches(HEAD)) this.selectPage(box.checked);
    if (box.form !== this.form) return;
    if (box.matches(ROW)) this.selectTo(box);
    else if (box.name === "all") this.selectAll(box.checked ? searchOf(this.query()) : null);
    this.show();
    // The bar that comes up must not lie over what was ticked: the page keeps space for it (scroll-padding).
    box.scrollIntoView({ block: "nearest" });
  }

  /** Select a row as its box says; with Shift, also those between it and the one before. */
  private selectTo(box: HTMLInputElement): void {
    const boxes = this.boxes();
    const [place, from] = [boxes.indexOf(box), boxes.findIndex(({ value }) => value === this.last)];
    const start = this.isRange && from >= 0 ? from : place;
    const range = boxes.slice(Math.min(start, place), Math.max(start, place) + 1);
    for (const each of range) this.select(each.value, box.checked);
    this.last = box.value;
  }

  /** With Shift, the browser would select the text up to the box instead of giving it the focus. */
  private pressed(event: MouseEvent): void {
    if (!event.shiftKey || !(event.target instanceof HTMLElement) || !event.target.matches(ROW)) return;
    event.preventDefault();
    event.target.focus();
  }

  private clicked(event: Event): void {
    const what = (event.target as Element).closest<HTMLElement>("[data-select]")?.dataset.select;
    if (what === "page") this.selectPage(true);
    else if (what === "none") {
      this.ids.clear();
      this.selectAll(null);
      this.show();
      // The bar goes away, and must not take the focus along.
      (document.querySelector<HTMLElement>(`${HEAD}:not([hidden])`) ?? this.boxes()[0])?.focus();
    }
  }

  private selectPage(selected: boolean): void {
    for (const box of this.boxes()) this.select(box.value, selected);
    this.show();
  }

  /** Rows of other pages travel in one field; the return URL is the list as it is now. */
  private carry(): void {
    const here = new Set(this.boxes().map((box) => box.value));
    const elsewhere = [...this.ids].filter((id) => !here.has(id));
    this.field("ids").value = elsewhere.join(" ");
    this.field("except").value = [...this.except].join(" ");
    this.field("query").value = this.query();
    this.field("back").value = location.pathname + location.search;
  }

  private show(): void {
    if (this.allOf !== null && this.allOf !== searchOf(this.query())) this.selectAll(null);
    // All but all is nothing: who comes to this list later would be selected without having been seen.
    if (this.allOf !== null && this.except.size > 0 && this.count() === 0) this.selectAll(null);
    for (const box of this.boxes()) {
      const selected = this.isSelected(box.value);
      if (box.checked !== selected) box.checked = selected;
      box.closest("tr")?.toggleAttribute("data-selected", selected);
    }
    this.showHead();
    this.showAll();
    const count = this.count();
    this.showCount(count);
    for (const part of this.form.querySelectorAll<HTMLElement>(".bulk-count, .bulk-choice")) part.hidden = false;
    // Its menus first: WebKit 26.1 and earlier freeze when an open menu gets hidden with its container.
    if (count === 0) for (const menu of this.form.querySelectorAll<HTMLElement>("[popover]")) menu.hidePopover();
    this.form.hidden = count === 0;
    this.form.dataset.ready = "";
    this.reserveSpace();
    write(this.list, { ids: [...this.ids], all: this.allOf, except: [...this.except] });
  }

  /** The box in the head of the column: all of the page, none of it, or some. */
  private showHead(): void {
    const head = document.querySelector<HTMLInputElement>(HEAD);
    const boxes = this.boxes();
    const ticked = boxes.filter((box) => box.checked).length;
    if (!head || boxes.length === 0) return;
    head.hidden = false;
    head.checked = ticked > 0 && ticked === boxes.length;
    head.indeterminate = ticked > 0 && ticked < boxes.length;
  }

  /** The box of all that match: how many these are, and whether any of them was left out. */
  private showAll(): void {
    const all = this.field("all");
    all.checked = this.allOf !== null;
    all.indeterminate = this.except.size > 0;
    // Nothing is found: what the list can't apply of its address must be removed first.
    const label = all.closest("label");
    if (label) label.hidden = totalOf(this.query()) === 0;
    // All are selected: there is no page to select.
    const page = this.form.querySelector<HTMLElement>("[data-select=page]");
    if (page) page.hidden = all.checked;
    const text = this.form.querySelector<HTMLElement>("[data-text]");
    if (text) this.tell(text, text.dataset.text, totalOf(this.query()));
  }

  /** The sentence for this many, in the plural form of the page's language. */
  private showCount(count: number): void {
    const told = this.form.querySelector<HTMLElement>(".bulk-count");
    const form = this.plurals.select(count);
    if (told) this.tell(told, told.dataset[form] ?? told.dataset.other, count);
  }

  /** Write only news: anything else would be announced again, and undo what a translator of the browser wrote there. */
  private tell(element: HTMLElement, text = "", count: number): void {
    const sentence = text.replace("%(count)s", numberText(count));
    if (this.told.get(element) !== sentence) element.textContent = sentence;
    this.told.set(element, sentence);
  }

  /** The page scrolls what has the focus clear of the bar, whose lines depend on language and window. */
  private reserveSpace(): void {
    ROOT.style.scrollPaddingBlockEnd = this.form.hidden ? "" : `${Math.ceil(this.form.offsetHeight) + 16}px`;
  }
}

/** Whether this page was here before, and is drawn again: reloaded, or from the history. What was selected still is. */
function isRestoredPage(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "reload" || entry?.type === "back_forward";
}

function totalOf(query: string): number {
  return Number.parseInt(query, 10) || 0;
}

/** What a list was searched and filtered by; how it is sorted is no part of that. */
function searchOf(query: string): string {
  return query.split(/[?#]/)[1] ?? "";
}

function read(list: string): Stored {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(keyOf(list)) ?? "{}") as Partial<Stored>) };
  } catch {
    return NOTHING;
  }
}

function write(list: string, selection: Stored): void {
  try {
    sessionStorage.setItem(keyOf(list), JSON.stringify(selection));
  } catch {
    // Storage is off: the selection lives as long as the page.
  }
}
