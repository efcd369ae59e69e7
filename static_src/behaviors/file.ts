// The name of the file that was chosen is next to the button, which is in the language of the page (form.css).

// A file that was changed or deleted since then can't be sent: browsers would leave the page for an error of their own.

/** Bytes that are read at once. A larger file is far too large for the server, which says so. */
const MAX_READ = 64 * 1024 * 1024;

export function showFileNames(): void {
  for (const field of document.querySelectorAll<HTMLElement>("div[data-file]")) {
    const input = field.querySelector("input") as HTMLInputElement;
    const name = field.querySelector("bdi");
    const show = (): void => {
      if (name) name.textContent = input.files?.[0]?.name ?? "";
    };
    input.addEventListener("change", show);
    show(); // browsers bring the file back with the page
    sendWhatIsReadable(input, show);
  }
}

function sendWhatIsReadable(input: HTMLInputElement, show: () => void): void {
  const { form } = input;
  const errorBox = input.closest(".field")?.querySelector("[data-unreadable]");
  const template = errorBox?.querySelector("template");
  if (!form || !errorBox || !template) return;
  const describedBy = input.getAttribute("aria-describedby") ?? "";
  let isChecked = false;
  let isReading = false;

  const mark = (isWrong: boolean): void => {
    errorBox.querySelector("p")?.remove();
    if (isWrong) errorBox.append(template.content.cloneNode(true));
    const error = errorBox.querySelector("p");
    input.ariaInvalid = String(isWrong);
    input.setAttribute("aria-describedby", error ? `${error.id} ${describedBy}`.trim() : describedBy);
  };

  // Before the listeners of the document, for which a form that waits here is not being submitted yet.
  form.addEventListener("submit", async (event) => {
    const file = input.files?.[0];
    if (!file || isChecked) {
      isChecked = false;
      return;
    }
    event.preventDefault();
    if (isReading) return;
    isReading = true;
    const { submitter } = event;
    isChecked = await isReadable(file);
    isReading = false;
    mark(!isChecked);
    if (isChecked) {
      form.requestSubmit(submitter);
      isChecked = false; // where another field is invalid, nothing was sent
      return;
    }
    input.value = ""; // otherwise the same file, chosen again, would be no change
    show();
    input.focus();
  });
  input.addEventListener("change", () => mark(false));
}

async function isReadable(file: File): Promise<boolean> {
  try {
    // The whole file: Chromium finds an empty part in a file that is gone.
    if (file.size <= MAX_READ) await file.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
