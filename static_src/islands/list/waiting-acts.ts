// Acts that wait: for ten seconds the row says what is about to be done, and it can be undone. Then it is carried out, or
// when the page is left; only the answer says that it is done. A page that is lost has done nothing.

import { gettext } from "../../lib/i18n";
import { element } from "./dom";
import { controlsOf, focus, openerOf } from "./place";

export const UNDO_MS = 10_000;
const TICK_MS = 500;
/** How long a link waits for the answers before it is followed. */
const LEAVE_MS = 3_000;

export interface Act {
  readonly url: string;
  /** The id of the menu of its row. */
  readonly menu: string;
  /** The name of its row. */
  readonly name: string;
}

interface Waiting extends Act {
  readonly shown: HTMLElement;
  readonly clock: ReturnType<typeof setInterval>;
  /** Set when the call is made: whether it is done. */
  answer?: Promise<boolean>;
  isDone?: boolean;
}

export class WaitingActs {
  private readonly all = new Map<string, Waiting>();
  private isLeaving = false;

  constructor(
    private readonly section: HTMLElement,
    /** Carries one out; resolves to whether it is done. */
    private readonly carryOut: (act: Act) => Promise<boolean>,
    /** Called when a row changes. */
    private readonly onChange: (menu: string) => void,
  ) {
    addEventListener("pagehide", () => void this.finish());
    document.addEventListener("click", (event) => this.leaveByLink(event));
    document.addEventListener("submit", (event) => this.leaveByForm(event), { capture: true });
  }

  has(menu: string): boolean {
    return this.all.has(menu);
  }

  add(act: Act, progress: string): void {
    if (this.all.has(act.menu)) return;
    let left = UNDO_MS;
    const clock = setInterval(() => {
      if (!isHeld(shown)) left -= TICK_MS;
      if (left <= 0) void this.start(act.menu);
    }, TICK_MS);
    const shown = element("div", { class: "row-buttons" });
    const words = element("p", { tabindex: "-1" });
    const label = gettext("Undo");
    const undo = element("button", {
      type: "button",
      class: "button",
      "aria-label": gettext("%(action)s: %(name)s", { action: label, name: act.name }),
    });
    words.textContent = progress;
    undo.textContent = label;
    undo.addEventListener("click", () => this.undo(act.menu));
    shown.append(words, undo);
    this.all.set(act.menu, { ...act, shown, clock });
    this.onChange(act.menu);
    words.focus({ preventScroll: true });
  }

  /** Show in the rows, whoever has drawn them, what waits. */
  show(): void {
    for (const { menu, shown } of this.all.values()) {
      const cell = cellOf(menu);
      if (!cell) continue;
      if (shown.parentElement !== cell) cell.append(shown);
      for (const child of cell.children) child.toggleAttribute("hidden", child !== shown);
    }
  }

  /** Take away what is done: the rows are drawn anew. */
  sweep(): void {
    for (const [menu, { isDone }] of this.all) if (isDone) this.clear(menu);
  }

  private clear(menu: string): void {
    const act = this.all.get(menu);
    if (!act) return;
    clearInterval(act.clock);
    this.all.delete(menu);
    const cell = act.shown.parentElement;
    act.shown.remove();
    for (const child of cell?.children ?? []) child.toggleAttribute("hidden", false);
  }

  private undo(menu: string): void {
    const act = this.all.get(menu);
    if (!act || act.answer) return;
    this.clear(menu);
    this.onChange(menu);
    const controls = controlsOf(cellOf(menu)?.closest("tr"));
    const pressed = controls.find((control) => act.url.endsWith(control.getAttribute("formaction") ?? "\n"));
    focus(this.section, pressed, ...controls);
  }

  /** Make the call; the row says so until there is an answer. */
  private start(menu: string): Promise<boolean> | undefined {
    const act = this.all.get(menu);
    if (!act || act.answer) return act?.answer;
    clearInterval(act.clock);
    // The next row comes to its place: a key that is pressed then is not meant for that one.
    if (act.shown.contains(document.activeElement)) this.section.focus({ preventScroll: true });
    act.shown.querySelector("button")?.remove();
    act.answer = this.carryOut(act).then((isDone) => {
      act.isDone = isDone;
      if (!isDone) {
        this.clear(menu);
        this.onChange(menu);
      }
      return isDone;
    });
    return act.answer;
  }

  /** Make all calls; whether all is done. */
  private async finish(): Promise<boolean> {
    const answers = await Promise.all([...this.all.keys()].map((menu) => this.start(menu)));
    return !answers.includes(false);
  }

  /** A page that is opened from here shall show what was decided; what is refused is told here. */
  private leaveByLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || link.target || this.all.size === 0 || this.isLeaving) return;
    if (link.origin !== location.origin || link.href.split("#")[0] === location.href.split("#")[0]) return;
    event.preventDefault();
    void this.leave(() => location.assign(link.href));
  }

  private leaveByForm(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    // The acts of rows (`act-`) stay in the page.
    if (form.method !== "post" || form.matches("[id^=act-]") || this.all.size === 0 || this.isLeaving) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void this.leave(() => form.requestSubmit(event.submitter));
  }

  private async leave(go: () => void): Promise<void> {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, LEAVE_MS, true));
    if (!(await Promise.race([this.finish(), late]))) return;
    this.isLeaving = true;
    go();
    // A download stays in the page.
    setTimeout(() => {
      this.isLeaving = false;
    }, LEAVE_MS);
  }
}

/** Whether somebody is at it. A finger leaves its hover behind. */
function isHeld(shown: HTMLElement): boolean {
  const isPointed = matchMedia("(hover: hover)").matches && shown.matches(":hover");
  return isPointed || shown.querySelector(":focus-visible") !== null;
}

function cellOf(menu: string): HTMLElement | null | undefined {
  return openerOf(menu)?.closest<HTMLElement>("td");
}
