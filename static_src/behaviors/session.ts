// When the session has ended while a page is open, a dialog asks to log in again, and the page continues: a form
// checks before it is submitted, an island when it is refused (lib/api.ts).

import { PageEvent } from "../lib/events";
import type { Outcome } from "./session-dialog";

/** Seconds before the end at which to warn. Twenty are the minimum (WCAG 2.2.1). */
const WARNING_S = 300;
/** The longest timer in seconds: 24.8 days. A page left open longer asks for a login when it is used. */
const MAX_TIMER_S = 2_000_000;

/** Warn in time before the session ends. */
export function warnBeforeSessionEnds(): void {
  const { seconds } = document.documentElement.dataset;
  if (!seconds) return;

  function wait(remaining: number): void {
    if (remaining < MAX_TIMER_S) setTimeout(warn, Math.max(0, remaining - WARNING_S) * 1000);
  }

  async function warn(): Promise<void> {
    const { getRemainingSeconds } = await import("./session-warning");
    wait(await getRemainingSeconds(WARNING_S));
  }

  wait(Number(seconds));
}

export function promptForLogin(): void {
  if (!document.documentElement.dataset.sender) return;
  const waiting = new WeakSet<HTMLFormElement>();
  const checked = new WeakSet<HTMLFormElement>();

  /** Return the outcome. If the dialog can't be loaded, forms are submitted as they are: the server redirects to the login. */
  async function outcome(): Promise<Outcome> {
    try {
      return await (await import("./session-dialog")).outcome();
    } catch {
      return "open";
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== "post" || "logout" in form.dataset || checked.delete(form)) return;
    event.preventDefault();
    if (waiting.has(form)) return;
    waiting.add(form);
    const { submitter } = event;
    const result = await outcome();
    waiting.delete(form);
    if (result !== "open") return;
    checked.add(form);
    form.requestSubmit(submitter);
  });

  document.addEventListener(PageEvent.SessionEnded, async (event) => {
    event.preventDefault();
    const result = await outcome();
    if (result !== "another") (event as CustomEvent<(goesOn: boolean) => void>).detail(result === "open");
  });
}
