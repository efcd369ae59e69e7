// The script of every page: small behaviours, found by their data- attributes. No React, and no texts: those are in the page.

import { watchCapsLock } from "./behaviors/caps-lock";
import { leaveOutWhatIsEmpty } from "./behaviors/clean-query";
import { askBeforeSubmit } from "./behaviors/confirm";
import { continueByItself } from "./behaviors/continue";
import { offerCopying } from "./behaviors/copy";
import { focusWhatMatters } from "./behaviors/focus";
import { goBack, reloadAfter, reloadFromHistory } from "./behaviors/history";
import { keepQueryInLinks } from "./behaviors/keep-query";
import { keepAddressInLanguageLinks } from "./behaviors/language-links";
import { tellLogout } from "./behaviors/logout";
import { offerToShowPasswords } from "./behaviors/password-eye";
import { obeySingleKeys } from "./behaviors/search-key";
import { keepSelection } from "./behaviors/selection";
import { askToLogInAgain, tellBeforeSessionEnds } from "./behaviors/session";
import { submitOnce } from "./behaviors/submit-once";
import { switchTheme } from "./behaviors/theme";
import { showToasts } from "./behaviors/toasts";

askBeforeSubmit(); // before submitOnce: what is being asked about is not under way
askToLogInAgain(); // likewise: a form waits here until the session is sure
submitOnce();
// After all that may keep a form from being sent.
if (document.querySelector("form[data-guard]")) void import("./behaviors/unsaved").then((m) => m.guardUnsaved());
showToasts();
focusWhatMatters();
watchCapsLock();
offerCopying();
offerToShowPasswords();
switchTheme();
obeySingleKeys();
goBack();
keepSelection();
leaveOutWhatIsEmpty();
continueByItself();
keepAddressInLanguageLinks();
keepQueryInLinks();
reloadAfter();
reloadFromHistory();
tellLogout();
tellBeforeSessionEnds();
