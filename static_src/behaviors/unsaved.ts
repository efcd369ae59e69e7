// `data-guard` on a form: leaving the page with unsaved changes asks first. For a link, this is done in the page's own
// dialog, in all other cases by the browser. `data-unsaved` anywhere means that the server rendered unsaved values.

// `data-leaving` on the page means that it is left on purpose, without asking.

const page = document.documentElement.dataset;

export function guardUnsaved(): void {
  const dialog = document.getElementById("leave");
  if (!(dialog instanceof HTMLDialogElement)) return;

  // Before all others: a link's own behavior must not run before the question.
  document.addEventListener("click", (event) => ask(event, dialog), { capture: true });
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && (event.target as HTMLElement).matches("form[data-guard]")) page.leaving = "";
  });
  // The user continues typing, or the page is back: it was not left after all.
  for (const event of ["input", "pageshow"]) {
    window.addEventListener(event, () => {
      delete page.leaving;
    });
  }
  window.addEventListener("beforeunload", (event) => {
    if (holdsUnsaved()) event.preventDefault();
  });
}

function ask(event: MouseEvent, dialog: HTMLDialogElement): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!link || !leavesSite(link, event) || !holdsUnsaved()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  dialog.returnValue = "";
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue !== "leave") return;
      page.leaving = "";
      link.click();
    },
    { once: true },
  );
  dialog.showModal();
}

/** A click that replaces this page with another one. */
function leavesSite(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  if (link.hasAttribute("download") || (link.target && link.target !== "_self")) return false;
  const staysInPage = link.hash !== "" && link.href.split("#")[0] === location.href.split("#")[0];
  return link.protocol.startsWith("http") && !staysInPage;
}

function holdsUnsaved(): boolean {
  if ("leaving" in page) return false;
  const forms = [...document.querySelectorAll<HTMLFormElement>("form[data-guard]")];
  return forms.some((form) => document.querySelector("[data-unsaved]") || [...form.elements].some(differs));
}

/** Whether the value of a control differs from what the server sent. */
function differs(control: Element): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some((o) => o.selected !== wasSelected(o, control));
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  // A search only finds what can be chosen in the form.
  if (!(control instanceof HTMLInputElement) || ["hidden", "search"].includes(control.type)) return false;
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.type === "file") return Boolean(control.files?.length);
  return control.value !== control.defaultValue;
}

/** Without a selected option, browsers select the first one. */
function wasSelected(option: HTMLOptionElement, select: HTMLSelectElement): boolean {
  const options = [...select.options];
  if (select.multiple || options.some((o) => o.defaultSelected)) return option.defaultSelected;
  return option === options.find((o) => !o.disabled);
}
