// What waits for a decision is decided in place: the row goes, another one comes, and what was ticked stays ticked. The
// server draws all of it, so the page is read again, and what is about this kind is taken from it.

import { useLayoutEffect, useRef, useState } from "react";
import { showFullTexts } from "../../behaviors/whole-texts";
import { gettext, ready } from "../../lib/i18n";
import { Mounted, renderInto } from "../../runtime/mount";
import { element, setAttribute } from "./dom";
import { KeepFocus } from "./KeepFocus";
import { RowActions } from "./RowActions";

/** The counts change with each decision. */
const COUNTS = [".navigation-groups", ".bell"];
/** Milliseconds: longer than the console takes for any page. */
const READ_TIMEOUT_MS = 30_000;

export async function initDecisions(region: HTMLElement): Promise<void> {
  await ready;
  for (const section of region.querySelectorAll<HTMLElement>("section")) {
    const form = document.getElementById(section.dataset.acts ?? "");
    if (!(form instanceof HTMLFormElement)) continue;
    await renderInto(document.createElement("div"), (onMount) => (
      <>
        <Decisions section={section} form={form} />
        <Mounted onMount={onMount} />
      </>
    ));
  }
  showFullTexts();
  region.dataset.decisions = "ready";
}

function Decisions({ section, form }: { section: HTMLElement; form: HTMLFormElement }) {
  const [page, setPage] = useState<Document | null>(null);
  /** Only the newest reading says what is true. */
  const reading = useRef<XMLHttpRequest>(null);
  /** The menus of what was done and is not drawn yet. */
  const done = useRef(new Set<string>());

  function reread(menu: string): void {
    reading.current?.abort();
    if (menu) done.current.add(menu);
    section.ariaBusy = "true";
    reading.current = readPage((page) => {
      section.ariaBusy = null;
      if (!page) return done.current.forEach(showDone);
      done.current.clear();
      setPage(page);
    });
  }

  return (
    <KeepFocus section={section} drawing={page}>
      {page && <Rows section={section} page={page} />}
      <RowActions form={form} section={section} drawing={page} url="" onDone={reread} />
    </KeepFocus>
  );
}

/** The server's rows, as they are in a page; what was ticked stays ticked. */
function Rows({ section, page }: { section: HTMLElement; page: Document }) {
  useLayoutEffect(() => {
    const ticked = new Set(getCheckboxes(section).flatMap((box) => (box.checked ? [box.value] : [])));
    take(page, `#${section.id}`);
    for (const counts of COUNTS) take(page, counts);
    for (const box of getCheckboxes(section)) box.checked = ticked.has(box.value);
  }, [section, page]);
  return null;
}

/** Say in the row that it is done where the page can't be read again: it is not offered once more, and the page is. */
function showDone(menu: string): void {
  const row = document.getElementById(menu)?.closest("tr");
  const actions = row?.querySelector(".row-actions");
  if (!actions) return;
  const hadFocus = actions.contains(document.activeElement);
  const note = element("p", { role: "status" });
  const link = element("a", { href: location.href });
  link.textContent = gettext("Reload the page");
  note.append(gettext("Done, but the page couldn't be refreshed."), " ", link);
  row?.querySelector("th")?.append(note);
  actions.replaceChildren();
  if (hadFocus) link.focus();
}

/**
 * Read this page again; null where it can't be had. The browser's own reader of documents, because under the policy of the
 * page (Trusted Types) no script makes HTML of text.
 */
function readPage(onEnd: (page: Document | null) => void): XMLHttpRequest {
  const request = new XMLHttpRequest();
  request.open("GET", location.href);
  request.responseType = "document";
  request.timeout = READ_TIMEOUT_MS;
  request.addEventListener("load", () => {
    // A login or maintenance page is for the whole window.
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
  const target = document.querySelector(selector);
  if (!part || !target) return;
  setAttribute(target, "aria-label", part.getAttribute("aria-label") ?? "");
  target.replaceChildren(...part.childNodes);
}

function getCheckboxes(section: HTMLElement): HTMLInputElement[] {
  return [...section.querySelectorAll<HTMLInputElement>("tbody [name=id]")];
}
