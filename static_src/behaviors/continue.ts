// `data-continue` on a form: it is the next step of work under way, and goes on by itself. Without scripts its button does.

export function continueByItself(): void {
  document.querySelector<HTMLFormElement>("form[data-continue]")?.requestSubmit();
}
