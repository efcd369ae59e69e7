// The side panel is loaded with the first click in a page whose list has one, or at once where it is open already. A click
// on the name of a row opens it in the panel, unless the window is a phone's: there it leads to the page of the row, like
// a click with Ctrl, Shift or the middle button everywhere.

const PHONE = "(width < 40em)";

/** Let rows open in the side panel (behaviors/panel.ts), from the first click on. */
export function loadPanelWhenNeeded(): void {
  if (!document.querySelector("[data-panel]")) return;
  const early: MouseEvent[] = [];
  let isLoading = false;
  const load = () => {
    if (isLoading) return;
    isLoading = true;
    import("./panel").then(
      (m) => {
        document.removeEventListener("click", collect);
        m.openRowsInPanel(early);
      },
      // Without a connection, the link leads to its page, and the next click tries again.
      () => {
        isLoading = false;
        const name = getName(early.at(-1));
        early.length = 0;
        if (name) location.assign(name.href);
      },
    );
  };
  const collect = (click: MouseEvent) => {
    early.push(click);
    load();
  };
  document.addEventListener("click", (click) => {
    if (getName(click) && !matchMedia(PHONE).matches) click.preventDefault();
  });
  document.addEventListener("click", collect);
  if (document.querySelector(".panel")) load();
}

/** The name that is clicked as any link is. */
function getName(click: MouseEvent | undefined): HTMLAnchorElement | null {
  if (click?.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return null;
  return (click.target as Element).closest<HTMLAnchorElement>("[data-panel] tbody th a");
}
