// What few pages need, in one chunk that the others don't load.

import { watchCapsLock } from "./caps-lock";
import { continueByItself } from "./continue";
import { offerToShowPasswords } from "./password-eye";
import { goBack, reloadAfter } from "./waiting";

export function doWhatIsSeldom(): void {
  watchCapsLock();
  offerToShowPasswords();
  goBack();
  continueByItself();
  reloadAfter();
}
