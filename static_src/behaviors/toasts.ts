// Toasts at the top of the inline end: at most five, each for five seconds, or ten with an action, which pause while the
// pointer or the focus is on them or the tab is hidden. F8 moves the focus to the newest one (behaviors/search-key.ts);
// closing it moves the focus back. Toasts report what an island did without leaving the page; the result of a form is
// shown on the next page.

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

interface Shown {
  readonly element: HTMLElement;
  left: number;
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
  private readonly shown: Shown[] = [];
  /** What had the focus before it went to the toasts. */
  private before: EventTarget | null = null;

  constructor(private readonly region: HTMLElement) {
    for (const event of ["mouseenter", "focusin"]) region.addEventListener(event, () => this.stop());
    region.addEventListener("focusin", ({ relatedTarget }) => {
      if (!region.contains(relatedTarget as Node | null)) this.before = relatedTarget;
    });
    for (const event of ["mouseleave", "focusout"])
      region.addEventListener(event, () => setTimeout(() => this.settle()));
    document.addEventListener("visibilitychange", () => this.settle());
    document.addEventListener("keydown", (event) => {
      // An open dialog or menu handles Escape itself.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], :popover-open"))
        return;
      const last = this.shown.at(-1);
      if (last) this.close(last);
    });
    for (const event of ["scroll", "resize", "focusin"])
      window.addEventListener(event, () => this.place(), { passive: true });
  }

  add(toast: Toast): void {
    this.markNewest(null);
    const element = this.draw(toast);
    if (toast.about) element.dataset.about = toast.about;
    // The same message, or one about the same, replaces the older one, and is announced again.
    const isSame = (shown: Shown) =>
      shown.element.isEqualNode(element) || (toast.about && shown.element.dataset.about === toast.about);
    const older = this.shown.find(isSame) ?? this.shown.at(-MAX_TOASTS);
    if (older) this.close(older);
    const shown: Shown = { element, left: (toast.action ? ACTION_SECONDS : SECONDS) * 1000, since: 0, timer: 0 };
    for (const button of element.querySelectorAll("button"))
      button.addEventListener("click", () => this.close(shown, button.matches(".button")));
    this.shown.push(shown);
    this.markNewest();
    const role = toast.tone === "danger" || toast.tone === "warning" ? "alert" : "status";
    this.region.querySelector(`[role="${role}"]`)?.append(element);
    this.place();
    this.settle();
  }

  private close(shown: Shown, isActedOn = false): void {
    const place = this.shown.indexOf(shown);
    if (place < 0) return;
    clearTimeout(shown.timer);
    this.shown.splice(place, 1);
    this.markNewest();
    const hadFocus = shown.element.contains(document.activeElement);
    shown.element.remove();
    if (hadFocus) this.moveFocus(isActedOn);
    this.place();
    this.settle();
  }

  /** F8 goes there: errors and other messages are in two regions. */
  private markNewest(newest: Shown | null | undefined = this.shown.at(-1)): void {
    for (const shown of this.shown) shown.element.toggleAttribute("data-newest", shown === newest);
  }

  /** To the next toast, if that was only closed, and else back to where it was; it must not fall to the top of the page. */
  private moveFocus(isActedOn: boolean): void {
    const next = isActedOn ? null : this.region.querySelector("button");
    const before = this.before instanceof HTMLElement && this.before.isConnected ? this.before : null;
    (next ?? before ?? document.getElementById("main"))?.focus({ preventScroll: true });
  }

  /** Run the timers, unless the toasts are in use. */
  private settle(): void {
    this.stop();
    if (document.hidden || this.region.matches(":hover") || this.region.contains(document.activeElement)) return;
    for (const shown of this.shown) {
      shown.since = Date.now();
      shown.timer = window.setTimeout(() => this.close(shown), shown.left);
    }
  }

  private stop(): void {
    for (const shown of this.shown) {
      if (!shown.timer) continue;
      clearTimeout(shown.timer);
      shown.timer = 0;
      shown.left = Math.max(0, shown.left - (Date.now() - shown.since));
    }
  }

  /** Below the keyboard's focus where they would cover it (WCAG 2.4.11), and else in their own place. */
  private place(): void {
    // A toast that has the focus stays where it is, so that it can be closed.
    if (this.region.contains(document.activeElement)) return;
    this.region.style.removeProperty("--toasts-start");
    const focused = document.querySelector<HTMLElement>(":focus-visible");
    if (!focused || focused.tabIndex < 0) return;
    const [at, here] = [focused.getBoundingClientRect(), this.region.getBoundingClientRect()];
    const isCovered = at.left < here.right && at.right > here.left && at.top < here.bottom && at.bottom > here.top;
    const start = at.bottom + GAP;
    if (isCovered && start + here.height <= innerHeight) this.region.style.setProperty("--toasts-start", `${start}px`);
  }

  private draw({ tone, title, text, action }: Toast): HTMLElement {
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
