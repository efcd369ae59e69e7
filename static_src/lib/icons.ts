// The sprite of icons, whose URL is that of the icons which the server put into the page.

/** Return the URL of an icon. */
export function iconUrl(name: string): string {
  const sprite = document.querySelector("use")?.getAttribute("href")?.split("#")[0] ?? "";
  return `${sprite}#${name}`;
}
