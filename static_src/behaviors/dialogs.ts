// The dialogs about the session are brought into the page when one of them is due: most pages never show any.

const TIMEOUT_MS = 5_000;

/** Return a dialog of this page; rejects where the server does not give it. */
export async function getDialog(id: string): Promise<HTMLDialogElement> {
  if (!document.getElementById(id)) document.body.append(...(await read()).querySelectorAll("dialog"));
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement) return dialog;
  throw new Error(`no dialog ${id}`);
}

/** By the browser's own reader of documents: under the policy of the page (Trusted Types) no script makes HTML of text. */
function read(): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", `/session/dialogs?lng=${document.documentElement.lang}`);
    request.responseType = "document";
    request.timeout = TIMEOUT_MS;
    request.addEventListener("loadend", () =>
      request.responseXML ? resolve(request.responseXML) : reject(new Error("no page")),
    );
    request.send();
  });
}
