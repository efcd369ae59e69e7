// Acts on rows: their form is sent from here, and one stays in the list. What was pressed before this code came is the
// form's own POST. A row is known by its menu, because the server or the island may have drawn it.

import { Failure, postForm } from "../../lib/api";
import { explain } from "../../lib/failures";
import { gettext } from "../../lib/i18n";
import { toast } from "../../lib/toasts";
import { element, setAttribute } from "./dom";
import type { FreshRows } from "./fresh-rows";
import { controlsOf, focus, openerOf } from "./place";
import type { Act, WaitingActs } from "./waiting-acts";

/** What the server may say of an act: what is best done next, and that its row is not what it was taken for. */
interface Told {
  readonly next?: { readonly label: string; readonly href: string } | null;
  readonly is_stale?: boolean;
}

interface Problem {
  readonly name: string;
  readonly text: string;
  readonly shown: HTMLElement;
}

export class Acts {
  /** The addresses of the acts that have no answer yet. */
  private readonly underWay = new Set<string>();
  /** The form ids of acts that are not known to be done: tried again, they are the same form and not done twice. */
  private readonly formIds = new Map<string, string>();
  /** Why the last act on a row was not done, by the id of its menu. */
  private readonly problems = new Map<string, Problem>();
  /** The menu of the act that was done last, and what could be done there before. */
  private last: { menu: string; actions: string } | null = null;
  /** The acts that can still be undone, where the list has such. */
  private waiting: WaitingActs | undefined;
  private isGuarded = false;
  private fresh: FreshRows | undefined;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly section: HTMLElement,
    /** Gets the menu of the act that was done; "" where it was not, and its row is not what it was taken for. */
    private readonly readAnew: (done: string) => void,
  ) {
    if (section.querySelector("[data-progress]")) {
      this.guardRows();
      this.loadWaiting().catch(() => {}); // it is tried again when it is needed
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.submitter) this.carryOut(event.submitter);
    });
  }

  private carryOut(button: HTMLElement): void {
    // submit-once.ts disables what the browser itself is sending.
    if (button.getAttribute("aria-disabled") === "true") return;
    this.guardRows(button);
    const row = button.closest("tr");
    const name =
      row?.querySelector("[name=id]")?.getAttribute("aria-label") ?? row?.querySelector("th")?.textContent ?? "";
    const menu = button.closest("[popover], .row-actions")?.id ?? "";
    const act = { url: addressOf(button), menu, name };
    const { progress } = button.dataset;
    if (!progress) {
      void this.post(act);
      return;
    }
    this.clear(menu);
    closeMenu(menu);
    this.wait(act, progress);
  }

  private wait(act: Act, progress: string): void {
    if (this.waiting) this.waiting.add(act, progress);
    // Without its code, the page that asks first.
    else
      this.loadWaiting().then(
        () => this.wait(act, progress),
        () => location.assign(act.url),
      );
  }

  private async loadWaiting(): Promise<void> {
    const { WaitingActs } = await import("./waiting-acts");
    this.waiting ??= new WaitingActs(
      this.section,
      (act) => this.post(act),
      (menu) => {
        this.show();
        this.fresh?.change(openerOf(menu)?.closest("tr"));
      },
    );
  }

  /** Ignore presses on rows that have just come under the pointer: acts take rows away. */
  private guardRows(pressed?: Element): void {
    if (this.isGuarded) return;
    this.isGuarded = true;
    import("./fresh-rows").then(
      (m) => {
        this.fresh = new m.FreshRows(this.section, pressed);
      },
      () => {
        this.isGuarded = false;
      },
    );
  }

  /** Return whether it is done. */
  private async post(act: Act): Promise<boolean> {
    const { url, menu, name } = act;
    if (this.underWay.has(url)) return false;
    this.clear(menu);
    const actions = actionsOf(openerOf(menu)?.closest("tr"));
    this.underWay.add(url);
    this.show();
    const { problem, isStale } = await send(url, this.fields(url), (undo) => void this.post({ ...act, url: undo }));
    this.underWay.delete(url);
    if (!problem) this.formIds.delete(url);
    else if (openerOf(menu)) this.problems.set(menu, { name, text: problem, shown: told(problem) });
    else toast({ tone: "danger", title: name, text: problem }); // the list went on to other rows
    this.show();
    closeMenu(menu);
    this.last = problem || this.waiting?.has(menu) ? null : { menu, actions };
    if (!problem || isStale) this.readAnew(problem ? "" : menu);
    return !problem;
  }

  /** After an act that took itself away from its row, the focus goes on to the next row for which all of it is open. */
  goOn(): void {
    const { menu, actions } = this.last ?? { menu: "", actions: "" };
    const opener = openerOf(menu);
    const row = opener?.closest("tr");
    const { activeElement } = document;
    this.last = null;
    this.waiting?.sweep();
    this.tellOfGone();
    // A button in sight went with the row that was drawn anew.
    const wasHere = activeElement === opener || (activeElement === document.body && opener?.matches("td"));
    if (!row || !wasHere || actionsOf(row) === actions) return;
    const rows = [...this.section.querySelectorAll("tbody tr")];
    const place = rows.indexOf(row);
    const next = [...rows.slice(place + 1), ...rows.slice(0, place)].find((each) => actionsOf(each) === actions);
    if (next) focus(this.section, ...controlsOf(next));
  }

  /** Tell in a toast why an act was not done on a row that is not in the list any more. */
  private tellOfGone(): void {
    for (const [menu, { name, text }] of this.problems) {
      if (openerOf(menu)) continue;
      this.problems.delete(menu);
      toast({ tone: "danger", title: name, text });
    }
  }

  private fields(url: string): FormData {
    const formId = this.formIds.get(url) ?? newFormId();
    this.formIds.set(url, formId);
    const fields = new FormData(this.form);
    fields.set("form_id", formId);
    fields.set("back", location.pathname + location.search);
    // The token is in the header, which is made anew when somebody had to log in again.
    fields.delete("csrfmiddlewaretoken");
    return fields;
  }

  /** Show in the rows, whoever has drawn them, what is under way and what was not done. */
  show(): void {
    for (const button of this.section.querySelectorAll("button[formaction]")) {
      const isBusy = this.underWay.has(addressOf(button));
      if (!isBusy && !button.hasAttribute("aria-busy")) continue;
      for (const name of ["aria-busy", "aria-disabled"]) setAttribute(button, name, isBusy ? "true" : "");
    }
    for (const [menu, { shown }] of this.problems) {
      const head = openerOf(menu)?.closest("tr")?.querySelector("th");
      if (!head || head.contains(shown)) continue;
      if (shown.parentElement) shown.removeAttribute("role"); // it was announced in the row that stood here before
      head.append(shown);
    }
    this.waiting?.show();
    this.fresh?.note();
  }

  /** Take the problems away: the list goes on to other rows. */
  forget(): void {
    for (const menu of this.problems.keys()) this.clear(menu);
  }

  private clear(menu: string): void {
    this.problems.get(menu)?.shown.remove();
    this.problems.delete(menu);
  }
}

