// `data-password-rules="id of the field"` on a list of rules, each with its `data-pattern`: checks off the rules that the
// password meets, and marks those that a longer password can't meet. The count is announced after a pause, so that a
// screen reader is not interrupted at each key.

import { matches } from "../lib/rules";

const QUIET = 1000;

export function checkPasswordRules(): void {
  for (const list of document.querySelectorAll<HTMLElement>("[data-password-rules]")) {
    const field = document.getElementById(list.dataset.passwordRules ?? "");
    if (field instanceof HTMLInputElement) follow(field, list);
  }
}

function follow(field: HTMLInputElement, list: HTMLElement): void {
  const status = document.querySelector(`[data-rules-status="${field.id}"]`);
  const counts = (list.dataset.counts ?? "").split("|");
  let timer = 0;

  const render = () => {
    let passed = 0;
    for (const rule of list.querySelectorAll<HTMLElement>("[data-pattern]")) {
      const { pattern = "" } = rule.dataset;
      const isMet = field.value !== "" && matches(pattern, field.value);
      passed += Number(isMet);
      rule.toggleAttribute("data-done", isMet);
      // A rule that an empty password meets, such as the maximum length, is not met by typing more.
      rule.toggleAttribute("data-broken", !matches(pattern, field.value) && matches(pattern, ""));
      const state = rule.querySelector("[data-state]");
      if (state) state.textContent = (isMet ? list.dataset.done : list.dataset.open) ?? "";
    }
    return passed;
  };

  field.addEventListener("input", () => {
    const passed = render();
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (status) status.textContent = counts[passed] ?? "";
    }, QUIET);
  });
  if (field.value) render(); // put back by the browser
}
