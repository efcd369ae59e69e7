// The side panel with one row of a list, which templates/groups/user_panel.html renders for an address with `user`. Here
// it follows the address, Escape closes it, and where there is space for it, a click on a row opens it.

/** Show the panel only at its own address, and mark its row. */
export function fitPanel(): void {
  const id = new URLSearchParams(location.search).get("user");
  const panel = document.querySelector<HTMLElement>(".beside > aside");
  if (panel) panel.hidden = !id;
  for (const row of document.querySelectorAll("tbody tr")) {
    if (panel && id && idOf(row) === id) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

/** Open and close it until the returned function is called. */
export function servePanel(): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  document.addEventListener(
    "click",
    (event) => {
      const target = event.target as Element;
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (target.closest(".beside > aside [data-close]")) close(event);
      else open(target);
    },
    { signal },
  );
  // Before the toasts: Escape in the panel closes the panel.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && (event.target as Element).closest(".beside > aside")) close(event);
    },
    { signal, capture: true },
  );
  return () => gone.abort();
}

/** Permanently: its address is replaced, so Back does not reopen it. */
function close(event: Event): void {
  const panel = document.querySelector(".beside > aside");
  const link = panel?.querySelector<HTMLAnchorElement>("[data-close]");
  const next =
    document.querySelector<HTMLElement>("tr[aria-current] th a") ?? document.querySelector<HTMLElement>("section.list");
  if (!link) return;
  event.preventDefault();
  history.replaceState(null, "", link.href);
  panel?.remove();
  fitPanel();
  next?.focus();
}

/** A click outside of controls, and outside of names and addresses, which people select to copy. */
function open(target: Element): void {
  const row = target.closest("tbody tr");
  const id = row && !target.closest("a, button, input, bdi, .row-select, .row-actions") && idOf(row);
  if (!id || getSelection()?.toString() || !matchMedia("(width >= 80em)").matches) return;
  const address = new URL(location.href);
  address.searchParams.set("user", id);
  location.assign(address);
}

/** The row's name links to its page, whose address ends with its id. */
function idOf(row: Element): string | undefined {
  return row.querySelector<HTMLAnchorElement>("th a")?.pathname.split("/").at(-1);
}
