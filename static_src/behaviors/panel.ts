// The side panel with one row of a list, which the server renders for an address that names the row. Here it is brought
// into the page, so that the list keeps its place; it follows the address, the arrow keys move it to the next row, and
// Escape closes it. `data-panel` is around the list: the name of the parameter. Where there is no space next to the list,
// the panel is a sheet over it.

import { PageEvent } from "../lib/events";

const SHEET = "(width < 80em)";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

let reading: XMLHttpRequest | undefined;
/** The row that is being read: the next arrow key continues from there. */
let readingId = "";

/** `early` came before this script. */
export function openRowsInPanel(early: readonly MouseEvent[] = []): void {
  const parameter = document.querySelector<HTMLElement>("[data-panel]")?.dataset.panel;
  if (!parameter) return;
  const follow = () => followAddress(parameter);
  const clicked = (event: MouseEvent) => {
    const target = event.target as Element;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (target.closest(".panel [data-close]") || isOutside(event)) close(event, parameter);
    else openRowAt(event, parameter);
  };
  document.addEventListener("click", clicked);
  document.addEventListener("keydown", (event) => walk(event, parameter));
  // Before the toasts: Escape in the panel closes the panel. A phone's way back cancels a sheet.
  for (const type of ["keydown", "cancel"]) {
    document.addEventListener(
      type,
      (event) => {
        const isMeant = event instanceof KeyboardEvent ? event.key === "Escape" : true;
        if (isMeant && isAtPanel(event.target as Element)) close(event, parameter);
      },
      { capture: true },
    );
  }
  document.addEventListener(PageEvent.ListRendered, follow);
  for (const [on, type] of [
    [window, "popstate"],
    [matchMedia(SHEET), "change"],
  ] as const)
    on.addEventListener(type, follow);
  follow();
  for (const click of early) clicked(click);
}

function panelNow(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>(".panel");
}

/** Show the panel only at its own address, and mark its row. */
function followAddress(parameter: string): void {
  const id = new URLSearchParams(location.search).get(parameter);
  const panel = panelNow();
  if (panel) show(panel, panel.dataset.of === id);
  for (const row of document.querySelectorAll("[data-panel] tbody tr")) {
    if (panel && id && getId(row) === id) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

function show(panel: HTMLDialogElement, isOpen: boolean): void {
  const isSheet = isOpen && matchMedia(SHEET).matches;
  if (panel.open === isOpen && panel.matches(":modal") === isSheet) return;
  if (panel.open) panel.close();
  if (isSheet) panel.showModal();
  else panel.open = isOpen; // next to the list, it takes no focus
}

/** Permanently: its address is replaced, so Back does not reopen it. */
function close(event: Event, parameter: string): void {
  const panel = panelNow();
  const link = panel?.querySelector<HTMLAnchorElement>("[data-close]");
  const next =
    document.querySelector<HTMLElement>("tr[aria-current] th a") ?? document.querySelector<HTMLElement>("section.list");
  if (!link) return;
  event.preventDefault();
  history.replaceState(null, "", link.href);
  panel?.remove();
  followAddress(parameter);
  next?.focus({ preventScroll: true });
}

/** A press on what a sheet leaves of the page. */
function isOutside({ target, clientX, clientY }: MouseEvent): boolean {
  const panel = panelNow();
  if (!panel || target !== panel || !panel.matches(":modal")) return false;
  const box = panel.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** In the panel, or at the name of a row while it is open. */
function isAtPanel(target: Element): boolean {
  return target.closest(".panel") !== null || (panelNow()?.open === true && target.matches("[data-panel] tbody th a"));
}

/**
 * A click on a name, which the loader keeps from leading to its page (panel-loader.ts), or outside of controls and of
 * texts that people select to copy.
 */
function openRowAt(event: MouseEvent, parameter: string): void {
  const target = event.target as Element;
  const row = target.closest("[data-panel] tbody tr");
  const isName = event.defaultPrevented && target.closest("th a") !== null;
  if (!row || (!isName && target.closest("a, button, input, bdi, td:has(> [name=id]), .row-actions"))) return;
  const id = getId(row);
  if (id && (isName || !getSelection()?.toString())) void open(id, parameter);
}

/** The arrow keys show the next or the previous row; Enter at the heading opens the page. */
function walk(event: KeyboardEvent, parameter: string): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !isAtPanel(target)) return;
  if (event.key === "Enter" && target.matches(".panel [data-focus]"))
    panelNow()?.querySelector<HTMLElement>("[data-page]")?.click();
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const ids = [...document.querySelectorAll("[data-panel] tbody tr")].flatMap((row) => getId(row) ?? []);
  const id = ids[ids.indexOf(readingId || (panelNow()?.dataset.of ?? "")) + step];
  if (id) void open(id, parameter);
}

async function open(id: string, parameter: string): Promise<void> {
  const address = new URL(location.href);
  address.searchParams.set(parameter, id);
  const from = location.href;
  readingId = id;
  const panel = await read(address.href);
  readingId = "";
  if (location.href !== from) return; // the page has another address by now
  const container = document.querySelector(".beside");
  if (!panel || !container) {
    location.assign(address);
    return;
  }
  const old = panelNow();
  history[old?.open ? "replaceState" : "pushState"](null, "", address);
  old?.remove();
  panel.open = false;
  container.prepend(panel);
  followAddress(parameter);
  document.querySelector("[data-panel] tr[aria-current]")?.scrollIntoView({ block: "nearest" });
  panel.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
}

/** The panel of that page; null where it can't be read: the page itself then says why. Read as a document, so that no text becomes HTML here. */
function read(address: string): Promise<HTMLDialogElement | null> {
  reading?.abort();
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    reading = request;
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => done(request.response?.querySelector(".panel") ?? null);
    request.onerror = () => done(null);
    request.send();
  });
}

/** The row's name links to its page, whose address ends with its id. */
function getId(row: Element): string | undefined {
  return row.querySelector<HTMLAnchorElement>("th a")?.pathname.split("/").at(-1);
}
