// The script of the pages for people without a login, in addition to behaviors.ts: signing up, a new password.

import { checkAgreements } from "./behaviors/agreements";
import { checkAvailability } from "./behaviors/availability";
import { checkPasswordRules } from "./behaviors/password-rules";
import { suggestLocation } from "./behaviors/suggest-location";
import { waitBeforeSending } from "./behaviors/wait-to-send";
import { isSupported } from "./lib/supported";

if (isSupported()) {
  checkPasswordRules();
  checkAgreements();
  checkAvailability();
  suggestLocation();
  waitBeforeSending();
}
