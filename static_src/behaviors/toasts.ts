// Toasts at the top of the inline end, below the buttons and tabs of the page: at most five, each for five seconds, or
// ten with an action, which pause while the pointer or the focus is on them or the tab is hidden. F8 moves the focus to
// the newest one (behaviors/search-key.ts); closing it moves the focus back. Toasts report what an island did without
// leaving the page; the result of a form is shown on the next page.

import { PageEvent } from "../lib/events";
import { icon } from "../lib/icons";
import type { Toast, Tone } from "../lib/toasts";

const MAX_TOASTS = 5;
const SECONDS = 5;
/** Time to reach the action. */
const ACTION_SECONDS = 10;
const GAP = 12;
const ICONS: Record<Tone, string> = {
  success: "circle-check",
  info: "info",
  warning: "triangle-alert",
  danger: "circle-alert",
};

interface Item {
  readonly element: HTMLElement;
  remainingMs: number;
  since: number;
  timer: number;
}

/** Load their sheet, which most pages don't need. */
export async function loadSheet(): Promise<void> {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = document.getElementById("toasts")?.dataset.sheet ?? "";
  document.head.append(sheet);
  await new Promise((resolve) => {
    sheet.onload = sheet.onerror = resolve;
  });
}

/** Show toasts; `early` came before this script. */
export function showToasts(early: readonly Toast[] = []): void {
  const region = document.getElementById("toasts");
  if (!region) return;
  const toasts = new Toasts(region);
  document.addEventListener(PageEvent.Toast, (event) => toasts.add((event as CustomEvent<Toast>).detail));
  for (const toast of early) toasts.add(toast);
}

class Toasts {
  private readonly items: Item[] = [];
  /** What had the focus before it went to the toasts. */
  private before: EventTarget | null = null;

  constructor(private readonly region: HTMLElement) {
    for (const event of ["mouseenter", "focusin"]) region.addEventListener(event, () => this.pauseTimers());
    region.addEventListener("focusin", ({ relatedTarget }) => {
      if (!region.contains(relatedTarget as Node | null)) this.before = relatedTarget;
    });
    for (const event of ["mouseleave", "focusout"])
      region.addEventListener(event, () => setTimeout(() => this.runTimers()));
    document.addEventListener("visibilitychange", () => this.runTimers());
    document.addEventListener("keydown", (event) => {
      // An open dialog or menu handles Escape itself.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], :popover-open"))
        return;
      const last = this.items.at(-1);
      if (last) this.close(last);
    });
    for (const event of ["scroll", "resize", "focusin"])
      window.addEventListener(event, () => this.position(), { passive: true });
  }

  add(toast: Toast): void {
    this.markNewest(null);
    const element = this.render(toast);
    if (toast.about) element.dataset.about = toast.about;
    // The same message, or one about the same, replaces the older one, and is announced again.
    const isSame = (item: Item) =>
      item.element.isEqualNode(element) || (toast.about && item.element.dataset.about === toast.about);
    const older = this.items.find(isSame) ?? this.items.at(-MAX_TOASTS);
    if (older) this.close(older);
    const item: Item = { element, remainingMs: (toast.action ? ACTION_SECONDS : SECONDS) * 1000, since: 0, timer: 0 };
    for (const button of element.querySelectorAll("button"))
      button.addEventListener("click", () => this.close(item, button.matches(".button")));
    this.items.push(item);
    this.markNewest();
    document.querySelector("form[data-later]")?.removeAttribute("data-later");
    const role = toast.tone === "danger" || toast.tone === "warning" ? "alert" : "status";
    this.region.querySelector(`[role="${role}"]`)?.append(element);
    this.position();
    this.runTimers();
  }

  private close(item: Item, isActedOn = false): void {
    const position = this.items.indexOf(item);
    if (position < 0) return;
    clearTimeout(item.timer);
    this.items.splice(position, 1);
    this.markNewest();
    const hadFocus = item.element.contains(document.activeElement);
    item.element.remove();
    if (hadFocus) this.moveFocus(isActedOn);
    this.position();
    this.runTimers();
  }

  /** F8 goes there: errors and other messages are in two regions. */
  private markNewest(newest: Item | null | undefined = this.items.at(-1)): void {
    for (const item of this.items) item.element.toggleAttribute("data-newest", item === newest);
  }

  /** To the next toast, if that was only closed, and else back to where it was; it must not fall to the top of the page. */
  private moveFocus(isActedOn: boolean): void {
    const next = isActedOn ? null : this.region.querySelector("button");
    const before = this.before instanceof HTMLElement && this.before.isConnected ? this.before : null;
    // A list keeps the focus at its rows while it draws them again.
    const list = document.querySelector<HTMLElement>(".list");
    (next ?? before ?? list ?? document.getElementById("main"))?.focus({ preventScroll: true });
  }

  /** Run the timers, unless the toasts are in use. */
  private runTimers(): void {
    this.pauseTimers();
    if (document.hidden || this.region.matches(":hover") || this.region.contains(document.activeElement)) return;
    for (const item of this.items) {
      item.since = Date.now();
      item.timer = window.setTimeout(() => this.close(item), item.remainingMs);
    }
  }

  private pauseTimers(): void {
    for (const item of this.items) {
      if (!item.timer) continue;
      clearTimeout(item.timer);
      item.timer = 0;
      item.remainingMs = Math.max(0, item.remainingMs - (Date.now() - item.since));
    }
  }

  /** Below the page's buttons and tabs, and the keyboard's focus (WCAG 2.4.11), where they would cover them. */
  private position(): void {
    // A toast that has the focus stays where it is, so that it can be closed.
    if (this.region.contains(document.activeElement)) return;
    this.region.style.removeProperty("--toasts-start");
    for (const part of document.querySelectorAll(".page-actions, .tabs a, :focus-visible:not([tabindex='-1'])")) {
      const [at, region] = [part.getBoundingClientRect(), this.region.getBoundingClientRect()];
      const isCovered =
        at.left < region.right && at.right > region.left && at.top < region.bottom && at.bottom > region.top;
      const start = at.bottom + GAP;
      if (isCovered && start + region.height <= innerHeight)
        this.region.style.setProperty("--toasts-start", `${start}px`);
    }
  }

  private render({ tone, title, text, action }: Toast): HTMLElement {
    const words = element("div", "toast-text", element("p", "toast-title", title));
    if (text) words.append(element("p", "muted", text));
    const close = element("button", "icon-button", icon("x"));
    close.type = "button";
    close.ariaLabel = this.region.dataset.close ?? "";
    if (action) {
      const button = element("button", "button", action.label);
      button.type = "button";
      button.dataset.variant = "ghost";
      button.addEventListener("click", action.run);
      words.append(button);
    }
    const toast = element("div", "toast", icon(ICONS[tone]), words, close);
    toast.dataset.tone = tone;
    return toast;
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}
