// A box that finds one of a filter's many choices. It is no part of the search: it has no name, and Enter sends nothing.

import { gettext } from "../../lib/i18n";
import { plain } from "../../lib/plain";
import { element } from "./dom";

export const FINDER = "[data-find]";

export function findChoices(form: HTMLFormElement): void {
  for (const finder of form.querySelectorAll<HTMLInputElement>(FINDER)) {
    const told = element("p", { class: "muted", role: "status" });
    finder.after(told);
    finder.hidden = false;
    finder.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
    finder.addEventListener("input", () => {
      const wanted = plain(finder.value.trim());
      const choices = [...(finder.parentElement?.querySelectorAll("label") ?? [])];
      for (const choice of choices) choice.hidden = !plain(choice.textContent).includes(wanted) && !isChosen(choice);
      told.textContent = choices.some((choice) => !choice.hidden) ? "" : gettext("Nothing matches.");
    });
  }
}

/** What is chosen stays in sight. */
function isChosen(choice: HTMLElement): boolean {
  return choice.querySelector(":checked") !== null;
}
