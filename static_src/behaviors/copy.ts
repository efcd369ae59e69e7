// `data-copy="text"` on a button: copies the text. The button is hidden until it can work.

import { toast } from "../lib/toasts";

export function offerCopying(): void {
  if (!navigator.clipboard) return; // not available outside of a secure context
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? "");
      toast({ tone: "success", title: button.dataset.copied ?? "" });
    });
  }
}
