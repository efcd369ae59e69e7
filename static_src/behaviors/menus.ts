// A menu closes when the focus leaves it by Tab: it would cover what has the focus next. Loaded with the first that opens.

export function closeLeftMenus(): void {
  const close = (target: Element | null) => {
    for (const menu of document.querySelectorAll<HTMLElement>(":popover-open:not(dialog)")) {
      if (target && !menu.contains(target) && target.getAttribute("popovertarget") !== menu.id) menu.hidePopover();
    }
  };
  document.addEventListener("focusin", (event) => close(event.target as Element));
  // The focus may have left the first one while this was on its way.
  if (document.activeElement !== document.body) close(document.activeElement);
}
