// Lets an island show a toast. The toasts behavior, which is on every page, renders it.

import { PageEvent } from "./events";

export type Tone = "success" | "info" | "warning" | "danger";

export interface Toast {
  readonly tone: Tone;
  readonly title: string;
  readonly text?: string;
  /** What it is about: a newer toast about the same replaces it, so that no two contradict one another. */
  readonly about?: string;
  /** What can be done about it; the toast closes then. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

export function toast(detail: Toast): void {
  document.dispatchEvent(new CustomEvent<Toast>(PageEvent.Toast, { detail }));
}
