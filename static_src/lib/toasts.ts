// Lets an island show a toast. The toasts behavior, which is on every page, renders it.

import { PageEvent } from "./events";

export type Tone = "success" | "info" | "warning" | "danger";

export interface Toast {
  readonly tone: Tone;
  readonly title: string;
  readonly text?: string;
}

export function toast(told: Toast): void {
  document.dispatchEvent(new CustomEvent<Toast>(PageEvent.Toast, { detail: told }));
}
