// Every list: searched while typing, sorted, filtered and paged without leaving the page.

import { initAddressButtons } from "../../behaviors/copy";
import { focusScrollingTables } from "../../behaviors/scrolling";
import { showFullTexts } from "../../behaviors/whole-texts";
import { gettext, ready } from "../../lib/i18n";
import { toast } from "../../lib/toasts";
import { renderInto } from "../../runtime/mount";
import { List } from "./List";
import { readPage } from "./server-page";

let isFirst = true;

export async function start(section: HTMLElement): Promise<void> {
  await ready;
  const page = readPage(section);
  await renderInto(page.problems, (onMount) => <List page={page} onMount={onMount} />);
  if (isFirst) {
    focusScrollingTables();
    showFullTexts();
    initAddressButtons();
    reportExports();
  }
  isFirst = false;
}

/** The browser may take a while until it shows a file. */
function reportExports(): void {
  document.addEventListener("click", ({ target }) => {
    // Translators: a message after a click on “Export CSV” or “Export XLSX”.
    if ((target as Element).closest("[data-download]")) toast({ tone: "info", title: gettext("Export started.") });
  });
}
