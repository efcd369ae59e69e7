// `data-find-option` on a search field names a select: only its options with what is typed are offered, and Enter chooses
// the first of them. A field without a name, so that nothing is sent for it.

import { plain } from "../lib/plain";

const VISIBLE_ROWS = 8;

export function findOptions(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-find-option]")) {
    const select = document.getElementById(field.dataset.findOption ?? "");
    if (select instanceof HTMLSelectElement) findOption(field, select);
  }
}

function findOption(field: HTMLInputElement, select: HTMLSelectElement): void {
  const options = [...select.options].map((option) => [option, plain(option.text)] as const);
  // The height of its rows: Chromium computes it from the unstyled ones, which are lower than those of form.css.
  Object.assign(select.style, { blockSize: "auto", maxBlockSize: "var(--menu-height)" });
  let chosen = select.selectedOptions[0] ?? options[0]?.[0];
  // In a list of several rows, a second press on the chosen one would take it away. Before other listeners read it.
  const keepChoice = () => {
    chosen = select.selectedOptions[0] ?? chosen;
    if (chosen) chosen.selected = true;
  };

  /** The options with what is typed, first those that begin with it. */
  const findMatches = (wanted: string) =>
    options
      // Without the prompt, which has no value and may be all that is in sight.
      .filter(([option, text]) => option.value && text.includes(wanted))
      .toSorted(([, a], [, b]) => Number(b.startsWith(wanted)) - Number(a.startsWith(wanted)))
      .map(([option]) => option);

  const offerMatches = () => {
    const wanted = plain(field.value);
    chosen = select.selectedOptions[0] ?? chosen;
    const offered: HTMLElement[] = wanted ? findMatches(wanted) : options.map(([option]) => option);
    // Apart from the matches, or it would be taken for the best one; in sight, because it is what will be sent.
    if (chosen?.value && !offered.includes(chosen)) offered.unshift(chosen, document.createElement("hr"));
    // A list has none selected before one is chosen; where only one is in sight, browsers would select it.
    select.size = Math.min(VISIBLE_ROWS, Math.max(2, offered.length));
    select.replaceChildren(...offered);
    if (chosen) chosen.selected = true;
    if (!wanted) select.size = 0;
  };

  /** Where Chromium draws our own list, its options have the focus; elsewhere the list has it. */
  const focusOptions = () => {
    select.focus();
    (select.selectedOptions[0] ?? select.options[0])?.focus();
  };

  /** As a press on the first match does; one that is chosen already stays. */
  const chooseMatch = () => {
    const wanted = plain(field.value);
    const matches = wanted ? findMatches(wanted) : [];
    const [first] = matches;
    if (!first) return;
    if (!matches.some(({ value }) => value === select.value)) {
      first.selected = true;
      for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
    }
    focusOptions();
  };

  select.addEventListener("input", keepChoice, { capture: true });
  field.addEventListener("input", offerMatches);
  if (field.value) offerMatches(); // typed before this script came
  field.addEventListener("keydown", (event) => {
    // Enter that confirms a candidate of an input method; Safari sends it after the composition, with the code 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    // Enter would send the form, and the arrow would move the cursor.
    event.preventDefault();
    if (event.key === "Enter") chooseMatch();
    else focusOptions();
  });
}
