// `data-continue` on a form: it is the next step of a running job, and submits itself. Without scripts, its button does that.

export function continueByItself(): void {
  document.querySelector<HTMLFormElement>("form[data-continue]")?.requestSubmit();
}
