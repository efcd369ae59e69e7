// Captures what a user has started in the server's markup: typed values, checkmarks, focus and caret. An island renders the
// same controls, so each is found again by its kind and name, and its position among equals.

const CONTROLS = "input:not([type=hidden]),select,textarea,button,a[href],[tabindex]";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Restore = (after: HTMLElement) => void;

/** Capture the input within `region`; the returned function restores it into the new content. */
export function remember(region: HTMLElement): () => void {
  const kept = [...numbered(region)].map(([key, element]) => ({ key, restore: begun(element) }));
  return () => {
    const now = numbered(region);
    for (const { key, restore } of kept) {
      const after = now.get(key);
      if (after) for (const step of restore) step(after);
    }
  };
}

/** True if the value of a field differs from what the server wrote. */
export function isChanged(field: Field): boolean {
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const written = [...field.options].findLast((option) => option.defaultSelected) ?? field.options[0];
  return field.value !== (written?.value ?? "");
}

function begun(before: HTMLElement): Restore[] {
  const { scrollLeft } = before;
  const steps: Restore[] = [];
  if (isField(before) && isChanged(before)) steps.push((after) => isField(after) && refill(after, before));
  if (scrollLeft) steps.push((after) => after.scrollTo({ left: scrollLeft }));
  if (before === document.activeElement) steps.push(refocus(before));
  return steps;
}

function numbered(region: HTMLElement): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  for (const element of region.querySelectorAll<HTMLElement>(CONTROLS)) {
    const names = ["type", "name", "href", isTick(element) ? "value" : "role"].map((name) =>
      element.getAttribute(name),
    );
    const kind = [element.localName, ...names].join(" ");
    let turn = 0;
    while (found.has(`${kind} ${turn}`)) turn += 1;
    found.set(`${kind} ${turn}`, element);
  }
  return found;
}

function refill(after: Field, before: Field): void {
  if (isTick(after) && isTick(before)) {
    if (after.checked !== before.checked) after.click();
    return;
  }
  after.value = before.value;
  after.dispatchEvent(new Event(after instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}

function refocus(before: HTMLElement): Restore {
  // Null for kinds without a caret, which refuse to get one.
  const [start, end] = before instanceof HTMLInputElement ? [before.selectionStart, before.selectionEnd] : [null, null];
  return (after) => {
    after.focus({ preventScroll: true });
    if (start !== null && after instanceof HTMLInputElement) after.setSelectionRange(start, end);
  };
}

function isField(element: Element): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

function isTick(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio");
}
