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
  field.addEventListener("input", () => {
    const wanted = plain(field.value);
    const chosen = select.selectedOptions[0];
    const matches = options.filter(([option, text]) => option === chosen || text.includes(wanted));
    select.replaceChildren(...matches.map(([option]) => option));
    if (chosen) chosen.selected = true;
    select.size = wanted ? Math.min(VISIBLE_ROWS, Math.max(2, matches.length)) : 0;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    select.focus();
  });
}
