// The error of a field is about the value that was sent (`field_errors` in components/field.html): it goes with the first
// change of the value. Not when the field is left: what follows would move up under the finger that presses it. The
// summary above the form stays: it is the server's answer, and screen readers would read a change of it aloud.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function clearErrors(): void {
  document.addEventListener("input", ({ target }) => clearError(target as Field));
}

function clearError(field: Field): void {
  if (!field.name) return; // it finds the options of another one
  const container = field.closest(".field, .agreement");
  // Those with a role are a script's own (behaviors/check-fields.ts).
  const error = container?.querySelector("[id$=_error]:not([role])");
  const isFilled = field.matches("[type=checkbox], [type=radio]")
    ? (field as HTMLInputElement).checked
    : field.value.trim();
  if (!container || !error || !isFilled) return;
  error.remove();
  container.removeAttribute("data-invalid");
  for (const invalid of container.querySelectorAll("[aria-invalid=true]")) {
    const others = (invalid.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== error.id);
    if (others.length) invalid.setAttribute("aria-describedby", others.join(" "));
    else invalid.removeAttribute("aria-describedby");
    invalid.setAttribute("aria-invalid", "false");
  }
}
