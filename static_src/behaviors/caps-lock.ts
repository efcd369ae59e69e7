// `data-caps-lock="id of the field"` on a live region: shows its `data-text` while Caps Lock is on in that field.

export function watchCapsLock(): void {
  for (const hint of document.querySelectorAll<HTMLElement>("[data-caps-lock]")) {
    const field = document.getElementById(hint.dataset.capsLock ?? "");
    const show = (on: boolean) => {
      const text = on ? (hint.dataset.text ?? "") : "";
      if (hint.textContent !== text) hint.textContent = text;
    };
    for (const key of ["keydown", "keyup"] as const) {
      field?.addEventListener(key, (event) => show(event.getModifierState?.("CapsLock") ?? false));
    }
    field?.addEventListener("blur", () => show(false));
  }
}
