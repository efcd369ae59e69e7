// `data-confirm="text"` on a form or a submit button: asks in the page's own dialog before the form is sent.
// `data-confirm-title` is the question, `data-confirm-action` the word on the button that says yes.

export function askBeforeSubmit(): void {
  const dialog = document.getElementById("confirm");
  if (!(dialog instanceof HTMLDialogElement)) return;
  const answered = new WeakSet<HTMLFormElement>();

  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const { submitter } = event;
    const asking = submitter?.closest<HTMLElement>("[data-confirm]") ?? form.closest<HTMLElement>("form[data-confirm]");
    if (!asking || answered.delete(form)) return;
    event.preventDefault();
    fill(dialog, asking, submitter);
    dialog.returnValue = "";
    dialog.addEventListener(
      "close",
      () => {
        if (dialog.returnValue !== "yes") return;
        answered.add(form);
        form.requestSubmit(submitter);
      },
      { once: true },
    );
    dialog.showModal();
  });
}

function fill(dialog: HTMLDialogElement, asking: HTMLElement, submitter: HTMLElement | null): void {
  const { confirm = "", confirmTitle = "", confirmAction } = asking.dataset;
  const action = confirmAction ?? submitter?.textContent?.trim() ?? "";
  const texts = { "#confirm-title": confirmTitle || action, "#confirm-text": confirm, 'button[value="yes"]': action };
  for (const [selector, text] of Object.entries(texts)) {
    const element = dialog.querySelector(selector);
    if (element) element.textContent = text;
  }
}
