// The search form of a list: what was not filled in does not go into the address, which people keep and share.

export function leaveOutWhatIsEmpty(): void {
  document.addEventListener("formdata", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "get") return;
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}
