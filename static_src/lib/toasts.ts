// How an island tells something in a toast. The toasts behaviour, which is on every page, draws it.

export type Tone = "success" | "info" | "warning" | "danger";

export interface Toast {
  readonly tone: Tone;
  readonly title: string;
  readonly text?: string;
}

export const TOAST_EVENT = "console:toast";

export function toast(told: Toast): void {
  document.dispatchEvent(new CustomEvent<Toast>(TOAST_EVENT, { detail: told }));
}
