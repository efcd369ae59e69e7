// The fields of forms.

/** True if the value of a field differs from what the server wrote. */
export function isChanged(field: HTMLInputElement | HTMLSelectElement): boolean {
  if (field instanceof HTMLSelectElement) {
    const written = [...field.options].findLast((option) => option.defaultSelected) ?? field.options[0];
    return field.value !== (written?.value ?? "");
  }
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}
