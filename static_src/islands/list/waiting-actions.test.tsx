import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PageEvent } from "../../lib/events";
import { type Call, done, fakeServer, refused } from "../../testing/server";
import { RowActions } from "./RowActions";

let calls: Call[];
let toasts: string[];
let reread: ReturnType<typeof vi.fn<(menu: string) => void>>;
/** Draw the rows again, as the list or the page does. */
let redraw: () => void;
const onToast = (event: Event) => toasts.push((event as CustomEvent).detail.title);

function rows(...ids: string[]): string {
  return ids
    .map(
      (id) =>
        `<tr><th scope="row"><a href="/p/${id}">Lab ${id}</a></th><td class="row-actions" id="menu-${id}"><div class="row-buttons">
        <button form="act-p" formaction="/p/${id}/accept" data-progress="Accepting…">Accept</button>
        <button form="act-p" formaction="/p/${id}/reject" data-progress="Rejecting…">Reject</button></div></td></tr>`,
    )
    .join("");
}

beforeEach(async () => {
  vi.useFakeTimers();
  calls = fakeServer();
  toasts = [];
  document.addEventListener(PageEvent.Toast, onToast);
  history.replaceState(null, "", "/p");
  document.body.innerHTML = `<a id="away" href="/partners">Partners</a>
    <form id="logout" method="post" action="/logout"><button>Log out</button></form>
    <section tabindex="-1"><table><tbody>${rows("a", "b", "c")}</tbody></table></section><form id="act-p"></form>`;
  const section = document.querySelector("section") as HTMLElement;
  reread = vi.fn<(menu: string) => void>();
  const form = document.getElementById("act-p") as HTMLFormElement;
  let drawing = 0;
  const rowActions = () => <RowActions form={form} section={section} drawing={drawing} url="/p" onDone={reread} />;
  const { rerender } = render(rowActions());
  redraw = () => {
    drawing += 1;
    rerender(rowActions());
  };
});

afterEach(() => {
  cleanup();
  document.removeEventListener(PageEvent.Toast, onToast);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function row(id: string): HTMLElement {
  return document.getElementById(`menu-${id}`)?.closest("tr") as HTMLElement;
}

function control(id: string, text: string): HTMLElement {
  return [...row(id).querySelectorAll("button")].find((button) => button.textContent === text) as HTMLElement;
}

/** By keyboard, unless it is the first click (`detail`) of a pointer. */
function press(id: string, text = "Reject", detail = 0): void {
  const button = control(id, text);
  button.focus();
  click(button, detail);
}

function click(element: HTMLElement, detail = 0): void {
  act(() => void element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail })));
}

/** Return the visible texts of the last cell of a row. */
function cellTexts(id: string): string[] {
  const cell = row(id).querySelector(".row-actions") as HTMLElement;
  const parts = [...cell.querySelectorAll("button, p")].filter((part) => !part.closest("[hidden]"));
  return parts.map((part) => part.textContent ?? "");
}

function leaveRow(): void {
  (document.activeElement as HTMLElement).blur();
}

async function pass(ms = 1): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

async function answer(body: object, status = 200): Promise<void> {
  calls.at(-1)?.answer(body, status);
  await pass();
}

const REJECTED = done({ id: "a" }, "The request was rejected.");

