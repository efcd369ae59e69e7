// A box that finds one of a filter's many choices. It is no part of the search: it has no name, and Enter sends nothing.
// Where it came with a name, the page has not all choices, and the server is asked for those that it lacks.

import { PageEvent } from "../../lib/events";
import { gettext } from "../../lib/i18n";
import { plain } from "../../lib/plain";
import { element } from "./dom";

export const FINDER = "[data-find]";

const QUIET_MS = 300;

export function findChoices(form: HTMLFormElement, ask: (query: string) => void): void {
  for (const finder of form.querySelectorAll<HTMLInputElement>(FINDER)) {
    const { name } = finder;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const status = finder.parentElement?.querySelector("p") ?? element("p", { class: "muted", role: "status" });
    finder.after(status);
    finder.removeAttribute("name");
    finder.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
    const show = (isAsking = false) => {
      const wanted = plain(finder.value.trim());
      const choices = [...(finder.parentElement?.querySelectorAll("label") ?? [])];
      for (const choice of choices) choice.hidden = !plain(choice.textContent).includes(wanted) && !isChosen(choice);
      status.textContent = isAsking || choices.some((choice) => !choice.hidden) ? "" : gettext("No matches.");
    };
    finder.addEventListener("input", () => {
      const wanted = finder.value.trim();
      clearTimeout(timer);
      if (name && wanted) timer = setTimeout(() => ask(`${new URLSearchParams({ [name]: wanted })}`), QUIET_MS);
      show(Boolean(name && wanted));
    });
    if (name) document.addEventListener(PageEvent.ListRendered, () => show());
  }
}

/** What is chosen stays in sight. */
function isChosen(choice: HTMLElement): boolean {
  return choice.querySelector(":checked") !== null;
}
