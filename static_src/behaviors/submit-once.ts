// A second submit of a form is ignored during the first: a double click makes one call.

// Longer than the console waits for the service; by then the browser has given up or stayed on the page.
const RELEASED_AFTER = 30_000;

export function submitOnce(): void {
  const underWay = new Map<HTMLFormElement, HTMLElement | null>();

  const release = (form: HTMLFormElement) => {
    underWay.get(form)?.removeAttribute("aria-disabled");
    underWay.delete(form);
  };

  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    // A form or button answered with a file (`data-download`) leaves the page as it is, ready to be submitted again.
    const isFile = form.hasAttribute("data-download") || event.submitter?.hasAttribute("data-download");
    if (event.defaultPrevented || form.method !== "post" || isFile) return;
    if (underWay.has(form)) {
      event.preventDefault();
      return;
    }
    // Not `disabled`: the button's name and value are part of the form, and it keeps the focus.
    event.submitter?.setAttribute("aria-disabled", "true");
    underWay.set(form, event.submitter);
    setTimeout(release, RELEASED_AFTER, form);
  });

  // The page is back from the history cache, in the state of when the form was submitted.
  window.addEventListener("pageshow", () => {
    for (const form of underWay.keys()) release(form);
  });
}
