// `applied_user_type` and `applied_team_id` in a form with rows: the value for all that the rows already have. When another
// one is chosen for all, the rows with that value get the new one. Without this script the server does so, and asks to
// review the rows.

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
