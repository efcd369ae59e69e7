// Selected rows of a list: kept over pages and searches, counted, and sent with the bulk action.
//
// The list may be drawn by the server or by an island, which replaces its rows at any time; so ticks are read from events
// and put back when rows appear. The form (`data-selection`) is outside of the list.
//
// Either rows are selected one by one, or all that match the list's query, except those that were unticked after that.
// The query is signed by the server (`total?search#order:signature`): the form holds that of the list in the page, a list
// that an island drew has its own (`data-selection-query`). Another search or filter is another list: it ends "all".

import { numberText } from "../lib/numbers";
import { clearSelection, getKey } from "./selection-done";

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

export function initSelection(): void {
  clearSelection();
  const form = document.querySelector<HTMLFormElement>("form[data-selection]");
  if (form) initFormSelection(form);
}

function initFormSelection(form: HTMLFormElement): void {
  const list = form.dataset.selection ?? "";
  /** The signed query of the list as the server drew it. */
  const initialQuery = field("query").value;
  const isRestored = isRestoredPage();
  const stored = isRestored || arrivedFromList() ? read(list) : NOTHING;
  const ids = new Set(stored.ids);
  const except = new Set(stored.except);
  let selectedSearch = stored.all;
  /** The row that was ticked or unticked last; with Shift, the next one takes along all rows from there. */
  let last = "";
  let isRange = false;
  /** Of the page as it came: a translator of the browser changes its language. */
  const plurals = new Intl.PluralRules(ROOT.lang || "en-US");
  /** What was written last into an element. */
  const written = new Map<HTMLElement, string>();
  // What was ticked before this script ran. In a page that is drawn again these are the ticks that the browser has put
  // back, by their places: other rows may be there now.
  if (isRestored) field("all").checked = false;
  else if (field("all").checked) selectedSearch ??= getSearch(query());
  else for (const box of getBoxes()) if (box.checked) ids.add(box.value);
  document.addEventListener("change", changed);
  // A click comes before its change, also that of the space bar. A change event doesn't say whether Shift is held.
  document.addEventListener(
    "click",
    (event) => {
      isRange = event.shiftKey;
    },
    { capture: true },
  );
  document.addEventListener("mousedown", pressed);
  form.addEventListener("click", clicked);
  new ResizeObserver(reserveSpace).observe(form);
  form.addEventListener("submit", (event) => {
    if (countSelected() === 0) event.preventDefault();
    else updateHiddenFields();
  });
  new MutationObserver(show).observe(document.querySelector("main") ?? document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["data-selection-query"],
  });
  show();

  /** A selection lives while one stays in the list: its pages, its searches, and the forms that lead back to it. */
  function arrivedFromList(): boolean {
    const [from, pages] = [document.referrer, form.dataset.selectionPages];
    return from.startsWith(location.origin + list) || (!!pages && from.includes(pages));
  }

  function getBoxes(): HTMLInputElement[] {
    return [...document.querySelectorAll<HTMLInputElement>(ROW)].filter((box) => box.form === form);
  }

  function field(name: string): HTMLInputElement {
    return form.elements.namedItem(name) as HTMLInputElement;
  }

  /** The signed query of the list as it is shown. */
  function query(): string {
    return document.querySelector<HTMLElement>("[data-selection-query]")?.dataset.selectionQuery ?? initialQuery;
  }

  function countSelected(): number {
    if (selectedSearch === null) return ids.size;
    return Math.max(0, getTotal(query()) - except.size);
  }

  function isSelected(id: string): boolean {
    return selectedSearch === null ? ids.has(id) : !except.has(id);
  }

  function select(id: string, selected: boolean): void {
    form.dataset.later = "";
    if (selectedSearch !== null) except[selected ? "delete" : "add"](id);
    if (selectedSearch === null || !selected) ids[selected ? "add" : "delete"](id);
  }

  function selectAll(search: string | null): void {
    form.dataset.later = "";
    selectedSearch = search;
    except.clear();
  }

  function changed(event: Event): void {
    const box = event.target as HTMLInputElement;
    if (box.matches(HEAD)) selectPage(box.checked);
    if (box.form !== form) return;
    if (box.matches(ROW)) selectTo(box);
    else if (box.name === "all") selectAll(box.checked ? getSearch(query()) : null);
    show();
    // The bar that comes up must not lie over the row that was ticked: the page keeps space for it (scroll-padding).
    if (box.matches(ROW)) box.scrollIntoView({ block: "nearest" });
  }

  /** Select a row as its box says; with Shift, also those between it and the one before. */
  function selectTo(box: HTMLInputElement): void {
    const boxes = getBoxes();
    const [index, from] = [boxes.indexOf(box), boxes.findIndex(({ value }) => value === last)];
    const start = isRange && from >= 0 ? from : index;
    const range = boxes.slice(Math.min(start, index), Math.max(start, index) + 1);
    for (const each of range) select(each.value, box.checked);
    last = box.value;
  }

  /** With Shift, the browser would select the text up to the box instead of giving it the focus. */
  function pressed(event: MouseEvent): void {
    if (!event.shiftKey || !(event.target instanceof HTMLElement) || !event.target.matches(ROW)) return;
    event.preventDefault();
    event.target.focus();
  }

  function clicked(event: Event): void {
    const what = (event.target as Element).closest<HTMLElement>("[data-select]")?.dataset.select;
    if (what === "page") {
      selectPage(true);
      // On a phone it stands in a menu, which would lie over the rows.
      form.querySelector<HTMLElement>(".bulk-actions:popover-open")?.hidePopover();
    } else if (what === "none") {
      ids.clear();
      selectAll(null);
      show();
      // The bar goes away, and must not take the focus along.
      const rows = document.querySelector<HTMLElement>(`${HEAD}:not([hidden])`) ?? getBoxes()[0];
      (rows ?? document.querySelector<HTMLElement>(".list"))?.focus();
    }
  }

  function selectPage(selected: boolean): void {
    for (const box of getBoxes()) select(box.value, selected);
    show();
  }

  /** Rows of all pages are sent in one field; the return URL is the list as it is now. */
  function updateHiddenFields(): void {
    field("ids").value = [...ids].join(" ");
    field("except").value = [...except].join(" ");
    field("query").value = query();
    field("back").value = location.pathname + location.search;
  }

  function show(): void {
    if (selectedSearch !== null && selectedSearch !== getSearch(query())) selectAll(null);
    // All rows were left out, so none is selected: rows that come to this list later would be selected unseen.
    if (selectedSearch !== null && except.size > 0 && countSelected() === 0) selectAll(null);
    const boxes = getBoxes();
    for (const box of boxes) {
      box.checked = isSelected(box.value);
      box.closest("tr")?.toggleAttribute("data-selected", box.checked);
    }
    const ticked = boxes.filter((box) => box.checked).length;
    showBoxes(boxes.length, ticked);
    const count = countSelected();
    showCount(count, count - ticked);
    for (const part of form.querySelectorAll<HTMLElement>(".bulk-count, .bulk-choice")) part.hidden = false;
    // Its menus first: WebKit 26.1 and earlier freeze when an open menu gets hidden with its container.
    if (count === 0) for (const menu of form.querySelectorAll<HTMLElement>("[popover]")) menu.hidePopover();
    form.hidden = count === 0;
    form.dataset.ready = "";
    reserveSpace();
    write(list, { ids: [...ids], all: selectedSearch, except: [...except] });
  }

  /** The box in the head of the column, for this page, and the one in the bar, for all that match. */
  function showBoxes(rows: number, ticked: number): void {
    const head = document.querySelector<HTMLInputElement>(HEAD);
    if (head && rows > 0) {
      (head.closest("label") ?? head).hidden = false;
      head.checked = ticked === rows;
      head.indeterminate = ticked > 0 && ticked < rows;
    }
    const all = field("all");
    const total = getTotal(query());
    all.checked = selectedSearch !== null;
    all.indeterminate = except.size > 0;
    // Each row is ticked already, or none is found: what the list can't apply of its address must be removed first.
    all.closest("label")?.toggleAttribute("hidden", !all.checked && ticked >= total);
    // All are selected: there is no page to select.
    form.querySelector("[data-select=page]")?.toggleAttribute("hidden", all.checked);
    const text = form.querySelector<HTMLElement>("[data-text]");
    if (text) setText(text, getSentence(text.dataset.text, total));
  }

  /** The sentence for this many, in the plural form of the page's language; below it, how many this page doesn't show. */
  function showCount(count: number, offPage: number): void {
    const status = form.querySelector<HTMLElement>(".bulk-count");
    if (!status) return;
    let text = getSentence(status.dataset[plurals.select(count)] ?? status.dataset.other, count);
    if (offPage > 0) text += `\n${getSentence(status.dataset.off, offPage)}`;
    setText(status, text);
  }

  function getSentence(text = "", count: number): string {
    return text.replace("%(count)s", numberText(count));
  }

  /** Write only news: anything else would be announced again, and undo what a translator of the browser wrote there. */
  function setText(element: HTMLElement, sentence: string): void {
    if (written.get(element) !== sentence) element.textContent = sentence;
    written.set(element, sentence);
  }

  /** The page scrolls what has the focus clear of the bar, whose lines depend on language and window. */
  function reserveSpace(): void {
    ROOT.style.scrollPaddingBlockEnd = form.hidden ? "" : `${Math.ceil(form.offsetHeight) + 16}px`;
  }
}

/** Whether this page was here before, and is drawn again: reloaded, or from the history. What was selected still is. */
function isRestoredPage(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type === "reload" || entry?.type === "back_forward";
}

function getTotal(query: string): number {
  return Number.parseInt(query, 10) || 0;
}

/** What a list was searched and filtered by; how it is sorted is no part of that. */
function getSearch(query: string): string {
  return query.split(/[?#]/)[1] ?? "";
}

function read(list: string): Stored {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(getKey(list)) ?? "{}") as Partial<Stored>) };
  } catch {
    return NOTHING;
  }
}

function write(list: string, selection: Stored): void {
  try {
    sessionStorage.setItem(getKey(list), JSON.stringify(selection));
  } catch {
    // Storage is off: the selection lives as long as the page.
  }
}
