// `data-copy="text"` on a button: copies the text, with `data-copy-address` as a whole address. The button is hidden until
// it can work.

import { canCopy, copy } from "../lib/copy";

export function initCopyButtons(): void {
  if (!canCopy()) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    const { copy: text = "", copied = "", copyAddress } = button.dataset;
    button.addEventListener("click", () =>
      copy(copyAddress === undefined ? text : new URL(text, location.href).href, copied),
    );
  }
}