/** Carry an act out, and tell that it is done, with what undoes it; return why it is not, and whether its row changed. */
async function send(
  url: string,
  fields: FormData,
  onUndo: (url: string) => void,
): Promise<{ problem: string; isStale: boolean }> {
  let isStale = false;
  try {
    // It arrives even if the page is left.
    const { ok, message, undo, item } = await postForm<Told>(url, fields, { keepalive: true });
    isStale = item?.is_stale === true;
    if (!ok) throw new Failure("refused", message);
    const next = item?.next;
    const action = undo
      ? { label: gettext("Undo"), run: () => onUndo(undo) }
      : next && { label: next.label, run: () => location.assign(next.href) };
    toast({ tone: "success", title: message, ...(action && { action }) });
    return { problem: "", isStale };
  } catch (error) {
    return { problem: explain(error), isStale };
  }
}

/** What can be done with a row, in one word. */
function actionsOf(row: Element | null | undefined): string {
  return controlsOf(row)
    .map((action) => action.textContent)
    .join("\n");
}

function told(problem: string): HTMLElement {
  const text = element("p", { class: "field-error", role: "alert" });
  text.textContent = problem;
  return text;
}

/** Close the menu of a row and return the focus to its button. */
function closeMenu(id: string): void {
  const menu = document.getElementById(id);
  const { activeElement } = document;
  if (!menu?.matches("[popover]")) return;
  menu.hidePopover();
  // Safari does not focus a button that is clicked.
  if (menu.contains(activeElement) || activeElement === document.body) openerOf(id)?.focus({ preventScroll: true });
}

/** Where a button posts to; what stands in the page begins at the address of the list. */
function addressOf(button: Element): string {
  return new URL(button.getAttribute("formaction") ?? "", location.href).pathname;
}

/** A UUID, by other means than `randomUUID`, which browsers have on https only. */
function newFormId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
