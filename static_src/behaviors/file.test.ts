import { beforeEach, expect, test, vi } from "vitest";
import { showFileNames } from "./file";

const requestSubmit = vi.fn();
let form: HTMLFormElement;
let input: HTMLInputElement;

beforeEach(() => {
  document.body.innerHTML = `<form><input type="hidden" name="csrf"><input name="note"><div class="field"><div data-file>
    <input type="file" id="id_file" aria-describedby="id_file_hint"><span>Choose a file</span><bdi></bdi></div><div data-unreadable>
    <template><p id="id_file_unreadable">Choose it again.</p></template></div></div><button>Check</button></form>`;
  form = document.querySelector("form") as HTMLFormElement;
  input = document.getElementById("id_file") as HTMLInputElement;
  requestSubmit.mockReset();
  form.requestSubmit = requestSubmit;
  showFileNames();
});

function choose(...files: File[]): void {
  Object.defineProperty(input, "files", { value: files, configurable: true });
  input.dispatchEvent(new Event("change"));
}

/** A file that was changed or deleted: it has a name, but no content can be read. */
function gone(): File {
  const file = new File(["a"], "people.csv");
  file.arrayBuffer = () => Promise.reject(new DOMException("", "NotReadableError"));
  return file;
}

/** Submit the form; return whether it is sent now. */
function submit(): boolean {
  const submitter = document.querySelector("button");
  return form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
}

test("the file that was chosen is named in the page [LN-32]", () => {
  expect(document.querySelector("bdi")?.textContent).toBe("");
  choose(new File([""], "people.csv"));
  expect(document.querySelector("bdi")?.textContent).toBe("people.csv");
  choose();
  expect(document.querySelector("bdi")?.textContent).toBe("");
});

test("a file that can be read is sent with the button that was pressed [DM-42]", async () => {
  let isSent = false;
  requestSubmit.mockImplementationOnce(() => {
    isSent = submit();
  });
  choose(new File(["Name"], "people.csv"));
  expect(submit()).toBe(false);
  await vi.waitFor(() => expect(isSent).toBe(true));
  await vi.waitFor(() => expect(requestSubmit).toHaveBeenCalledExactlyOnceWith(document.querySelector("button")));
  expect(submit()).toBe(false); // the next time it is read again
});

test("an empty file is sent: the server says what is wrong with it [DM-42]", async () => {
  choose(new File([], "people.csv"));
  submit();
  await vi.waitFor(() => expect(requestSubmit).toHaveBeenCalled());
});

test("a form without a file is sent at once [DM-42]", () => {
  expect(submit()).toBe(true);
});

test("a second press while the file is read sends nothing twice [DM-42]", async () => {
  choose(new File(["Name"], "people.csv"));
  expect(submit()).toBe(false);
  expect(submit()).toBe(false);
  await vi.waitFor(() => expect(requestSubmit).toHaveBeenCalledOnce());
  choose(gone());
  expect(submit()).toBe(false);
  await vi.waitFor(() => expect(document.getElementById("id_file_unreadable")).not.toBeNull());
  expect(requestSubmit).toHaveBeenCalledOnce();
});

test("a file that was changed or deleted is reported in the form, which stays as it is [DM-42]", async () => {
  (form.elements.namedItem("note") as HTMLInputElement).value = "typed";
  choose(gone());
  expect(submit()).toBe(false);
  await vi.waitFor(() => expect(document.getElementById("id_file_unreadable")?.textContent).toBe("Choose it again."));
  expect(input.getAttribute("aria-describedby")).toBe("id_file_unreadable id_file_hint");
  expect(input.ariaInvalid).toBe("true");
  expect(document.activeElement).toBe(input);
  expect(requestSubmit).not.toHaveBeenCalled();
  expect((form.elements.namedItem("note") as HTMLInputElement).value).toBe("typed");
  choose(new File(["Name"], "people.csv"));
  expect(document.getElementById("id_file_unreadable")).toBeNull();
  expect(input.getAttribute("aria-describedby")).toBe("id_file_hint");
  submit();
  await vi.waitFor(() => expect(requestSubmit).toHaveBeenCalled());
});
