// The form that shows and hides columns: each press is sent at once, and remembered by the server.

import type { ListView } from "../../types/props.gen";

export class Columns {
  constructor(
    private readonly form: HTMLFormElement,
    onChoice: (choice: string) => void,
  ) {
    form.addEventListener("change", () => onChoice(this.choice()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      form.hidePopover();
    });
  }

  /** Without the query that the page came with: the list has its own address. */
  private choice(): string {
    const fields = new URLSearchParams([...new FormData(this.form)].map(([name, value]) => [name, String(value)]));
    fields.delete("list_query");
    return fields.toString();
  }

  /** Tick what is chosen, also where the head of the page says it: another tab may have chosen meanwhile. */
  show({ column_form }: ListView): void {
    for (const { name, is_shown } of column_form?.choices ?? []) {
      const box = this.form.querySelector<HTMLInputElement>(`[value="${name}"][type=checkbox]`);
      if (box) box.checked = is_shown;
    }
  }
}
