// Who logs out in one tab is logged out in all: the other tabs are told, and leave their private pages.

const CHANNEL = "console";
const LEAVING = "console:logged-out";

export function tellLogout(): void {
  const channel = new BroadcastChannel(CHANNEL);
  const goTo = document.documentElement.dataset.private;
  document.querySelector("form[data-logout]")?.addEventListener("submit", () => mark());
  // Told by the page that comes after the logout: before it, the session might still be open.
  if (goTo === undefined && unmark()) channel.postMessage("logout");
  channel.addEventListener("message", (event) => {
    if (event.data !== "logout" || !goTo) return;
    document.documentElement.dataset.leaving = ""; // unsaved.ts asks nobody
    location.assign(goTo);
  });
}

function mark(): void {
  try {
    sessionStorage.setItem(LEAVING, "1");
  } catch {
    // storage is off: the other tabs find out at their next step
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
