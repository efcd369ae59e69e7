// `data-copy="text"` on a button: copies the text; `data-copy-address="/path"`, which the script of lists cares for: copies
// the whole address. The button is hidden until it can work.

import { canCopy, copy } from "../lib/copy";

export function initCopyButtons(): void {
  showButtons("[data-copy]", ({ copy = "" }) => copy);
}

export function initAddressButtons(): void {
  showButtons("[data-copy-address]", ({ copyAddress = "" }) => new URL(copyAddress, location.href).href);
}

function showButtons(selector: string, getText: (data: DOMStringMap) => string): void {
  if (!canCopy()) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>(`button${selector}`)) {
    button.hidden = false;
    button.addEventListener("click", () => copy(getText(button.dataset), button.dataset.copied ?? ""));
  }
}
