// What waits for a decision is decided in place: the row goes, another one comes, and what was ticked stays ticked. The
// server draws all of it, so the page is read again, and what is about this kind is taken from it.

import { tellWholeTexts } from "../../behaviors/whole-texts";
import { gettext, ready } from "../../lib/i18n";
import { Acts } from "./acts";
import { element, setAttribute } from "./dom";
import { keepPlace } from "./place";

/** The counts change with each decision. */
const COUNTS = [".navigation ul", ".bell"];
/** Milliseconds: longer than the console takes for any page. */
const PATIENCE = 30_000;

export async function decideInPlace(region: HTMLElement): Promise<void> {
  await ready;
  for (const section of region.querySelectorAll<HTMLElement>("section")) {
    const form = document.getElementById(section.dataset.acts ?? "");
    if (form instanceof HTMLFormElement) decide(section, form);
  }
  tellWholeTexts();
  region.dataset.decisions = "ready";
}

function decide(section: HTMLElement, form: HTMLFormElement): void {
  /** Only the newest reading tells what is true. */
  let reading: XMLHttpRequest | undefined;
  /** The menus of what was done and is not drawn yet. */
  const undrawn = new Set<string>();
  const acts = new Acts(form, section, (menu) => {
    reading?.abort();
    if (menu) undrawn.add(menu);
    section.ariaBusy = "true";
    reading = readPage((page) => {
      section.ariaBusy = null;
      if (!page) return undrawn.forEach(tellDone);
      undrawn.clear();
      const restore = keepPlace(section);
      const ticked = new Set(boxesOf(section).flatMap((box) => (box.checked ? [box.value] : [])));
      take(page, `#${section.id}`);
      for (const counts of COUNTS) take(page, counts);
      for (const box of boxesOf(section)) box.checked = ticked.has(box.value);
      acts.show();
      restore();
      acts.goOn();
    });
  });
}

/** Say in the row that it is done where the page can't be read again: it is not offered once more, and the page is. */
function tellDone(menu: string): void {
  const row = document.getElementById(menu)?.closest("tr");
  const actions = row?.querySelector(".row-actions");
  if (!actions) return;
  const isHere = actions.contains(document.activeElement);
  const told = element("p", { role: "status" });
  const again = element("a", { href: location.href });
  again.textContent = gettext("Load the page again");
  told.append(gettext("This is done, but the page could not be read again."), " ", again);
  row?.querySelector("th")?.append(told);
  actions.replaceChildren();
  if (isHere) again.focus();
}

/**
 * Read this page again; null where it can't be had. The browser's own reader of documents, because under the policy of the
 * page (Trusted Types) no script makes HTML of text.
 */
function readPage(onEnd: (page: Document | null) => void): XMLHttpRequest {
  const request = new XMLHttpRequest();
  request.open("GET", location.href);
  request.responseType = "document";
  request.timeout = PATIENCE;
  request.addEventListener("load", () => {
    // Somebody has to log in, or the service is at rest: that page is for the whole window.
    if (request.responseURL !== location.href.split("#")[0]) location.assign(request.responseURL);
    else onEnd(request.status === 200 ? request.responseXML : null);
  });
  for (const event of ["error", "timeout"]) request.addEventListener(event, () => onEnd(null));
  request.send();
  return request;
}

/** Let a part of the page be as it is in the other. */
function take(page: Document, selector: string): void {
  const part = page.querySelector(selector);
  const here = document.querySelector(selector);
  if (!part || !here) return;
  setAttribute(here, "aria-label", part.getAttribute("aria-label") ?? "");
  here.replaceChildren(...part.childNodes);
}

function boxesOf(section: HTMLElement): HTMLInputElement[] {
  return [...section.querySelectorAll<HTMLInputElement>("tbody [name=id]")];
}
