// Logging out in one tab logs out in all: the other tabs are notified. As soon as a private page is seen, its dialog asks to
// log in again, so that what was typed in it is not lost (behaviors/session.ts); canceling it leaves the page.

import { PageEvent } from "../lib/events";

const CHANNEL = "console";
const LEAVING = "console:logged-out";

export function broadcastLogout(): void {
  const channel = new BroadcastChannel(CHANNEL);
  const goTo = document.documentElement.dataset.private;
  document.querySelector("form[data-logout]")?.addEventListener("submit", mark);
  // Sent by the page after the logout: before it, the session might still be open.
  if (goTo === undefined && unmark()) channel.postMessage("logout");
  channel.addEventListener("message", (event) => {
    if (event.data === "logout" && goTo) whenVisible(() => promptForLogin(goTo));
  });
}

/** Not before: another login may have happened by then. */
function whenVisible(callback: () => void): void {
  if (!document.hidden) callback();
  else document.addEventListener("visibilitychange", callback, { once: true });
}

function promptForLogin(goTo: string): void {
  const back = encodeURIComponent(location.pathname + location.search);
  const went = (on: boolean) => on || location.assign(`${goTo}?next=${back}`);
  if (document.dispatchEvent(new CustomEvent(PageEvent.SessionEnded, { cancelable: true, detail: went }))) went(false);
}

function mark(): void {
  try {
    sessionStorage.setItem(LEAVING, "1");
  } catch {
    // storage is disabled: the other tabs find out with their next request
  }
}

function unmark(): boolean {
  try {
    const marked = sessionStorage.getItem(LEAVING) !== null;
    sessionStorage.removeItem(LEAVING);
    return marked;
  } catch {
    return false;
  }
}
