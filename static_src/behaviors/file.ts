// The name of the file that was chosen stands beside the button, which is in the language of the page (form.css).

export function nameFiles(): void {
  for (const field of document.querySelectorAll<HTMLElement>("[data-file]")) {
    const input = field.querySelector("input");
    const name = field.querySelector("bdi");
    const tell = (): void => {
      if (name) name.textContent = input?.files?.[0]?.name ?? "";
    };
    input?.addEventListener("change", tell);
    tell(); // browsers bring the file back with the page
  }
}
