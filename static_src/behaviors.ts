// The script of every page: small behaviours, found by their data- attributes. No React, and no texts: those are in the page.

import { watchCapsLock } from "./behaviors/caps-lock";
import { askBeforeSubmit } from "./behaviors/confirm";
import { offerCopying } from "./behaviors/copy";
import { focusWhatMatters } from "./behaviors/focus";
import { goBack, reloadAfter, reloadFromHistory } from "./behaviors/history";
import { keepAddressInLanguageLinks } from "./behaviors/language-links";
import { tellLogout } from "./behaviors/logout";
import { offerToShowPasswords } from "./behaviors/password-eye";
import { focusSearchOnSlash } from "./behaviors/search-key";
import { submitOnce } from "./behaviors/submit-once";
import { switchTheme } from "./behaviors/theme";
import { showToasts } from "./behaviors/toasts";

askBeforeSubmit(); // before submitOnce: what is being asked about is not under way
submitOnce();
showToasts();
focusWhatMatters();
watchCapsLock();
offerCopying();
offerToShowPasswords();
switchTheme();
focusSearchOnSlash();
goBack();
keepAddressInLanguageLinks();
reloadAfter();
reloadFromHistory();
tellLogout();
