// Every list: searched while typing, sorted, filtered and paged without leaving the page.

import { createRoot } from "react-dom/client";
import { stopWhereTablesScroll } from "../../behaviors/scrolling";
import { tellWholeTexts } from "../../behaviors/whole-texts";
import { ready } from "../../lib/i18n";
import { List } from "./List";
import { readPage } from "./server-page";

let isFirst = true;

export async function start(section: HTMLElement): Promise<void> {
  await ready;
  const page = readPage(section);
  await new Promise<void>((resolve, reject) =>
    createRoot(page.problems, { onUncaughtError: reject }).render(<List page={page} onStart={resolve} />),
  );
  if (isFirst) {
    stopWhereTablesScroll();
    tellWholeTexts();
  }
  isFirst = false;
}
