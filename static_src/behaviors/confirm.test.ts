import { beforeEach, expect, test } from "vitest";
import { askBeforeSubmit } from "./confirm";

let sent: (string | null)[] = [];

askBeforeSubmitOnce();

beforeEach(() => {
  sent = [];
  document.querySelector("main")?.replaceChildren();
  dialog().close();
});

test("a form that asks is not sent before the answer", () => {
  form('<button data-confirm="It is gone for ever." data-confirm-title="Delete Ahmed?">Delete</button>');
  press("Delete");
  expect(dialog().open).toBe(true);
  expect(sent).toEqual([]);
});

test("the question is in the words of the page", () => {
  form(
    '<button data-confirm="It is gone for ever." data-confirm-title="Delete Ahmed?" data-confirm-action="Delete user">Delete</button>',
  );
  press("Delete");
  expect(dialog().querySelector("h2")?.textContent).toBe("Delete Ahmed?");
  expect(dialog().querySelector("p")?.textContent).toBe("It is gone for ever.");
  expect(dialog().querySelector('[value="yes"]')?.textContent).toBe("Delete user");
});

test("yes sends the form, with the button that was pressed", () => {
  form('<button name="do" value="delete" data-confirm="Sure?">Delete</button>');
  press("Delete");
  dialog().close("yes");
  expect(sent).toEqual(["delete"]);
});

test("cancel sends nothing, and the next time it asks again", () => {
  form('<button data-confirm="Sure?">Delete</button>');
  press("Delete");
  dialog().close("");
  expect(sent).toEqual([]);
  press("Delete");
  expect(dialog().open).toBe(true);
});

test("another form is sent at once", () => {
  form("<button>Save</button>");
  press("Save");
  expect(dialog().open).toBe(false);
  expect(sent).toHaveLength(1);
});

function askBeforeSubmitOnce(): void {
  document.body.innerHTML = `<main></main><dialog id="confirm"><h2 id="confirm-title"></h2><p id="confirm-text"></p>
    <form method="dialog"><button value="">Cancel</button><button value="yes"></button></form></dialog>`;
  askBeforeSubmit();
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sent.push(event.submitter?.getAttribute("value") ?? null);
    event.preventDefault();
  });
}

function dialog(): HTMLDialogElement {
  return document.querySelector("dialog") as HTMLDialogElement;
}

function form(content: string): void {
  const made = document.createElement("form");
  made.method = "post";
  made.innerHTML = content;
  document.querySelector("main")?.append(made);
}

function press(text: string): void {
  [...document.querySelectorAll("main button")]
    .find((b) => b.textContent === text)
    ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}
