// Every list: searched while typing, sorted, filtered and paged without leaving the page.

import { ready } from "../../lib/i18n";
import { LiveList } from "./live-list";

export async function start(section: HTMLElement): Promise<void> {
  await ready;
  new LiveList(section);
}
