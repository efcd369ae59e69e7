// The search of the whole console in a dialog: a field with a list of options below it (the combobox pattern of ARIA), which
// are links. The server finds, and words everything. Loaded when it is first opened (behaviors/search-opener.ts).

import { type Failure, read } from "../lib/api";
import { PageEvent } from "../lib/events";
import type { SearchAnswer } from "../types/props.gen";
import { runCommand } from "./search-commands";
import { readOpened, storeOpened } from "./search-memory";
import { element, icon, pageData, type ResultGroup, renderGroup, type Things } from "./search-options";

const ADDRESS = "/search";
const QUIET_MS = 300;
/** Two characters, or one of a script without capitals, which may be a word. */
const LONG_ENOUGH = /../su;
const ONE_LETTER_WORD = /\p{Lo}/u;

let loading: Promise<SearchDialog> | undefined;

/** Open the dialog, but not over another question; one that is open starts again. */
export async function openSearch(opener: HTMLElement): Promise<void> {
  const name = opener.querySelector("span")?.textContent ?? "";
  loading ??= withStyles(opener.dataset.search ?? "").then(() => new SearchDialog(name));
  const dialog = await loading;
  if (!document.querySelector(".dialog:modal")) dialog.open();
}

class SearchDialog {
  private readonly field = element("input", {
    class: "input",
    role: "combobox",
    autocomplete: "off",
    "aria-autocomplete": "list",
    "aria-controls": "found",
  });
  private readonly list = element("div", { id: "found", class: "found", role: "listbox" });
  private readonly status = element("p", { class: "found-messages", role: "status" });
  private readonly dialog: HTMLDialogElement;
  private readonly things: Things = new WeakMap();
  private asking?: AbortController;
  private quiet = 0;
  private unreachable = "";
  /** What is shown before something is looked for. */
  private first: readonly ResultGroup[] = [];
  /** What is shown is not what is typed: Enter must not open it. */
  private isLate = false;
  /** The user has moved into the options, so that Home and End apply to them instead of the field. */
  private isAmong = false;

