// Blocking, first in <head>: sends the content of local and session storage to the server, then caches the page's language.
// It also sends the time zone. Only the server decides; this script reloads at most once, when the storages differ.

const YEAR = 365 * 24 * 3600;
const MIRROR = "lng-storage";
const STORAGE_KEY = "i18nextLng";

function cookie(name: string): string | undefined {
  const start = `${name}=`;
  return document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}

function setCookie(name: string, value: string): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and not in every browser
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

function stored(storage: () => Storage): string | null {
  try {
    return storage().getItem(STORAGE_KEY);
  } catch {
    return null; // storage is disabled
  }
}

function reportTimeZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (/^[A-Za-z0-9_+/-]{1,64}$/.test(zone) && zone !== cookie("tz")) setCookie("tz", zone);
}

function applyStoredLanguage(): void {
  const { lang: tag, dataset } = document.documentElement;
  const decidedBy = dataset.lngFrom;
  if (!decidedBy) return; // the answer to a POST is never reloaded
  const wishes = [() => localStorage, () => sessionStorage]
    .map(stored)
    .filter((value) => value && /^[A-Za-z0-9_-]{2,35}$/.test(value));
  const candidates = wishes.join("."); // which of them is a language of ours only the server knows
  const [wish = tag] = wishes;
  if (wish !== tag && decidedBy !== "query" && decidedBy !== "cookie" && candidates !== cookie(MIRROR)) {
    setCookie(MIRROR, candidates);
    if (cookie(MIRROR) === candidates) {
      location.reload(); // no loop: next time the cookie agrees; without cookies this is not reached
      return;
    }
  }
  try {
    localStorage.setItem(STORAGE_KEY, tag);
  } catch {
    // storage is disabled
  }
  if (decidedBy !== "cookie" && cookie(MIRROR) !== tag) setCookie(MIRROR, tag);
}

reportTimeZone();
applyStoredLanguage();

export {};
