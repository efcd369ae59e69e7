// `data-email="pattern"` on a field: it must hold an email address. `data-repeats="name"`: it must equal the field with this
// name. Both are checked when the field is left, and before a form with a password is sent: after a refusal, the password
// would have to be entered again.

import { icon } from "../lib/icons";
import { cleanEmail } from "../lib/rules";

export function checkFields(): void {
  document.addEventListener("change", ({ target }) => {
    if (isChecked(target)) showError(target);
  });
  document.addEventListener("input", ({ target }) => {
    const { form, name } = target as HTMLInputElement;
    for (const field of [...(form?.elements ?? [])].filter(isChecked)) {
      if ((field === target || field.dataset.repeats === name) && isValid(field)) showError(field);
    }
  });
  const stop = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    // Other forms are sent: the server reports all their problems at once.
    if (!form.querySelector("[autocomplete$=-password]")) return;
    const [first] = [...form.elements].filter(isChecked).filter((field) => !isValid(field));
    if (!first) return;
    event.preventDefault();
    showError(first);
    first.focus();
  };
  document.addEventListener("submit", stop, { capture: true });
}

function isChecked(element: unknown): element is HTMLInputElement {
  return element instanceof HTMLInputElement && ("email" in element.dataset || "repeats" in element.dataset);
}

/** An empty email field is left to the server, which knows whether it has to have a value. */
function isValid({ form, value, dataset }: HTMLInputElement): boolean {
  const repeated = form?.elements.namedItem(dataset.repeats ?? "");
  if (repeated) return value === (repeated as HTMLInputElement).value;
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
  (field.closest(".password") ?? field).after(message);
}
