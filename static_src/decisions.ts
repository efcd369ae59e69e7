// The script of the page of what waits for a decision, which works without it: what decides in place is loaded when it is wanted.

import { stopWhereTablesScroll } from "./behaviors/scrolling";
import { isSupported } from "./lib/supported";
import { whenWanted } from "./runtime/when-wanted";

if (isSupported()) {
  const region = document.querySelector<HTMLElement>("[data-decisions]");
  if (region) whenWanted(region, () => void import("./islands/list/decide").then((m) => m.decideInPlace(region)));
  stopWhereTablesScroll();
}
