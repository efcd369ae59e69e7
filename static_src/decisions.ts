// The script of the page of what waits for a decision, which works without it: what decides in place is loaded when it is wanted.

import { focusScrollingTables } from "./behaviors/scrolling";
import { isSupported } from "./lib/supported";
import { whenNeeded } from "./runtime/when-wanted";

if (isSupported()) {
  const region = document.querySelector<HTMLElement>("[data-decisions]");
  if (region) whenNeeded(region, () => void import("./islands/list/decide").then((m) => m.initDecisions(region)));
  focusScrollingTables();
}
