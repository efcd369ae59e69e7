// Open menus. By keyboard, the arrow keys go through one, where they would scroll the page behind it, down its columns or
// from one to the next. It closes when the focus leaves it by Tab, or it would cover the next focused element. What leaves
// the page as it is closes it, too: a file, whose `data-download` says so, or the selection of rows. Loaded when the first
// menu opens.

import { updateLanguageLinks } from "./language-links";

const MENU = ":popover-open:not(dialog)";
const ITEMS = "a[href], button, input[type=checkbox]";

export function initMenus(): void {
  updateLanguageLinks();
  const close = (target: Element | null) => {
    for (const menu of document.querySelectorAll<HTMLElement>(":popover-open")) {
      // A press on words or on a blank spot in the menu focuses what is around it, such as the list.
      const isNear = !target || menu.contains(target) || target.contains(menu);
      if (!isNear && target.getAttribute("popovertarget") !== menu.id) menu.hidePopover();
    }
  };
  document.addEventListener("focusin", (event) => close(event.target as Element));
  document.addEventListener("keydown", (event) => step(event));
  document.addEventListener("click", (event) => finish(event.target as Element));
  // The focus may have left the first menu while this script was loading.
  if (document.activeElement !== document.body) close(document.activeElement);
}

function finish(target: Element): void {
  if (!target.closest("[data-download]")) return;
  for (const menu of document.querySelectorAll<HTMLElement>(MENU)) menu.hidePopover();
}

/** From the button that opened the menu, or from one of its items; fields keep their arrow keys. */
function step(event: KeyboardEvent): void {
  const focused = document.activeElement;
  const menu = [...document.querySelectorAll<HTMLElement>(MENU)].at(-1);
  if (!menu || !focused || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  // Safari does not focus a button that is clicked.
  const isOpener = focused === document.body || focused.getAttribute("popovertarget") === menu.id;
  if (!(menu.contains(focused) ? focused.matches(ITEMS) : isOpener)) return;
  const items = [...menu.querySelectorAll<HTMLElement>(ITEMS)].filter((item) => item.checkVisibility());
  const from = items.indexOf(focused as HTMLElement);
  const targets: Record<string, number> = {
    ArrowDown: (from + 1) % items.length,
    ArrowUp: Math.max(from, 0) - 1,
    Home: 0,
    End: -1,
  };
  const offset = Number(event.key === "ArrowRight") - Number(event.key === "ArrowLeft");
  const index = targets[event.key];
  if (index === undefined && !offset) return;
  const item = index === undefined ? neighbor(items, focused, offset) : items.at(index);
  if (!item) return;
  event.preventDefault();
  item.focus();
}

/** The item next to the focused one, in the same line. */
function neighbor(items: readonly HTMLElement[], focused: Element, offset: number): HTMLElement | undefined {
  const boxes = items.map((item) => ({ item, box: item.getBoundingClientRect() }));
  const { top } = focused.getBoundingClientRect();
  const line = boxes.filter(({ box }) => Math.abs(box.top - top) < 2).sort((a, b) => a.box.left - b.box.left);
  const at = line.findIndex(({ item }) => item === focused);
  return at < 0 ? undefined : line[at + offset]?.item;
}
