import { expect, test, vi } from "vitest";
import { initMenus } from "./menus";

/** happy-dom has no popovers: an open menu is one that its selector finds. */
function openMenu(): void {
  document.body.innerHTML =
    '<button popovertarget="menu">Menu</button><div id="menu"><a href="#one">One</a><a href="#two">Two</a></div>';
  const menu = document.getElementById("menu") as HTMLElement;
  menu.hidePopover = vi.fn();
  vi.spyOn(document, "querySelectorAll").mockReturnValue([menu] as never);
  for (const item of menu.children) (item as HTMLElement).checkVisibility = () => true;
}

function press(key: string): boolean {
  const target = document.activeElement ?? document.body;
  return target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

test("arrow keys go through a menu from its button, also if that has no focus (Safari)", () => {
  openMenu();
  initMenus();
  for (const focus of [
    () => document.querySelector("button")?.focus(),
    () => (document.activeElement as HTMLElement).blur(),
  ]) {
    focus();
    expect(press("ArrowDown")).toBe(false);
    expect(document.activeElement?.textContent).toBe("One");
    press("End");
    expect(document.activeElement?.textContent).toBe("Two");
  }
});

test("a menu closes when the focus leaves it, but not for what is around it", () => {
  openMenu();
  const menu = document.getElementById("menu") as HTMLElement;
  document.body.append(document.createElement("input"));
  document.body.tabIndex = -1;
  initMenus();
  document.querySelector("a")?.focus();
  document.body.focus();
  expect(menu.hidePopover).not.toHaveBeenCalled();
  document.querySelector("input")?.focus();
  expect(menu.hidePopover).toHaveBeenCalled();
});

test("a file closes the menu, a link to a page does not", () => {
  openMenu();
  const menu = document.getElementById("menu") as HTMLElement;
  initMenus();
  const [page, file] = menu.children as unknown as HTMLElement[];
  file?.setAttribute("data-download", "");
  page?.click();
  expect(menu.hidePopover).not.toHaveBeenCalled();
  file?.click();
  expect(menu.hidePopover).toHaveBeenCalled();
});

test("in a menu of columns the arrow keys go to the side, too, whichever way the page reads", () => {
  openMenu();
  initMenus();
  const [one, two] = (document.getElementById("menu") as HTMLElement).children as unknown as [HTMLElement, HTMLElement];
  one.getBoundingClientRect = () => new DOMRect(200, 10, 150, 44);
  two.getBoundingClientRect = () => new DOMRect(20, 10, 150, 44);
  one.focus();
  expect(press("ArrowRight")).toBe(true);
  expect(document.activeElement).toBe(one);
  expect(press("ArrowLeft")).toBe(false);
  expect(document.activeElement).toBe(two);
});
