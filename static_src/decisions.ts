// The script of the page of what waits for a decision, which works without it: what decides in place is loaded when it is wanted.

import { focusScrollingTables } from "./behaviors/scrolling";
import { isSupported } from "./lib/supported";
import { whenNeeded } from "./runtime/when-wanted";

if (isSupported()) {
  const region = document.querySelector<HTMLElement>("[data-decisions]");
  // F8 goes to what can be done with the selected rows (behaviors/search-key.ts).
  region?.addEventListener("change", () => {
    for (const foot of region.querySelectorAll<HTMLElement>(".decision-foot"))
      foot.toggleAttribute("data-later", Boolean(foot.closest(".list")?.querySelector("tbody :checked")));
  });
  if (region) whenNeeded(region, () => void import("./islands/list/decide").then((m) => m.initDecisions(region)));
  focusScrollingTables();
}
