// A menu closes when the focus leaves it by Tab, or it would cover the next focused element. Loaded when the first opens.

export function closeLeftMenus(): void {
  const close = (target: Element | null) => {
    for (const menu of document.querySelectorAll<HTMLElement>(":popover-open:not(dialog)")) {
      if (target && !menu.contains(target) && target.getAttribute("popovertarget") !== menu.id) menu.hidePopover();
    }
  };
  document.addEventListener("focusin", (event) => close(event.target as Element));
  // The focus may have left the first menu while this script was loading.
  if (document.activeElement !== document.body) close(document.activeElement);
}
