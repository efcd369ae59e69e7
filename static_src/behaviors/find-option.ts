// `data-find-option` on a search field names a select: only its options with what is typed are offered. A field without a
// name, so that nothing is sent for it; Enter would send the form.

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
  select.addEventListener("input", keepChoice, { capture: true });
  field.addEventListener("input", () => {
    const wanted = plain(field.value);
    chosen = select.selectedOptions[0] ?? chosen;
    // Without the prompt, which has no value and may be all that is in sight.
    const matches = options.filter(([option, text]) => !wanted || (option.value && text.includes(wanted)));
    const offered: HTMLElement[] = matches.map(([option]) => option);
    // Apart from the matches, or it would be taken for the best one; in sight, because it is what will be sent.
    if (chosen?.value && !offered.includes(chosen)) offered.unshift(chosen, document.createElement("hr"));
    // A list has none selected before one is chosen; where only one is in sight, browsers would select it.
    select.size = Math.min(VISIBLE_ROWS, Math.max(2, offered.length));
    select.replaceChildren(...offered);
    if (chosen) chosen.selected = true;
    if (!wanted) select.size = 0;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    select.focus();
  });
}