describe("an act that can't be reversed", () => {
  it.each([
    ["Reject", "Rejecting…", "/p/a/reject"],
    ["Accept", "Accepting…", "/p/a/accept"],
  ])(
    "waits for ten seconds after %s, and only its answer says that it is done [UC-11]",
    async (action, progress, url) => {
      press("a", action);
      leaveRow();
      expect(cellTexts("a")).toEqual([progress, "Undo"]);
      expect(control("a", "Undo").getAttribute("aria-label")).toBe("Undo: Lab a");
      await pass(9_900);
      expect(calls).toEqual([]);
      await pass(200);
      expect(calls.map((call) => [call.method, call.url, call.keepalive])).toEqual([["POST", url, true]]);
      expect(cellTexts("a")).toEqual([progress]);
      expect(toasts).toEqual([]);
      await answer(REJECTED);
      expect(toasts).toEqual(["The request was rejected."]);
      expect(reread).toHaveBeenCalledExactlyOnceWith("menu-a");
      redraw();
      expect(cellTexts("a")).toEqual(["Accept", "Reject"]);
      await pass(60_000);
      expect(calls).toHaveLength(1);
    },
  );

  it("is not carried out when it is undone, and the focus returns to its button [DM-40]", async () => {
    press("a");
    await pass(600);
    click(control("a", "Undo"));
    expect(cellTexts("a")).toEqual(["Accept", "Reject"]);
    expect(document.activeElement).toBe(control("a", "Reject"));
    await pass(60_000);
    act(() => void dispatchEvent(new Event("pagehide")));
    expect(calls).toEqual([]);
  });

  it("waits no longer because of the focus that it was given itself", async () => {
    press("a");
    expect(document.activeElement?.textContent).toBe("Rejecting…");
    await pass(9_900);
    expect(calls).toEqual([]);
    await pass(200);
    expect(calls).toHaveLength(1);
    expect(document.activeElement).toBe(document.querySelector("section"));
  });

  it("waits longer while the user keeps the focus on its button", async () => {
    press("a");
    control("a", "Undo").focus();
    await pass(60_000);
    expect(calls).toEqual([]);
    leaveRow();
    await pass(9_900);
    expect(calls).toEqual([]);
    await pass(200);
    expect(calls).toHaveLength(1);
  });

  it("does not wait for a pointer that stays where it pressed", async () => {
    press("a", "Reject", 1);
    vi.spyOn(control("a", "Undo").parentElement as HTMLElement, "matches").mockReturnValue(true);
    await pass(10_100);
    expect(calls).toHaveLength(1);
  });

  it("is carried out when the page is left, by a call that outlives it, and once", async () => {
    press("a");
    press("b", "Accept");
    act(() => void dispatchEvent(new Event("pagehide")));
    act(() => void dispatchEvent(new Event("pagehide")));
    expect(calls.map(({ url, keepalive }) => [url, keepalive])).toEqual([
      ["/p/a/reject", true],
      ["/p/b/accept", true],
    ]);
  });

  it("says why it was not done, and can be tried again as the same form [LS-18, ER-32]", async () => {
    press("a");
    leaveRow();
    await pass(10_100);
    await answer(refused("Failed to reject the partnership request."), 502);
    expect(row("a").textContent).toContain("Failed to reject the partnership request.");
    expect(cellTexts("a")).toEqual(["Accept", "Reject"]);
    expect(toasts).toEqual([]);
    await pass(600);
    press("a");
    leaveRow();
    expect(row("a").textContent).not.toContain("Failed");
    await pass(10_100);
    const [first, second] = calls.map((call) => (call.body as FormData).get("form_id"));
    expect(second).toBe(first);
  });

  it("waits in each row separately, also in rows that are rendered again", async () => {
    press("a");
    leaveRow();
    await pass(5_000);
    press("b", "Accept");
    leaveRow();
    (document.querySelector("tbody") as HTMLElement).innerHTML = rows("a", "b", "c");
    redraw();
    expect([cellTexts("a"), cellTexts("b"), cellTexts("c")]).toEqual([
      ["Rejecting…", "Undo"],
      ["Accepting…", "Undo"],
      ["Accept", "Reject"],
    ]);
    await pass(5_100);
    expect(calls.map(({ url }) => url)).toEqual(["/p/a/reject"]);
    await pass(5_000);
    expect(calls.map(({ url }) => url)).toEqual(["/p/a/reject", "/p/b/accept"]);
  });

  it("is carried out although its row is out of sight", async () => {
    press("a");
    leaveRow();
    (document.querySelector("tbody") as HTMLElement).innerHTML = rows("b");
    redraw();
    await pass(10_100);
    await answer(REJECTED);
    expect(toasts).toEqual(["The request was rejected."]);
  });

  it.each(["Enter", "a double click"])("is decided once by %s twice, and no other is", async (how) => {
    const detail = how === "Enter" ? 0 : 1;
    press("a", "Reject", detail);
    click(document.activeElement as HTMLElement);
    // What stands where the button was.
    click(control("a", "Undo"), detail);
    expect([cellTexts("a"), cellTexts("b")]).toEqual([
      ["Rejecting…", "Undo"],
      ["Accept", "Reject"],
    ]);
  });

  it("leaves no focus on a button of the row that takes its place", async () => {
    press("a", "Reject", 1);
    vi.spyOn(control("a", "Undo").parentElement as HTMLElement, "querySelector").mockReturnValueOnce(null);
    act(() => void dispatchEvent(new Event("pagehide")));
    expect(document.activeElement).toBe(document.querySelector("section"));
  });
});

