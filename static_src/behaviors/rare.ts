// Behaviors that few pages need, in a chunk that the others don't load.

import { watchCapsLock } from "./caps-lock";
import { offerCopying } from "./copy";
import { nameFiles } from "./file";
import { findRows } from "./find-rows";
import { offerToShowPasswords } from "./password-eye";
import { runByItself } from "./run";
import { forgetSelection } from "./selection-done";
import { offerTeams } from "./teams";
import { goBack, reloadAfter } from "./waiting";

export function initRareBehaviors(): void {
  watchCapsLock();
  offerToShowPasswords();
  offerCopying();
  goBack();
  nameFiles();
  findRows();
  runByItself();
  reloadAfter();
  forgetSelection();
  offerTeams();
}
