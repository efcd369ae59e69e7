// A menu closes when the focus leaves it by Tab: it would cover what has the focus next. Loaded with the first that opens.

export function closeLeftMenus(): void {
  document.addEventListener("focusin", (event) => {
    const target = event.target as Element;
    for (const menu of document.querySelectorAll<HTMLElement>(":popover-open:not(dialog)")) {
      if (!menu.contains(target) && target.getAttribute("popovertarget") !== menu.id) menu.hidePopover();
    }
  });
}
