// The side panel is loaded with the first click in a page whose list has one, or at once where it is open already.

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
      // Without a connection, links lead to pages, and the next click tries again.
      () => {
        isLoading = false;
        early.length = 0;
      },
    );
  };
  const collect = (click: MouseEvent) => {
    early.push(click);
    load();
  };
  document.addEventListener("click", collect);
  if (document.querySelector(".panel")) load();
}
