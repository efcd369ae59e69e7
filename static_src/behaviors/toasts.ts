// Toasts at the top of the inline end: at most five, each for five seconds, which pause while somebody looks at them or
// the tab is hidden. They are for what an island did while one stays in the page, which shows the outcome, too; what a
// form did is told by the page that it leads to.

import { PageEvent } from "../lib/events";
import type { Toast, Tone } from "../lib/toasts";

const MOST = 5;
const SECONDS = 5;
const GAP = 12;
const HEADING = "h1, h2";
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

/** Show what islands tell; `early` came before this script. */
export function showToasts(early: readonly Toast[] = []): void {
  const region = document.getElementById("toasts");
  if (!region) return;
  const toasts = new Toasts(region);
  document.addEventListener(PageEvent.Toast, (event) => toasts.add((event as CustomEvent<Toast>).detail));
  for (const toast of early) toasts.add(toast);
}

class Toasts {
  private readonly shown: Shown[] = [];

  constructor(private readonly region: HTMLElement) {
    for (const event of ["mouseenter", "focusin"]) region.addEventListener(event, () => this.stop());
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

  add(told: Toast): void {
    const element = this.draw(told);
    if (told.about) element.dataset.about = told.about;
    // The same message, or one about the same, replaces the older one, and is announced again.
    const isSame = (shown: Shown) =>
      shown.element.isEqualNode(element) || (told.about && shown.element.dataset.about === told.about);
    const older = this.shown.find(isSame) ?? this.shown.at(-MOST);
    if (older) this.close(older);
    const shown: Shown = { element, left: SECONDS * 1000, since: 0, timer: 0 };
    for (const button of element.querySelectorAll("button")) button.addEventListener("click", () => this.close(shown));
    this.shown.push(shown);
    const role = told.tone === "danger" || told.tone === "warning" ? "alert" : "status";
    this.region.querySelector(`[role="${role}"]`)?.append(element);
    this.place();
    this.settle();
  }

  private close(shown: Shown): void {
    const place = this.shown.indexOf(shown);
    if (place < 0) return;
    clearTimeout(shown.timer);
    this.shown.splice(place, 1);
    const hadFocus = shown.element.contains(document.activeElement);
    shown.element.remove();
    // Focus must not fall back to the top of the page.
    if (hadFocus) (this.region.querySelector("button") ?? document.getElementById("main"))?.focus();
    this.place();
    this.settle();
  }

  /** Run the timers, unless somebody is looking. */
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

  /** Below the header, without covering a heading, a link, a field, a button or the focused element of the page; where
      there is no space for that, no heading, link or button; then numbers that lead on, which stand in every row; then
      no button; at last not what the page is for. */
  private place(): void {
    // A toast that somebody is about to click stays where it is.
    if (this.shown.length === 0 || this.region.contains(document.activeElement)) return;
    const header = document.querySelector(".header")?.getBoundingClientRect();
    const below = (what: string, end = "") => {
      this.region.style.setProperty("--toasts-end", end);
      const { left, right, height } = this.region.getBoundingClientRect();
      let start = Math.max(header?.bottom ?? 0, 0) + GAP;
      const controls = [...document.querySelectorAll<HTMLElement>(what)]
        // Headings, boxes and the page itself get the focus to be read, not to be used.
        .filter((control) => control.tabIndex >= 0 || (what.includes(HEADING) && control.matches(HEADING)))
        .filter((control) => !control.matches(".bulk-bar *"))
        .map(boxOf)
        .filter((at) => at.height && at.left < right && at.right > left)
        .sort((one, other) => one.top - other.top);
      for (const at of controls) if (at.top < start + height + GAP && at.bottom > start - GAP) start = at.bottom + GAP;
      return { start, fits: start + height <= innerHeight };
    };
    const primary = "[data-primary], :focus";
    const buttons = `main :is(button, .button), ${primary}`;
    const links = `main :is(a, ${HEADING}), ${buttons}`;
    const texts = links.replace("a,", ":not([data-kind=number]) > a,");
    for (const what of [`main :is(input, select, textarea), ${links}`, links, texts, buttons, primary]) {
      let place = below(what);
      // The menus of rows are one below another: where there is no space between them, there is some beside them.
      if (!place.fits && what !== primary) place = below(what, "8rem");
      this.region.style.setProperty("--toasts-start", `${place.start}px`);
      if (place.fits) break;
    }
  }

  private draw({ tone, title, text, action }: Toast): HTMLElement {
    const words = element("div", "toast-text", element("p", "toast-title", title));
    if (text) words.append(element("p", "muted", text));
    const close = element("button", "icon-button", this.icon("x"));
    close.type = "button";
    close.ariaLabel = this.region.dataset.closeLabel ?? "";
    const toast = element("div", "toast", this.icon(ICONS[tone]), words);
    if (action) {
      const button = element("button", "button", action.label);
      button.type = "button";
      button.addEventListener("click", action.run);
      toast.append(button);
    }
    toast.append(close);
    toast.dataset.tone = tone;
    return toast;
  }

  private icon(name: string): SVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `${this.region.dataset.icons}#${name}`);
    svg.append(use);
    return svg;
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

/** Of a heading, which is as wide as the page, its text. */
function boxOf(control: Element): DOMRect {
  if (!control.matches(HEADING)) return control.getBoundingClientRect();
  const text = document.createRange();
  text.selectNodeContents(control);
  return text.getBoundingClientRect();
}
