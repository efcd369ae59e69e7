// `data-run` on a form: a bulk action that goes on in the page, step by step, each as the button "Continue" would send it.
//
// A step whose answer was lost is sent again as it was: the server reports its outcome, and does nothing twice. The
// button "Show results so far" ends the run in the page, at its end and for a pause: the server's page is the result. From
// the result of all rows, the browser's Back button leads to the list.
// While it runs, the browser asks before the page is left.

import { postForm } from "../lib/api";

interface Step {
  readonly job: string;
  readonly waiting: number;
  readonly seen: number;
  readonly total: number;
  readonly progress: string;
  /** The text of the button for the next step. */
  readonly button: string;
  /** Whether the next step needs no press, because this one was not blocked. */
  readonly goes_on: boolean;
}

const ANNOUNCED_PARTS = 4;

export function runAutomatically(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-run]");
  if (form) new Run(form);
}

class Run {
  private isRunning = false;
  private isToPause = false;
  private readonly pause: HTMLButtonElement;
  private readonly go: HTMLButtonElement;
  private readonly progressText: HTMLElement;
  private readonly status: HTMLElement;

  constructor(private readonly form: HTMLFormElement) {
    this.pause = this.part("[data-pause]");
    this.go = this.part("[data-primary]");
    this.progressText = this.part(".bulk-message");
    this.status = this.part(".bulk-progress [role=status]");
    form.addEventListener("submit", (event) => {
      if (event.submitter && event.submitter !== this.go) return;
      event.preventDefault();
      void this.start();
    });
    this.pause.addEventListener("click", () => {
      this.isToPause = true;
      this.pause.setAttribute("aria-disabled", "true");
    });
    window.addEventListener("beforeunload", (event) => {
      const isOnPurpose = "leaving" in document.documentElement.dataset;
      if (this.isRunning && form.isConnected && !isOnPurpose) event.preventDefault();
    });
    if (!form.dataset.run) return;
    this.status.textContent = this.progressText.textContent;
    void this.start();
  }

  private part<E extends HTMLElement>(selector: string): E {
    return this.form.querySelector(selector) as E;
  }

  private async start(): Promise<void> {
    if (this.isRunning) return;
    this.showRunning(true);
    while (this.isRunning) await this.step();
  }

  private async step(): Promise<void> {
    const fields = new FormData(this.form);
    fields.delete("csrfmiddlewaretoken"); // it is in the header, which changes after another login
    try {
      const { item, message } = await postForm<Step>(this.form.action, fields);
      if (item) this.take(item, message);
      else this.stop(message || this.progressText.dataset.lost);
    } catch {
      this.stop(this.progressText.dataset.lost);
    }
  }

  private take(step: Step, message: string): void {
    const part = (processed: number) => Math.trunc((processed * ANNOUNCED_PARTS) / step.total);
    const progress = this.part<HTMLProgressElement>("progress");
    const hasNews = part(step.seen) > part(progress.value);
    progress.value = step.seen;
    this.part("label > span").textContent = step.progress;
    this.go.textContent = step.button;
    this.part<HTMLInputElement>("[name=job]").value = step.job;
    this.progressText.textContent = message;
    if (!step.waiting) history.replaceState(history.state, "", this.part<HTMLInputElement>("[name=back]").value);
    if (step.waiting && !step.goes_on) this.stop(message);
    else if (!step.waiting || this.isToPause) this.show();
    else if (hasNews) this.status.textContent = step.progress;
  }

  /** Something needs the administrator: nothing continues automatically. */
  private stop(text = ""): void {
    this.progressText.textContent = this.status.textContent = text;
    this.showRunning(false);
  }

  private show(): void {
    this.isRunning = false;
    const button = document.createElement("button");
    button.name = "show";
    button.value = "1";
    button.hidden = true;
    this.form.append(button);
    this.form.requestSubmit(button);
  }

  /** What the page says about the rows so far is outdated while it runs. */
  private showRunning(isRunning: boolean): void {
    this.isRunning = isRunning;
    this.isToPause = false;
    this.pause.removeAttribute("aria-disabled");
    this.progressText.hidden = false;
    for (const old of document.querySelectorAll<HTMLElement>("main > .alert, .bulk-done")) old.hidden = true;
    for (const other of this.form.querySelectorAll<HTMLElement>("[name=show]")) other.hidden = isRunning;
    this.part("[data-running]").hidden = !isRunning;
    this.go.hidden = isRunning;
    this.pause.hidden = !isRunning;
    (isRunning ? this.pause : this.go).focus();
  }
}
