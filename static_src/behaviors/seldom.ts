// Behaviors that few pages need, in a chunk that the others don't load.

import { watchCapsLock } from "./caps-lock";
import { continueByItself } from "./continue";
import { offerCopying } from "./copy";
import { offerToShowPasswords } from "./password-eye";
import { forgetSelection } from "./selection-done";
import { offerTeams } from "./teams";
import { goBack, reloadAfter } from "./waiting";

export function doWhatIsSeldom(): void {
  watchCapsLock();
  offerToShowPasswords();
  offerCopying();
  goBack();
  continueByItself();
  reloadAfter();
  forgetSelection();
  offerTeams();
}
