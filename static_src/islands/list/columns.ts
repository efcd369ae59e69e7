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

  /** Tick what is shown: another tab may have chosen meanwhile. */
  show({ columns }: ListView): void {
    const shown = new Set(columns.map(({ name }) => name));
    for (const box of this.form.querySelectorAll<HTMLInputElement>("[type=checkbox]"))
      box.checked = shown.has(box.value);
  }
}
