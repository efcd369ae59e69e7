// `data-email="pattern"` on a field: what is no email address is reported below it when it is left. It is not sent with a
// password, which would have to be entered again.

import { icon } from "../lib/icons";
import { cleanEmail } from "../lib/rules";

export function checkEmails(): void {
  document.addEventListener("change", ({ target }) => {
    if (isEmailField(target)) showError(target);
  });
  document.addEventListener("input", ({ target }) => {
    if (isEmailField(target) && isValid(target)) showError(target);
  });
  const stop = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    // Other forms are sent: the server reports all their problems at once.
    if (!form.querySelector("[autocomplete$=-password]")) return;
    const [first] = [...form.elements].filter(isEmailField).filter((field) => !isValid(field));
    if (!first) return;
    event.preventDefault();
    showError(first);
    first.focus();
  };
  document.addEventListener("submit", stop, { capture: true });
}

function isEmailField(element: unknown): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.dataset.email !== undefined;
}

/** An empty field is left to the server, which knows whether it has to have a value. */
function isValid({ value, dataset }: HTMLInputElement): boolean {
  return !value.trim() || cleanEmail(value, dataset.email ?? "", Number(dataset.maxLength)) !== null;
}

function showError(field: HTMLInputElement): void {
  const isWrong = !isValid(field);
  const id = `${field.id}_error`;
  document.getElementById(id)?.remove();
  field.ariaInvalid = String(isWrong);
  const container = field.closest(".field");
  container?.toggleAttribute("data-invalid", isWrong);
  const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((other) => other && other !== id);
  field.setAttribute("aria-describedby", [...others, ...(isWrong ? [id] : [])].join(" "));
  if (!isWrong) return;
  const text = Object.assign(document.createElement("span"), { textContent: field.dataset.error ?? "" });
  const message = Object.assign(document.createElement("p"), { id, className: "field-error", role: "alert" });
  message.append(icon("circle-alert"), text);
  field.after(message);
}
