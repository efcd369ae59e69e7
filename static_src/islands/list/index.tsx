// Every list: searched while typing, sorted, filtered and paged without leaving the page.

import { stopWhereTablesScroll } from "../../behaviors/scrolling";
import { tellWholeTexts } from "../../behaviors/whole-texts";
import { ready } from "../../lib/i18n";
import { LiveList } from "./live-list";

let isFirst = true;

export async function start(section: HTMLElement): Promise<void> {
  await ready;
  new LiveList(section);
  if (isFirst) {
    stopWhereTablesScroll();
    tellWholeTexts();
  }
  isFirst = false;
}
