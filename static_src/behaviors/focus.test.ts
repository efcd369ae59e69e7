import { expect, test } from "vitest";
import { setInitialFocus } from "./focus";

test("the errors of a form get the focus, and link to its fields [ER-35]", () => {
  document.body.innerHTML =
    '<div tabindex="-1" data-focus><a href="#id_email">Enter Email</a></div><input id="id_email">';
  setInitialFocus();
  expect(document.activeElement).toBe(document.querySelector("[data-focus]"));
  document.querySelector("a")?.click();
  expect(document.activeElement?.id).toBe("id_email");
});

test("the first field of a new form gets the focus, even when a message would give it to the heading [DM-11]", () => {
  document.body.innerHTML =
    '<h1 tabindex="-1" data-focus>Add clinic</h1><dialog><button autofocus>Stay</button></dialog>' +
    '<form data-guard><input type="hidden"><input id="name" autofocus></form>';
  setInitialFocus();
  expect(document.activeElement?.id).toBe("name");
});

test("what must be read comes before the first field", () => {
  document.body.innerHTML =
    '<h1 tabindex="-1" data-focus>Import</h1><div tabindex="-1" data-focus id="alert"></div>' +
    "<form data-guard><input autofocus></form>";
  setInitialFocus();
  expect(document.activeElement?.id).toBe("alert");
});

test("a field in a closed dialog leaves the focus to the heading", () => {
  document.body.innerHTML =
    '<h1 tabindex="-1" data-focus>Ada</h1><dialog popover><form data-guard><input autofocus></form></dialog>';
  setInitialFocus();
  expect(document.activeElement?.tagName).toBe("H1");
});

test("a page without errors leaves the focus alone", () => {
  document.body.innerHTML = "<input autofocus>";
  document.querySelector("input")?.focus();
  setInitialFocus();
  expect(document.activeElement).toBe(document.querySelector("input"));
});

test("a tab that was opened by keyboard has the focus in its page [AX-02]", () => {
  document.body.innerHTML = '<nav class="tabs"><a href="/a" aria-current="page">A</a><a href="/b">B</a></nav>';
  const [current, other] = document.querySelectorAll("a");
  setInitialFocus();
  expect(document.activeElement).toBe(document.body);
  other?.addEventListener("click", (event) => event.preventDefault());
  other?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  expect(other?.hash).toBe("");
  other?.click();
  expect(other?.hash).toBe("#tab");
  history.replaceState(null, "", "#tab");
  setInitialFocus();
  expect(document.activeElement).toBe(current);
  history.replaceState(null, "", "#");
});
