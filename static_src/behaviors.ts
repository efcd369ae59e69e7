// The script of every page: small behaviors, bound to data- attributes. It has no React and no texts; those are in the page.

import { setInitialFocus } from "./behaviors/focus";
import { reloadFromHistory } from "./behaviors/history";
import { storeListQueries } from "./behaviors/list-memory";
import { broadcastLogout } from "./behaviors/logout";
import { loadPanelWhenNeeded } from "./behaviors/panel-loader";
import { initShortcuts } from "./behaviors/search-key";
import { openSearchByKey } from "./behaviors/search-opener";
import { promptForLogin, warnBeforeSessionEnds } from "./behaviors/session";
import { submitOnce } from "./behaviors/submit-once";
import { switchTheme } from "./behaviors/theme";
import { loadToastsWhenNeeded } from "./behaviors/toast-loader";
import { isSupported } from "./lib/supported";

if (isSupported()) {
  promptForLogin(); // before submitOnce: a form that waits here for the session to be checked is not being submitted yet
  submitOnce();
  // After everything that may prevent a form from being submitted.
  const openings = { capture: true, once: true };
  const guard = () => void import("./behaviors/unsaved").then((m) => m.guardUnsaved());
  const loadRare = () => void import("./behaviors/rare").then((m) => m.initRareBehaviors());
  if (document.querySelector("[data-guard]:not([popover] *),[data-unsaved]")) guard();
  // Nothing is typed in the form of a dialog before that is opened.
  else if (document.querySelector("[data-guard]")) document.addEventListener("toggle", guard, openings);
  const rare =
    "[data-password-eye],[data-copy],[data-invalid],[data-back],[data-reload-after],[data-find-rows],[data-run]," +
    "[data-selection-done],[data-teams],[data-file],[data-email],[data-presets]";
  if (document.querySelector(rare)) loadRare();
  // A page that needs them only for a field that finds options loads them when that gets the focus.
  else document.querySelector("[data-find-option]")?.addEventListener("focus", loadRare, openings);
  if (document.querySelector("[data-expected]")) void import("./behaviors/expected").then((m) => m.selectExpected());
  document.addEventListener("toggle", () => void import("./behaviors/menus").then((m) => m.initMenus()), openings);
  loadToastsWhenNeeded();
  loadPanelWhenNeeded();
  setInitialFocus();
  switchTheme();
  initShortcuts();
  openSearchByKey();
  storeListQueries();
  reloadFromHistory();
  broadcastLogout();
  warnBeforeSessionEnds();
  // The page has the number of a minute ago by then.
  setTimeout(() => void import("./behaviors/bell").then((m) => m.pollUnread()), 60_000);
}
