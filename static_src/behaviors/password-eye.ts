// `data-password-eye="id of the field"` on a button: shows and hides what was typed. It is hidden before submitting, so
// that no browser saves the password as ordinary text.

export function initPasswordToggles(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-password-eye]")) {
    const field = document.getElementById(button.dataset.passwordEye ?? "");
    if (!(field instanceof HTMLInputElement)) continue;
    const show = (isVisible: boolean) => {
      field.type = isVisible ? "text" : "password";
      button.ariaPressed = String(isVisible);
      button.ariaLabel = (isVisible ? button.dataset.hide : button.dataset.show) ?? "";
    };
    button.hidden = false;
    show(false);
    button.addEventListener("click", () => show(field.type === "password"));
    field.form?.addEventListener("submit", () => show(false));
  }
}
