// Behaviors that few pages need, in a chunk that the others don't load.

import { applyToAll } from "./apply-to-all";
import { watchCapsLock } from "./caps-lock";
import { checkFields } from "./check-fields";
import { clearErrors } from "./clear-errors";
import { initCopyButtons } from "./copy";
import { showFileNames } from "./file";
import { findOptions } from "./find-option";
import { findRows } from "./find-rows";
import { initPasswordToggles } from "./password-eye";
import { showPresets } from "./presets";
import { runAutomatically } from "./run";
import { clearSelection } from "./selection-done";
import { initTeamChoices } from "./teams";
import { goBack, reloadAfter, replacePost } from "./waiting";

export function initRareBehaviors(): void {
  watchCapsLock();
  initPasswordToggles();
  initCopyButtons();
  goBack();
  replacePost();
  showFileNames();
  findRows();
  findOptions();
  runAutomatically();
  reloadAfter();
  clearSelection();
  initTeamChoices();
  applyToAll();
  showPresets();
  checkFields();
  clearErrors();
}
