// Logging out in one tab logs out in all: the other tabs are notified, and leave their private pages.

const CHANNEL = "console";
const LEAVING = "console:logged-out";

export function tellLogout(): void {
  const channel = new BroadcastChannel(CHANNEL);
  const goTo = document.documentElement.dataset.private;
  document.querySelector("form[data-logout]")?.addEventListener("submit", () => mark());
  // Sent by the page after the logout: before it, the session might still be open.
  if (goTo === undefined && unmark()) channel.postMessage("logout");
  channel.addEventListener("message", (event) => {
    if (event.data !== "logout" || !goTo) return;
    document.documentElement.dataset.leaving = ""; // unsaved.ts does not ask
    location.assign(goTo);
  });
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
