// The dialog that asks to log in again. It is loaded on demand (behaviors/session.ts): most pages never need it.

import { ask, type Envelope, postForm } from "../lib/api";
import { TabStorage } from "../lib/storage";
import { getDialog } from "./dialogs";

const TIMEOUT_MS = 5_000;

/** The state of the session: whose it is (empty when it has ended), and the CSRF token. */
interface Session {
  readonly csrf_token: string;
  readonly sender: string;
}

/** The outcome: the session continues, it has ended, or another administrator logged in and the page is being left. */
export type Outcome = "open" | "canceled" | "another";

let pending: Promise<Outcome> | null = null;
let dialog: LoginDialog | null = null;

/** Check the session, and ask for a login if it has ended. Concurrent callers get the same answer. */
export function outcome(): Promise<Outcome> {
  pending ??= find().finally(() => {
    pending = null;
  });
  return pending;
}

async function find(): Promise<Outcome> {
  const session = await current();
  // Without an answer, submit the form anyway: that will show what is wrong.
  if (!session) return "open";
  if (session.sender) return enter(session);
  dialog ??= new LoginDialog(await getDialog("log-in-again"));
  return dialog.open(session);
}

class LoginDialog {
  private readonly form: HTMLFormElement;
  private readonly alert: HTMLElement;
  private isSending = false;

  constructor(private readonly element: HTMLDialogElement) {
    this.form = element.querySelector("form") as HTMLFormElement;
    this.alert = element.querySelector('[role="alert"]') as HTMLElement;
    element.querySelector("[data-cancel]")?.addEventListener("click", () => element.close());
    document.addEventListener("visibilitychange", () => void this.checkSession());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.logIn();
    });
  }

  /** Who comes back to the page may have logged in again in another tab. */
  private async checkSession(): Promise<void> {
    if (document.hidden || !this.element.open) return;
    const session = await current();
    if (session?.sender && this.element.open) this.element.close(enter(session));
  }

  open(session: Session): Promise<Outcome> {
    renewTokens(session.csrf_token);
    clearMemory();
    this.setAlert("");
    this.element.returnValue = "";
    this.element.showModal();
    return new Promise((resolve) => {
      this.element.addEventListener(
        "close",
        () => {
          this.form.reset(); // don't keep the password in the page
          resolve((this.element.returnValue || "canceled") as Outcome);
        },
        { once: true },
      );
    });
  }

  private async logIn(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    this.setAlert("");
    try {
      let answer = await postForm<Session>("/login", new FormData(this.form));
      if (!answer.ok && answer.item) {
        // A login or logout in another tab changed the token.
        renewTokens(answer.item.csrf_token);
        answer = await postForm<Session>("/login", new FormData(this.form));
      }
      if (answer.ok && answer.item) this.element.close(enter(answer.item));
      else this.refuse(answer);
    } catch {
      this.setAlert(this.element.dataset.unreachable ?? "");
    }
    this.isSending = false;
  }

  private refuse(answer: Envelope<Session>): void {
    this.setAlert(answer.message);
    const field = this.form.elements.namedItem(Object.keys(answer.errors)[0] ?? "password");
    if (field instanceof HTMLInputElement) field.focus();
  }

  private setAlert(text: string): void {
    this.alert.textContent = text;
    this.alert.hidden = text === "";
  }
}

/** The same administrator continues with fresh tokens; another administrator leaves this page. */
function enter(session: Session): Outcome {
  const page = document.documentElement.dataset;
  if (session.sender !== page.sender) {
    clearMemory();
    page.leaving = ""; // unsaved.ts does not ask
    location.assign("/");
    return "another";
  }
  delete page.ended;
  renewTokens(session.csrf_token);
  return "open";
}

/** Queries of lists and what was opened are private: they end with the session, also those of this page (list-memory.ts). */
function clearMemory(): void {
  document.documentElement.dataset.ended = "";
  try {
    sessionStorage.removeItem(TabStorage.Memory);
  } catch {
    // Storage is off: nothing was kept.
  }
}

async function current(): Promise<Session | null> {
  try {
    return (await ask<Session>("/session", AbortSignal.timeout(TIMEOUT_MS))).item;
  } catch {
    return null;
  }
}

function renewTokens(token: string): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[name="csrfmiddlewaretoken"]')) {
    field.value = token;
  }
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]');
  if (meta) meta.content = token;
}
