// `applied_team_id` and the like in a form with rows: the value for all that the rows got. When another one is chosen for
// all, the rows that have this value get it, too. Without this script the server does the same, and shows them again.

export function applyToAll(): void {
  for (const applied of document.querySelectorAll<HTMLInputElement>("[name^=applied_]")) {
    const name = applied.name.replace("applied_", "");
    const shared = applied.form?.querySelector<HTMLSelectElement>(`select[name=${name}]`);
    if (!shared) continue;
    shared.addEventListener("change", () => apply(applied, shared));
    // Chosen before this script came, or put back by the browser.
    if (shared.value !== applied.value) apply(applied, shared);
  }
}

function apply(applied: HTMLInputElement, shared: HTMLSelectElement): void {
  for (const select of shared.form?.querySelectorAll<HTMLSelectElement>(`select[name$="-${shared.name}"]`) ?? []) {
    if (select.value !== applied.value) continue;
    select.value = shared.value;
    select.dispatchEvent(new Event("input", { bubbles: true })); // its error is cleared (clear-errors.ts)
  }
  applied.value = shared.value;
}
