// Copies a text, and says so.

import { toast } from "./toasts";

/** Outside of a secure context nothing can be copied. */
export function canCopy(): boolean {
  return "clipboard" in navigator && Boolean(navigator.clipboard);
}

export async function copy(text: string, message: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast({ tone: "success", title: message });
}
