// `data-wait="seconds"` on the button of a form: it counts them down in its text before it can be pressed. It keeps the
// focus; without a script the server says how long to wait.

export function waitBeforeSending(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-wait]")) hold(button);
}

function hold(button: HTMLButtonElement): void {
  const { wait, waitText = "" } = button.dataset;
  const text = button.textContent;
  const ends = Date.now() + Number(wait) * 1000;
  const refuse = (event: Event) => event.preventDefault();

  const tick = () => {
    const remaining = Math.ceil((ends - Date.now()) / 1000);
    button.textContent = remaining > 0 ? waitText.replace("{seconds}", String(remaining)) : text;
    if (remaining > 0) return;
    clearInterval(timer);
    button.removeAttribute("aria-disabled");
    button.form?.removeEventListener("submit", refuse);
  };

  button.ariaDisabled = "true";
  button.form?.addEventListener("submit", refuse);
  const timer = setInterval(tick, 1000);
  tick();
}
