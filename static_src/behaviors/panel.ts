// The side panel with one row of a list, which the server renders for an address that names the row. Here it follows the
// address, Escape closes it, and where there is space for it, a click on a row opens it. `data-panel` is around the list:
// the name of the parameter.

import { PageEvent } from "../lib/events";

export function openRowsBeside(): void {
  const parameter = document.querySelector<HTMLElement>("[data-panel]")?.dataset.panel;
  if (!parameter) return;
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (target.closest(".beside > aside [data-close]")) close(event, parameter);
    else open(target, parameter);
  });
  // Before the toasts: Escape in the panel closes the panel.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && (event.target as Element).closest(".beside > aside")) close(event, parameter);
    },
    { capture: true },
  );
  document.addEventListener(PageEvent.ListDrawn, () => followAddress(parameter));
  followAddress(parameter);
}

/** Show the panel only at its own address, and mark its row. */
function followAddress(parameter: string): void {
  const id = new URLSearchParams(location.search).get(parameter);
  const panel = document.querySelector<HTMLElement>(".beside > aside");
  if (panel) panel.hidden = !id;
  for (const row of document.querySelectorAll("[data-panel] tbody tr")) {
    if (panel && id && idOf(row) === id) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

/** Permanently: its address is replaced, so Back does not reopen it. */
function close(event: Event, parameter: string): void {
  const panel = document.querySelector(".beside > aside");
  const link = panel?.querySelector<HTMLAnchorElement>("[data-close]");
  const next =
    document.querySelector<HTMLElement>("tr[aria-current] th a") ?? document.querySelector<HTMLElement>("section.list");
  if (!link) return;
  event.preventDefault();
  history.replaceState(null, "", link.href);
  panel?.remove();
  followAddress(parameter);
  next?.focus();
}

/** A click outside of controls, and outside of names and addresses, which people select to copy. */
function open(target: Element, parameter: string): void {
  const row = target.closest("[data-panel] tbody tr");
  const id = row && !target.closest("a, button, input, bdi, td:has(> [name=id]), .row-actions") && idOf(row);
  if (!id || getSelection()?.toString() || !matchMedia("(width >= 80em)").matches) return;
  const address = new URL(location.href);
  address.searchParams.set(parameter, id);
  location.assign(address);
}

/** The row's name links to its page, whose address ends with its id. */
function idOf(row: Element): string | undefined {
  return row.querySelector<HTMLAnchorElement>("th a")?.pathname.split("/").at(-1);
}
