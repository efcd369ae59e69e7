// The script of every page: small behaviours, found by their data- attributes. No React, and no texts: those are in the page.

import { leaveOutWhatIsEmpty } from "./behaviors/clean-query";
import { focusWhatMatters } from "./behaviors/focus";
import { reloadFromHistory } from "./behaviors/history";
import { keepQueryInLinks } from "./behaviors/keep-query";
import { keepAddressInLanguageLinks } from "./behaviors/language-links";
import { tellLogout } from "./behaviors/logout";
import { stopWhereTablesScroll } from "./behaviors/scrolling";
import { obeySingleKeys } from "./behaviors/search-key";
import { keepSelection } from "./behaviors/selection";
import { askToLogInAgain, tellBeforeSessionEnds } from "./behaviors/session";
import { submitOnce } from "./behaviors/submit-once";
import { switchTheme } from "./behaviors/theme";
import { showToasts } from "./behaviors/toasts";

askToLogInAgain(); // before submitOnce: a form that waits here until the session is sure is not under way
submitOnce();
// After all that may keep a form from being sent.
if (document.querySelector("form[data-guard]")) void import("./behaviors/unsaved").then((m) => m.guardUnsaved());
if (document.querySelector("[data-password-eye], [data-copy], [data-back], [data-reload-after], [data-continue]"))
  void import("./behaviors/seldom").then((m) => m.doWhatIsSeldom());
const openings = { capture: true, once: true };
document.addEventListener("toggle", () => void import("./behaviors/menus").then((m) => m.closeLeftMenus()), openings);
showToasts();
focusWhatMatters();
switchTheme();
obeySingleKeys();
keepSelection();
stopWhereTablesScroll();
leaveOutWhatIsEmpty();
keepAddressInLanguageLinks();
keepQueryInLinks();
reloadFromHistory();
tellLogout();
tellBeforeSessionEnds();
