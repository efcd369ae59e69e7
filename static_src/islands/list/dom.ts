// Small things for elements that are the server's.

export function find<T extends HTMLElement>(within: Element, selector: string): T {
  const match = within.querySelector<T>(selector);
  if (!match) throw new Error(`there is no ${selector}`);
  return match;
}

export function element(name: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
}

/** Set an attribute, or remove it when there is nothing to say. */
export function setAttribute(on: Element, name: string, value = ""): void {
  if (value) on.setAttribute(name, value);
  else on.removeAttribute(name);
}
