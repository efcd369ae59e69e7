import { afterEach, beforeEach, expect, test } from "vitest";
import { fitPanel, servePanel } from "./panel";

const LIST = "/user-manage/clinic/c-1/user";

let stop: () => void;

beforeEach(() => {
  history.replaceState(null, "", `${LIST}?size=10&user=u-2`);
  document.body.innerHTML = `<div class="beside">
    <aside><h2 tabindex="-1">Bea</h2><a class="icon-button" data-close href="${LIST}?size=10">x</a></aside>
    <div><section class="list" tabindex="-1"><table><tbody>
      <tr><th><a href="${LIST}/u-1">Ada</a></th></tr><tr><th><a href="${LIST}/u-2">Bea</a></th></tr>
    </tbody></table></section></div></div>`;
  stop = servePanel();
  fitPanel();
});

afterEach(() => stop());

function panel() {
  return document.querySelector<HTMLElement>("aside") as HTMLElement;
}

function open() {
  return document.querySelector("tr[aria-current]")?.textContent;
}

function press(key: string, target: Element) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
}

test("the row that is shown in the side panel is marked", () => {
  expect(open()).toBe("Bea");
});

test("the side panel follows the address", () => {
  history.pushState(null, "", `${LIST}?page=2`);
  fitPanel();
  expect([panel().hidden, open()]).toEqual([true, undefined]);
  history.replaceState(null, "", `${LIST}?size=10&user=u-2`);
  fitPanel();
  expect([panel().hidden, open()]).toEqual([false, "Bea"]);
});

test("Escape within the panel closes it, and the focus goes to the row [AX-02]", () => {
  const elsewhere = press("Escape", document.body);
  expect([panel().hidden, elsewhere.defaultPrevented]).toEqual([false, false]);
  const event = press("Escape", document.querySelector("h2") as Element);
  expect([panel(), event.defaultPrevented]).toEqual([null, true]);
  expect(location.search).toBe("?size=10");
  expect(document.activeElement?.textContent).toBe("Bea");
});

test("its link closes it without loading the page; if its row is not in the list, the list gets the focus", () => {
  document.querySelector("tr:last-child")?.remove();
  const close = document.querySelector("[data-close]");
  const event = new MouseEvent("click", { bubbles: true, cancelable: true });
  close?.dispatchEvent(event);
  expect([panel(), event.defaultPrevented]).toEqual([null, true]);
  expect(document.activeElement?.className).toBe("list");
});
