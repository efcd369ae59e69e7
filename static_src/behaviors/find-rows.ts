// `data-find-rows` on a search field: the rows of its form's lists that don't contain what is typed are hidden at once.
// All of them are in the page, so nothing is sent for it, and what is chosen in the form stays.

import { numberText } from "../lib/numbers";
import { plain } from "../lib/plain";

export function findRows(): void {
  const field = document.querySelector<HTMLInputElement>("[data-find-rows]");
  const status = field?.form?.querySelector<HTMLElement>(".bulk-find [role=status]");
  if (!field?.form || !status) return;
  for (const button of field.form.querySelectorAll<HTMLButtonElement>("[name=show]"))
    if (button.hidden || button.closest(".bulk-find")) button.remove();
  const rows = [...field.form.querySelectorAll<HTMLElement>(".bulk-rows > li")].map(
    (row) => [row, plain(row.textContent)] as const,
  );
  const find = () => {
    const wanted = plain(field.value.trim());
    let visibleCount = 0;
    for (const [row, text] of rows) {
      row.hidden = !text.includes(wanted);
      if (!row.hidden) visibleCount += 1;
    }
    const counted = (status.dataset.text ?? "")
      .replace("%(seen)s", numberText(visibleCount))
      .replace("%(total)s", numberText(rows.length));
    status.textContent = wanted ? counted : "";
  };
  field.addEventListener("input", find);
  // Enter would press the button that carries the plan out.
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  find();
}