describe("a page that is left by a link or a form", () => {
  function follow(): boolean {
    const event = new MouseEvent("click", { bubbles: true, cancelable: true });
    act(() => void document.getElementById("away")?.dispatchEvent(event));
    return !event.defaultPrevented;
  }

  it("waits for the answer, so that the next page shows what was decided", async () => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
    press("a");
    expect(follow()).toBe(false);
    expect(calls.map(({ url }) => url)).toEqual(["/p/a/reject"]);
    expect(assign).not.toHaveBeenCalled();
    await answer(REJECTED);
    expect(assign).toHaveBeenCalledExactlyOnceWith(new URL("/partners", location.href).href);
  });

  it("waits for the answer also where a link leads to this page", async () => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
    document.getElementById("away")?.setAttribute("href", "/p");
    press("a");
    expect(follow()).toBe(false);
    await answer(REJECTED);
    expect(assign).toHaveBeenCalledExactlyOnceWith(new URL("/p", location.href).href);
  });

  it("is not left by a link to a part of it", async () => {
    document.getElementById("away")?.setAttribute("href", "#main");
    press("a");
    expect(follow()).toBe(true);
    expect(calls).toEqual([]);
  });

  it("is not left if the answer is a refusal, which is shown in the page", async () => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
    press("a");
    follow();
    await answer(refused("Failed to reject the partnership request."), 502);
    await pass(10_000);
    expect(assign).not.toHaveBeenCalled();
    expect(row("a").textContent).toContain("Failed to reject");
  });

  it("is left after three seconds without an answer", async () => {
    const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
    press("a");
    follow();
    await pass(2_900);
    expect(assign).not.toHaveBeenCalled();
    await pass(200);
    expect(assign).toHaveBeenCalledOnce();
  });

  it("sends a form of another page, such as the logout, after the answer", async () => {
    const submitted = vi.fn((event: Event) => event.preventDefault());
    document.getElementById("logout")?.addEventListener("submit", submitted);
    press("a");
    act(() => document.querySelector<HTMLElement>("#logout button")?.click());
    expect(submitted).not.toHaveBeenCalled();
    await answer(REJECTED);
    expect(submitted).toHaveBeenCalledOnce();
  });
});

describe("a row that has just come under the pointer", () => {
  function stand(tops: Record<string, number>): void {
    for (const [id, top] of Object.entries(tops)) row(id).getBoundingClientRect = () => new DOMRect(0, top, 1000, 40);
  }

  function point(clientY: number): void {
    document.dispatchEvent(new PointerEvent("pointermove", { clientX: 900, clientY }));
  }

  it("ignores a click for half a second, and no key", async () => {
    stand({ a: 100, b: 140, c: 180 });
    redraw();
    await pass(1_000);
    point(110);
    row("a").remove();
    stand({ b: 100, c: 140 });
    redraw();
    await pass(350);
    press("b", "Reject", 1);
    expect(cellTexts("b")).toEqual(["Accept", "Reject"]);
    press("c", "Reject", 1);
    expect(cellTexts("c"), "the pointer was not there").toEqual(["Rejecting…", "Undo"]);
    await pass(200);
    press("b", "Reject", 1);
    expect(cellTexts("b")).toEqual(["Rejecting…", "Undo"]);
  });

  it("ignores it where the row is new, too, also on its link and its box", async () => {
    await pass(1_000);
    (document.querySelector("tbody") as HTMLElement).innerHTML = rows("a", "b", "c", "d");
    point(230);
    stand({ d: 220 });
    redraw();
    press("d", "Accept", 1);
    expect(cellTexts("d")).toEqual(["Accept", "Reject"]);
    const click = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
    row("d").querySelector("a")?.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);
    press("d", "Accept");
    expect(cellTexts("d")).toEqual(["Accepting…", "Undo"]);
  });
});
