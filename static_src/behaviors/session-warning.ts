// The dialog that warns before the session ends. It is loaded when it is due (behaviors/session.ts).

import { ask, type Envelope, postForm } from "../lib/api";
import { PageEvent } from "../lib/events";
import { getDialog } from "./dialogs";

/** The state of the session. */
interface Session {
  readonly sender: string;
  readonly seconds_left: number;
  readonly can_be_extended: boolean;
}

const TIMEOUT_MS = 5_000;
/** Seconds until the console is asked again after it could not be reached. */
const PAUSE = 60;

/** Return the seconds that the session lasts, after a warning if they are few; Infinity if no warning is needed. */
export async function getRemainingSeconds(ahead: number): Promise<number> {
  // The session may have been used in another page; asking does not extend it.
  const session = await item(() => ask<Session>("/session", AbortSignal.timeout(TIMEOUT_MS)));
  if (!session) return ahead + PAUSE;
  if (!session.sender) return Number.POSITIVE_INFINITY;
  if (session.seconds_left > ahead) return session.seconds_left;
  const dialog = await getDialog("session-ends").catch(() => null);
  return dialog ? show(dialog, session) : ahead + PAUSE;
}

function show(dialog: HTMLDialogElement, session: Session): Promise<number> {
  const part = (name: string) => dialog.querySelector(`[data-${name}]`) as HTMLElement;
  const failed = dialog.querySelector('[role="alert"]') as HTMLElement;
  const end = setTimeout(() => {
    dialog.close();
    document.dispatchEvent(new CustomEvent(PageEvent.SessionEnded, { cancelable: true, detail: () => {} }));
  }, session.seconds_left * 1000);
  part("idle").hidden = part("stay").hidden = !session.can_be_extended;
  part("last").hidden = session.can_be_extended;
  failed.hidden = true;

  return new Promise((resolve) => {
    let remaining = Number.POSITIVE_INFINITY;
    part("cancel").onclick = () => dialog.close();
    part("stay").onclick = async () => {
      const extended = await item(() => postForm<Session>("/session", {}));
      failed.hidden = extended !== null;
      if (!extended) return;
      remaining = extended.sender ? extended.seconds_left : remaining;
      dialog.close();
    };
    dialog.onclose = () => {
      clearTimeout(end);
      resolve(remaining);
    };
    dialog.showModal();
  });
}

async function item(answered: () => Promise<Envelope<Session>>): Promise<Session | null> {
  try {
    return (await answered()).item;
  } catch {
    return null;
  }
}
