// `data-copy="text"` on a button: copies the text. The button is hidden until it can work.

import { canCopy, copy } from "../lib/copy";

export function initCopyButtons(): void {
  if (!canCopy()) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button.dataset.copy ?? "", button.dataset.copied ?? ""));
  }
}