  constructor(name: string) {
    const close = element("button", { class: "icon-button", type: "button" });
    close.ariaLabel = pageData("toasts").close ?? "";
    const box = element("div", { class: "search-box" });
    const head = element("div");
    close.append(icon("x"));
    box.append(icon("search"), this.field);
    head.append(box, close);
    this.dialog = element("dialog", { class: "search-dialog" });
    for (const named of [this.dialog, this.field, this.list]) named.ariaLabel = name;
    this.dialog.append(head, this.list, this.status);
    document.body.append(this.dialog);

    close.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => this.stop());
    this.dialog.addEventListener("mousedown", (event) => {
      if (event.target === this.dialog) this.dialog.close(); // outside of it
    });
    this.field.addEventListener("compositionstart", () => this.wait());
    this.field.addEventListener("compositionend", () => this.handleInput());
    this.field.addEventListener("input", (event) => {
      if (!(event as InputEvent).isComposing) this.handleInput();
    });
    this.field.addEventListener("keydown", (event) => this.handleKey(event));
    this.list.addEventListener("click", (event) => this.chosen(event));
  }

  open(): void {
    if (this.dialog.open) {
      this.field.select();
      return;
    }
    this.field.value = "";
    this.render([]);
    this.setStatus([]);
    this.dialog.showModal();
    this.field.focus();
    void this.ask();
  }

  private get keyword(): string {
    return this.field.value.trim();
  }

  private get isSearching(): boolean {
    return LONG_ENOUGH.test(this.keyword) || ONE_LETTER_WORD.test(this.keyword);
  }

  private handleInput(): void {
    this.wait();
    if (this.isSearching) {
      this.quiet = window.setTimeout(() => void this.ask(), QUIET_MS);
      return;
    }
    this.setStatus([]);
    if (this.first.length) this.render(this.first);
    else void this.ask();
  }

  /** What is typed is no longer what is shown. */
  private wait(): void {
    this.stop();
    this.mark(true);
  }

  /** Ask no further: the answer to an earlier keyword must not replace that to a later one. */
  private stop(): void {
    clearTimeout(this.quiet);
    this.asking?.abort();
  }

  private async ask(): Promise<void> {
    this.stop();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const query = this.isSearching ? `?${new URLSearchParams({ q: this.keyword })}` : "";
    try {
      const { item } = await read<SearchAnswer>(ADDRESS + query, signal);
      if (!signal.aborted) this.show(item);
    } catch (error) {
      if (signal.aborted) return;
      const message = (error as Failure).message || this.unreachable;
      if (message) this.setStatus([message]);
      else location.assign(ADDRESS); // the dialog has no text yet
    }
  }

  private show(answer: SearchAnswer): void {
    const { sender, label, opened, unreachable, groups } = answer;
    if (sender !== document.documentElement.dataset.sender) {
      // Another administrator has logged in: neither this page nor what was opened is theirs.
      this.dialog.close();
      document.dispatchEvent(new CustomEvent(PageEvent.SessionEnded, { cancelable: true, detail: () => {} }));
      return;
    }
    this.unreachable = unreachable;
    this.field.placeholder = label;
    this.field.ariaLabel = label;
    if (this.isSearching) this.render(groups);
    else {
      const hits = readOpened();
      this.first = hits.length ? [{ name: "opened", title: opened, hits }, ...groups] : groups;
      this.render(this.first);
    }
    this.setStatus(answer.messages);
  }

  private render(groups: readonly ResultGroup[]): void {
    this.mark(false);
    this.isAmong = false;
    const keyword = this.isSearching ? this.keyword : "";
    this.list.replaceChildren(...groups.map((group) => renderGroup(group, this.things, keyword)));
    const { options } = this;
    for (const [index, option] of options.entries()) option.id = `found-${index}`;
    this.list.hidden = options.length === 0;
    this.field.ariaExpanded = String(!this.list.hidden);
    this.list.scrollTop = 0;
    // Without results, Enter must not open the search of another list.
    const first = groups.findIndex(({ hits, failed }) => hits.length || failed);
    this.activate(this.isSearching ? this.list.children[first]?.querySelector("a") : undefined);
  }

  private get options(): readonly HTMLAnchorElement[] {
    return [...this.list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  }

  private get active(): HTMLAnchorElement | undefined {
    return this.options.find((option) => option.getAttribute("aria-selected") === "true");
  }

  private activate(option: HTMLAnchorElement | null | undefined): void {
    for (const each of this.options) each.setAttribute("aria-selected", String(each === option));
    option?.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", option?.id ?? "");
  }

  private handleKey(event: KeyboardEvent): void {
    // Enter that confirms a candidate of an input method; Safari sends it after the composition, with the code 229.
    if (event.isComposing || event.keyCode === 229 || event.altKey || event.shiftKey) return;
    const { options, active } = this;
    const [at, last] = [active ? options.indexOf(active) : -1, options.length - 1];
    const targets: Record<string, number> = {
      ArrowDown: at < last ? at + 1 : 0,
      ArrowUp: at > 0 ? at - 1 : last,
      ...(this.isAmong && { Home: 0, End: last }),
    };
    const index = targets[event.key];
    if (index === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (index !== undefined) {
      this.activate(options[index]);
      this.isAmong = true;
    } else if (this.isLate) void this.ask();
    else if (active?.href && (event.ctrlKey || event.metaKey)) {
      this.storeOption(active);
      window.open(active.href, "_blank", "noopener");
    } else active?.click();
  }

  private chosen(event: MouseEvent): void {
    const option = (event.target as Element).closest<HTMLAnchorElement>("a[href], a[data-command]");
    if (!option) return;
    if (option.dataset.command) {
      this.dialog.close();
      runCommand(option.dataset.command);
      return;
    }
    const leaves = !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (leaves && option.pathname === ADDRESS) {
      event.preventDefault(); // once more, here
      this.field.focus();
      void this.ask();
      return;
    }
    this.storeOption(option);
    if (leaves) this.dialog.close();
  }

  private storeOption(option: HTMLAnchorElement): void {
    const hit = this.things.get(option);
    if (hit) storeOpened(hit);
  }

  private mark(isLate: boolean): void {
    this.isLate = isLate;
    this.list.ariaBusy = isLate ? "true" : null;
  }

  private setStatus(sentences: readonly string[]): void {
    this.status.textContent = sentences.join(" ");
  }
}

function withStyles(href: string): Promise<unknown> {
  const sheet = element("link", { rel: "stylesheet", href });
  document.head.append(sheet);
  return new Promise((resolve) => {
    sheet.onload = sheet.onerror = resolve;
  });
}
