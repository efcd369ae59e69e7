// Ticked rows of a list: kept over pages and searches, counted, and sent with the bulk action.
//
// The list may be drawn by the server or by an island, which replaces its rows at any time; so ticks are read from events
// and put back when rows appear. The form (`data-selection`) stands outside of the list.

const ROW = "input[type=checkbox][name=id]";
const HEAD = "input[data-select=page]";
const ROOT = document.documentElement;
const HEIGHT = "--bulk-height";

export function keepSelection(): void {
  const done = document.querySelector<HTMLElement>("[data-selection-done]")?.dataset.selectionDone;
  if (done) write(done, []);
  const form = document.querySelector<HTMLFormElement>("form[data-selection]");
  if (form) new Selection(form);
}

class Selection {
  private readonly list: string;
  private readonly ids: Set<string>;

  constructor(private readonly form: HTMLFormElement) {
    this.list = form.dataset.selection ?? "";
    this.ids = this.arrivedFromList() ? read(this.list) : new Set();
    for (const box of this.boxes()) if (box.checked) this.ids.add(box.value);
    document.addEventListener("change", (event) => this.changed(event));
    form.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.makeRoom()).observe(form);
    form.addEventListener("submit", (event) => {
      if (this.isEmpty()) event.preventDefault();
      else this.carry();
    });
    new MutationObserver(() => this.show()).observe(document.querySelector("main") ?? document.body, {
      childList: true,
      subtree: true,
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

  private changed(event: Event): void {
    const box = event.target;
    if (!(box instanceof HTMLInputElement)) return;
    if (box.matches(HEAD)) this.tickPage(box.checked);
    if (box.form !== this.form) return;
    if (box.matches(ROW)) {
      if (box.checked) this.ids.add(box.value);
      else this.ids.delete(box.value);
    }
    this.show();
    // The bar that comes up must not lie over what was ticked: the page keeps room for it (scroll-padding).
    box.scrollIntoView({ block: "nearest" });
  }

  private clicked(event: Event): void {
    const what = (event.target as Element).closest<HTMLElement>("[data-select]")?.dataset.select;
    if (what === "page") this.tickPage(true);
    else if (what === "none") {
      this.ids.clear();
      this.all().checked = false;
      this.show();
      // The button goes away, and must not take the focus along.
      this.form.querySelector<HTMLElement>('[data-select="page"]')?.focus();
    }
  }

  private tickPage(ticked: boolean): void {
    for (const box of this.boxes()) {
      if (ticked) this.ids.add(box.value);
      else this.ids.delete(box.value);
    }
    this.show();
  }

  private all(): HTMLInputElement {
    return this.form.elements.namedItem("all") as HTMLInputElement;
  }

  /** Rows that are ticked on other pages travel in one field; the way back is the list as it is now. */
  private carry(): void {
    const here = new Set(this.boxes().map((box) => box.value));
    const elsewhere = [...this.ids].filter((id) => !here.has(id));
    (this.form.elements.namedItem("ids") as HTMLInputElement).value = elsewhere.join(" ");
    (this.form.elements.namedItem("back") as HTMLInputElement).value = location.pathname + location.search;
  }

  private show(): void {
    for (const box of this.boxes()) {
      const ticked = this.ids.has(box.value);
      if (box.checked !== ticked) box.checked = ticked;
    }
    this.showHead();
    const count = this.form.querySelector<HTMLElement>(".bulk-count");
    const chosen = this.all().checked ? this.matching() : String(this.ids.size);
    const told = (count?.dataset.text ?? "").replace("%(count)s", chosen);
    if (count && count.textContent !== told) count.textContent = told;
    for (const part of this.form.querySelectorAll<HTMLElement>(".bulk-count, .bulk-choice")) part.hidden = false;
    this.form.toggleAttribute("data-empty", this.isEmpty());
    this.form.hidden = this.boxes().length === 0 && this.isEmpty();
    for (const button of this.form.querySelectorAll<HTMLButtonElement>(".bulk-actions button")) {
      button.setAttribute("aria-disabled", String(this.isEmpty()));
    }
    this.makeRoom();
    write(this.list, [...this.ids]);
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

  /** The page scrolls what has the focus clear of the bar, whose lines depend on language and window. */
  private makeRoom(): void {
    const height = `${Math.ceil(this.form.offsetHeight) + 16}px`;
    if (ROOT.style.getPropertyValue(HEIGHT) !== height) ROOT.style.setProperty(HEIGHT, height);
  }

  /** The number of rows on all pages, which the list itself says: a search changes it. */
  private matching(): string {
    return document.querySelector<HTMLElement>("[data-total]")?.dataset.total ?? "";
  }

  private isEmpty(): boolean {
    return this.ids.size === 0 && !this.all().checked;
  }
}

function read(list: string): Set<string> {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(`selection:${list}`) ?? "[]") as string[]);
  } catch {
    return new Set();
  }
}

function write(list: string, ids: string[]): void {
  try {
    sessionStorage.setItem(`selection:${list}`, JSON.stringify(ids));
  } catch {
    // Storage is off: the selection lives as long as the page.
  }
}
