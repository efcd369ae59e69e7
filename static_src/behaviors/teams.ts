// `data-teams` on a form: where another clinic is chosen, its teams are offered at once. The form is sent as its button
// "Show teams" would. That button is not seen where there are scripts (form.css), unless this fails.

import { postForm } from "../lib/api";

type Choice = readonly [value: string, label: string];

export function initTeamChoices(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-teams]");
  const button = form?.querySelector<HTMLButtonElement>("[data-show-teams]");
  const clinic = form?.querySelector<HTMLSelectElement>("[name=clinic_id]");
  if (!form || !button || !clinic) return;
  clinic.addEventListener("change", () => void offer(form, button, clinic));
  // Chosen before this script came, or put back by the browser.
  if (clinic.value !== getInitialValue(clinic)) void offer(form, button, clinic);
}

async function offer(form: HTMLFormElement, button: HTMLButtonElement, clinic: HTMLSelectElement): Promise<void> {
  const chosen = clinic.value;
  const fields = new FormData(form);
  fields.set("show_teams", "1");
  fields.delete("csrfmiddlewaretoken"); // it is in the header, which changes after another login
  try {
    const { ok, message, item } = await postForm<Choice[]>(form.action, fields);
    if (clinic.value !== chosen) return; // another one was chosen since
    if (!ok || !item) throw new Error(message);
    for (const select of form.querySelectorAll<HTMLSelectElement>("select[name$=team_id]")) fill(select, item);
    const getTeams = form.querySelector<HTMLInputElement>("[name=teams_of]");
    if (getTeams) getTeams.value = chosen;
    showText(button, message);
  } catch {
    button.dataset.failed = "";
    showText(button, "");
  }
}

/** What was chosen in the page that the server sent. */
function getInitialValue(select: HTMLSelectElement): string | undefined {
  return ([...select.options].find((option) => option.defaultSelected) ?? select.options[0])?.value;
}

function fill(select: HTMLSelectElement, choices: readonly Choice[]): void {
  const { value } = select;
  const options = choices.map(([id, label]) => {
    const option = document.createElement("option");
    option.value = id;
    option.text = label;
    option.selected = id === value;
    return option;
  });
  select.replaceChildren(...options);
  if (select.value !== value) select.dispatchEvent(new Event("change", { bubbles: true }));
}

function showText(button: HTMLButtonElement, text: string): void {
  const status = button.parentElement?.querySelector("[role=status]");
  if (status) status.textContent = text;
}
