// The search form of a list: empty fields are left out of the address, which people bookmark and share.

export function omitEmptyFields(): void {
  document.addEventListener("formdata", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "get") return;
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}
