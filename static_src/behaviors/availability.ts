// `data-availability="name of a field"` around a field whose value must be free: asks when the field is left, or by the
// button, which without a script sends the whole form. An edit voids the answer. The form waits for answers under way.

import { postForm } from "../lib/api";
import { cleanEmail, cleanName } from "../lib/rules";

interface Check {
  readonly state: "free" | "taken" | "unknown" | "invalid";
  readonly text: string;
  readonly proof: string;
}

interface Refusal {
  readonly csrf_token?: string;
}

export function checkAvailability(): void {
  const fields = [...document.querySelectorAll<HTMLElement>("[data-availability]")].map(
    (element) => new CheckedField(element),
  );
  const form = fields[0]?.form;
  if (!form) return;
  let mayGo = false;

  form.addEventListener("submit", async (event) => {
    const checkedField = fields.find((field) => field.button === event.submitter);
    if (checkedField) {
      event.preventDefault();
      await checkedField.check();
      return;
    }
    const open = fields.filter((field) => field.isOpen);
    if (mayGo || open.length === 0) return;
    event.preventDefault();
    await Promise.all(open.map((field) => field.check()));
    const wrong = fields.find((field) => field.isWrong);
    if (wrong) return wrong.field.focus();
    mayGo = true; // also where nothing could be asked: the server decides
    form.requestSubmit(event.submitter);
    mayGo = false;
  });
}

class CheckedField {
  readonly form: HTMLFormElement | null;
  readonly field: HTMLInputElement;
  readonly button: HTMLButtonElement | null;
  readonly #element: HTMLElement;
  readonly #status: HTMLElement | null;
  readonly #proof: HTMLInputElement | null;
  #pending: Promise<void> | null = null;

  constructor(element: HTMLElement) {
    const name = element.dataset.availability ?? "";
    this.#element = element;
    this.form = element.closest("form");
    this.field = element.querySelector(`[name="${name}"]`) as HTMLInputElement;
    this.button = element.querySelector("button");
    this.#status = element.querySelector("[role=status]");
    this.#proof = element.querySelector(`[name="${name}_checked"]`);
    this.field.addEventListener("input", () => this.#void());
    this.field.addEventListener("change", () => void (this.#value && this.check()));
  }

  /** Whether there is a value that was not checked. */
  get isOpen(): boolean {
    return this.#value !== "" && !this.#proof?.value;
  }

  get isWrong(): boolean {
    return this.#status?.dataset.state === "taken" || this.#status?.dataset.state === "invalid";
  }

  get #value(): string {
    return this.field.value.trim();
  }

  /** Ask about the value, or wait for the answer that is under way. */
  check(): Promise<void> {
    this.#pending ??= this.#ask().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #ask(): Promise<void> {
    const { value } = this.field;
    const { pattern, invalid = "", checking = "", failed = "" } = this.#element.dataset;
    const maxLength = Number(this.#element.dataset.maxLength);
    const clean = pattern ? cleanEmail(value, pattern, maxLength) : cleanName(value, maxLength);
    if (clean === null) return this.#render({ state: "invalid", text: invalid, proof: "" });
    this.#render({ state: "unknown", text: checking, proof: "" });
    const check = await this.#answer(value).catch((): Check => ({ state: "unknown", text: failed, proof: "" }));
    if (this.field.value === value) this.#render(check);
    else await this.#ask(); // it was edited
  }

  async #answer(value: string, isFirst = true): Promise<Check> {
    const form = this.form as HTMLFormElement;
    const fields = new FormData(form);
    const sent = { check: this.field.name, [this.field.name]: value };
    for (const name of ["csrfmiddlewaretoken", "server_location"]) sent[name] = String(fields.get(name) ?? "");
    const { item } = await postForm<Check & Refusal>(form.action, sent);
    if (item?.csrf_token && isFirst) {
      const token = form.querySelector<HTMLInputElement>("[name=csrfmiddlewaretoken]");
      if (token) token.value = item.csrf_token; // another tab logged in or out
      return this.#answer(value, false);
    }
    if (!item?.state) throw new Error("no answer");
    return item;
  }

  #void(): void {
    this.#render({ state: "unknown", text: "", proof: "" });
  }

  #render({ state, text, proof }: Check): void {
    if (this.#proof) this.#proof.value = proof;
    if (this.#status) {
      this.#status.dataset.state = state;
      if (this.#status.textContent !== text) this.#status.textContent = text;
    }
    this.field.ariaInvalid = String(this.isWrong);
    this.#element.querySelector(".field-error")?.remove(); // what the server said of the former value
  }
}
