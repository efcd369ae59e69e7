// The error of a field is about the value that was sent (`field_errors` in components/field.html): it goes as soon as a
// missing value is there, and otherwise when the field is left with another one. The summary above the form stays: it is
// the server's answer, and screen readers would read a change of it aloud.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function clearErrors(): void {
  document.addEventListener("change", ({ target }) => clearError(target as Field));
  document.addEventListener("input", ({ target }) => {
    if (!(target as Partial<HTMLInputElement>).defaultValue) clearError(target as Field);
  });
}

function clearError(field: Field): void {
  if (!field.name) return; // it finds the options of another one
  const container = field.closest(".field, .agreement");
  // Those with a role are a script's own (behaviors/check-email.ts).
  const error = container?.querySelector("[id$=_error]:not([role])");
  const isFilled = field.matches("[type=checkbox], [type=radio]")
    ? (field as HTMLInputElement).checked
    : field.value.trim();
  if (!container || !error || !isFilled) return;
  error.remove();
  container.removeAttribute("data-invalid");
  for (const invalid of container.querySelectorAll("[aria-invalid=true]")) {
    const others = (invalid.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== error.id);
    invalid.setAttribute("aria-describedby", others.join(" "));
    invalid.setAttribute("aria-invalid", "false");
  }
}
