import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageEvent } from "../lib/events";
import { openRowsInPanel } from "./panel";

const LIST = "/user-manage/clinic/c-1/user";

let requestedQueries: string[];
let finishReading: () => void;
let added: [string, EventListener, unknown][];

beforeEach(() => {
  requestedQueries = [];
  history.replaceState(null, "", `${LIST}?size=10&user=u-2`);
  document.body.innerHTML = `<div class="beside">
    <dialog class="panel" data-of="u-2" open><h2 tabindex="-1">Bea</h2><a class="icon-button" data-close href="${LIST}?size=10">x</a></dialog>
    <div data-panel="user"><section class="list" tabindex="-1"><table><tbody>
      <tr><th><a href="${LIST}/u-1">Ada</a></th><td>Active</td></tr><tr><th><a href="${LIST}/u-2">Bea</a></th></tr>
    </tbody></table></section></div></div>`;
  const listen = vi.spyOn(document, "addEventListener");
  openRowsInPanel();
  added = listen.mock.calls as never;
});

afterEach(() => {
  vi.unstubAllGlobals();
  for (const [type, listener, options] of added) document.removeEventListener(type, listener, options as never);
});

function dispatchListRendered() {
  document.dispatchEvent(new Event(PageEvent.ListRendered));
}

function panel() {
  return document.querySelector<HTMLDialogElement>(".panel") as HTMLDialogElement;
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
  dispatchListRendered();
  expect([panel().open, open()]).toEqual([false, undefined]);
  history.replaceState(null, "", `${LIST}?size=10&user=u-2`);
  dispatchListRendered();
  expect([panel().open, open()]).toEqual([true, "Bea"]);
});

test("Escape within the panel closes it, and the focus goes to the row [AX-02]", () => {
  const elsewhere = press("Escape", document.body);
  expect([panel().open, elsewhere.defaultPrevented]).toEqual([true, false]);
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

/** What the server answers; null for none. A slow answer comes with `finishReading()`. */
function answer(page: Document | null, { isSlow = false } = {}) {
  vi.stubGlobal(
    "XMLHttpRequest",
    class {
      response = page;
      onload = () => {};
      open = (_method: string, address: string) => requestedQueries.push(new URL(address).search);
      send = () => {
        finishReading = () => this.onload();
        if (!isSlow) finishReading();
      };
      abort = () => {};
    },
  );
}

function withPanel(rowId: string, name: string) {
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML = `<dialog class="panel" data-of="${rowId}" open><h2 tabindex="-1" data-focus>${name}</h2></dialog>`;
  return page;
}

test("a click on a row brings the panel into the page, at its address", async () => {
  answer(withPanel("u-1", "Ada"));
  const before = history.length;
  document.querySelector("td")?.click();
  await vi.waitFor(() => expect(open()).toContain("Ada"));
  expect(requestedQueries).toEqual(["?size=10&user=u-1"]);
  expect([location.search, history.length]).toEqual(["?size=10&user=u-1", before]);
  expect([panel().open, document.querySelectorAll(".panel").length]).toEqual([true, 1]);
  expect(document.activeElement?.textContent).toBe("Ada");
});

function clickName(prevent: boolean) {
  const link = document.querySelector<HTMLElement>("th a") as HTMLElement;
  // As the loader does where names open in the panel.
  link.addEventListener("click", (event) => prevent && event.preventDefault());
  link.click();
}

test("a click on a name opens the panel where the loader keeps it from leading to the page", async () => {
  answer(withPanel("u-1", "Ada"));
  clickName(false);
  expect(requestedQueries).toEqual([]);
  clickName(true);
  await vi.waitFor(() => expect(open()).toContain("Ada"));
});

test("the arrow keys show the next and the previous row if there is one [AX-02]", async () => {
  answer(withPanel("u-1", "Ada"));
  const heading = () => document.querySelector(".panel h2") as HTMLElement;
  expect(press("ArrowDown", heading()).defaultPrevented).toBe(true);
  expect(requestedQueries).toEqual([]);
  press("ArrowUp", heading());
  await vi.waitFor(() => expect(open()).toContain("Ada"));
  expect([location.search, document.activeElement]).toEqual(["?size=10&user=u-1", heading()]);
  press("ArrowUp", heading());
  expect(requestedQueries).toEqual(["?size=10&user=u-1"]);
  expect(press("ArrowDown", document.body).defaultPrevented).toBe(false);
  press("ArrowDown", document.querySelector("th a") as Element);
  expect(requestedQueries).toHaveLength(2);
});

test("an arrow key continues from the row that is being read", async () => {
  const row = document.querySelector("tr")?.cloneNode(true) as Element;
  row.querySelector("a")?.setAttribute("href", `${LIST}/u-0`);
  document.querySelector("tbody")?.prepend(row);
  answer(withPanel("u-0", "Ada"), { isSlow: true });
  const heading = document.querySelector(".panel h2") as Element;
  press("ArrowUp", heading);
  press("ArrowUp", heading);
  expect(requestedQueries).toEqual(["?size=10&user=u-1", "?size=10&user=u-0"]);
  finishReading();
  await vi.waitFor(() => expect(panel().dataset.of).toBe("u-0"));
});

test("Escape at a name closes the panel, and Enter at its heading opens the page", () => {
  const click = vi.fn((event: Event) => event.preventDefault());
  panel().insertAdjacentHTML("beforeend", `<a data-page href="${LIST}/u-2">Open page</a>`);
  panel().querySelector("[data-page]")?.addEventListener("click", click);
  const heading = panel().querySelector("h2") as HTMLElement;
  heading.dataset.focus = "";
  press("Enter", heading);
  expect(click).toHaveBeenCalledOnce();
  press("Escape", document.querySelector("th a") as Element);
  expect(panel()).toBeNull();
});

test("where the panel can't be had, the page itself is opened, which tells why", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  answer(null);
  document.querySelector("td")?.click();
  await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce());
  expect(open()).toBe("Bea");
});

test("nothing opens on a page whose list has no panel", () => {
  document.querySelector("[data-panel]")?.removeAttribute("data-panel");
  answer(null);
  document.querySelector("td")?.click();
  expect(requestedQueries).toEqual([]);
});
