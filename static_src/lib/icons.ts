// Icons of the sprite, whose URL is that of the icons which the server put into the page. Screen readers ignore them.

/** Return the URL of an icon. */
export function iconUrl(name: string): string {
  const sprite = document.querySelector("use")?.getAttribute("href")?.split("#")[0] ?? "";
  return `${sprite}#${name}`;
}

/** Return a new icon. */
export function icon(name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", iconUrl(name));
  svg.append(use);
  return svg;
}
