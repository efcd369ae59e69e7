import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { PageEvent } from "../../lib/events";
import { startIsland } from "../../testing/islands";
import { type Call, done, fakeServer, refused } from "../../testing/server";
import type { ListView } from "../../types/props.gen";
import { start } from "./index";

const PATH = "/user-manage/clinic/c-1/user";
const { rows } = inject("drawings");
const LIST = rows.list;
const SENT = "Invitation sent. It expires on Nov 28, 2026.";
const [HANA, OMAR, LAST] = LIST.rows as [ListView["rows"][0], ListView["rows"][0], ListView["rows"][0]];
const RESEND = `${PATH}/${OMAR.id}/invitation/resend`;

let calls: Call[];
let toasts: unknown[];
let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  calls = fakeServer();
  toasts = [];
  HTMLElement.prototype.hidePopover = vi.fn(); // happy-dom has none
  history.replaceState(null, "", `${PATH}?sort=name`);
  const onToast = (event: Event) => toasts.push((event as CustomEvent).detail);
  document.addEventListener(PageEvent.Toast, onToast);
  const added = vi.spyOn(window, "addEventListener");
  stop = () => {
    document.removeEventListener(PageEvent.Toast, onToast);
    for (const [type, listener] of added.mock.calls)
      if (type === "popstate" || type === "online") removeEventListener(type, listener);
  };
  document.head.innerHTML = '<meta name="csrf-token" content="fresh">';
  document.body.innerHTML = rows.html.replace(/<script.*?<\/script>/, "");
  await startIsland(start, document.querySelector("section") as HTMLElement);
});

afterEach(() => {
  stop();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(HTMLElement.prototype, "hidePopover");
});

async function pass(ms = 1) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

async function answer(call: Call | undefined, body: object, status = 200) {
  call?.answer(body, status);
  await pass();
}

function row(id: string): HTMLElement {
  return document.querySelector(`[popovertarget="menu-${id}"]`)?.closest("tr") as HTMLElement;
}

function opener(id: string): HTMLElement {
  return row(id).querySelector("[popovertarget]") as HTMLElement;
}

function button(): HTMLElement {
  return within(row(OMAR.id)).getByText("Resend invitation");
}

async function press() {
  button().focus();
  fireEvent.click(button());
  await pass();
}

/** The list as it is read again: the row of this act with another state, or other rows. */
function list(state: string, others: Partial<ListView> = {}) {
  const changed = (each: ListView["rows"][0]) =>
    each === OMAR ? { ...each, cells: each.cells.map((cell, i) => (i === 5 ? { ...cell, text: state } : cell)) } : each;
  return done({ list: { ...LIST, rows: LIST.rows.map(changed), ...others } });
}

async function succeed(state = "Expires Nov 28, 2026", others: Partial<ListView> = {}) {
  await press();
  await answer(calls.at(-1), done({ id: OMAR.id }, SENT));
  await answer(calls.at(-1), list(state, others));
}

/** What a call sent of the form. */
function fields(call: Call | undefined) {
  return Object.fromEntries((call?.body instanceof FormData ? call.body : new FormData()).entries());
}

function getAnnouncement() {
  return document.querySelector("section > [role=status]")?.textContent;
}

describe("an act that is done", () => {
  it("is the form of the page, sent as JSON, each time with another id [DM-15, LS-18]", async () => {
    await press();
    const [call] = calls;
    const sent = fields(call);
    expect([call?.method, call?.url]).toEqual(["POST", RESEND]);
    expect(call?.headers.get("Accept")).toBe("application/json");
    expect(call?.headers.get("X-CSRFToken")).toBe("fresh");
    expect(sent).toEqual({
      form_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      sender: "sender-1",
      back: `${PATH}?sort=name`,
    });
    await answer(call, done({ id: OMAR.id }, SENT));
    await press();
    expect(fields(calls.at(-1)).form_id).not.toBe(sent.form_id);
  });

  it("removes what the page says of an earlier one, except what can be undone and warnings", async () => {
    const list = document.createElement("ul");
    list.id = "messages";
    list.innerHTML = `<li data-tone="success">1 request sent.</li><li data-tone="success"><form></form></li>
      <li data-tone="warning">1 couldn't be sent.</li>`;
    document.body.prepend(list);
    await succeed();
    expect([...list.children].map((message) => message.textContent)).toEqual(["", "1 couldn't be sent."]);
    list.innerHTML = '<li data-tone="success">1 request sent.</li>';
    await succeed();
    expect(list.hidden).toBe(true);
  });

  it("is reported once, by a toast, and shown in its row, which is read again at the list's address [DM-19]", async () => {
    await succeed();
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${RESEND}`,
      `GET ${PATH}?sort=name&counts=1`,
    ]);
    expect(row(OMAR.id).textContent).toContain("Expires Nov 28, 2026");
    expect(toasts).toEqual([{ tone: "success", title: SENT }]);
    expect(getAnnouncement()).toBe("");
    expect(location.search).toBe("?sort=name");

    await succeed("Expires Nov 29, 2026");
    expect(row(OMAR.id).textContent).toContain("Expires Nov 29, 2026");
    expect(toasts).toHaveLength(2);
  });

  it("leaves the focus on the menu button of its row, in the server's drawing and in ours [AX-02]", async () => {
    for (const day of ["Nov 28", "Nov 29"]) {
      await press();
      await answer(calls.at(-1), done({ id: OMAR.id }, SENT));
      expect(document.activeElement).toBe(opener(OMAR.id));
      expect(HTMLElement.prototype.hidePopover).toHaveBeenCalled();
      await answer(calls.at(-1), list(day));
      expect(row(OMAR.id).textContent).toContain(day);
      expect(document.activeElement).toBe(opener(OMAR.id));
    }
  });

  it("leaves the focus alone if the user has moved it", async () => {
    await press();
    const box = screen.getByRole("searchbox");
    box.focus();
    await answer(calls[0], done({ id: OMAR.id }, SENT));
    await answer(calls[1], list("new"));
    expect(document.activeElement).toBe(box);
  });

  it("hands the focus to the next row when its own is gone, and to the list when there is none", async () => {
    await succeed("", { rows: [HANA, LAST] });
    expect(document.activeElement).toBe(opener(LAST.id));
    document.body.innerHTML = rows.html.replace(/<script.*?<\/script>/, "");
    await startIsland(start, document.querySelector("section") as HTMLElement);
    await succeed("", { rows: [HANA] });
    expect(document.activeElement).toBe(document.querySelector("section"));
  });

  it("hands it on to the next row with the same actions when its own row has other ones now [DM-35]", async () => {
    const decided = { ...OMAR, actions: OMAR.actions.slice(1) };
    await succeed("", { rows: [HANA, decided, { ...LAST, actions: OMAR.actions }] });
    expect(document.activeElement).toBe(opener(LAST.id));
    document.body.innerHTML = rows.html.replace(/<script.*?<\/script>/, "");
    await startIsland(start, document.querySelector("section") as HTMLElement);
    await succeed("", { rows: [{ ...HANA, actions: [] }, decided] });
    expect(document.activeElement).toBe(opener(OMAR.id));
  });

  it("reads the list again on the way back to an address, whose rows may be outdated", async () => {
    fireEvent.click(screen.getByRole("link", { name: "Status" }));
    await pass();
    await answer(calls[0], list("old"));
    await succeed();
    history.replaceState(null, "", `${PATH}?sort=name`);
    dispatchEvent(new PopStateEvent("popstate"));
    await pass();
    expect([calls.at(-1)?.method, calls.at(-1)?.url]).toEqual(["GET", `${PATH}?sort=name`]);
  });

  it("does not silence a list that has changed since", async () => {
    await press();
    fireEvent.click(screen.getByRole("link", { name: "Status" }));
    await pass();
    await answer(calls[0], done({ id: OMAR.id }, SENT));
    // The read that was under way may have been answered before the act: it is made again.
    expect(calls.map(({ method }) => method)).toEqual(["POST", "GET", "GET"]);
    await answer(calls.at(-1), list("new"));
    expect(getAnnouncement()).toContain(LIST.sorting);
  });
});

describe("a list whose rows are decided in place", () => {
  const inSight = inject("drawings")["in-sight"];

  beforeEach(async () => {
    stop();
    cleanup();
    document.body.innerHTML = inSight.html.replace(/<script.*?<\/script>/, "");
    await startIsland(start, document.querySelector("section") as HTMLElement);
    document.addEventListener(PageEvent.Toast, (event) => toasts.push((event as CustomEvent).detail), { once: true });
  });

  function inRow(id: string, label: string): HTMLElement {
    return within(document.getElementById(`menu-${id}`) as HTMLElement).getByText(label);
  }

  async function decide(actions: (row: ListView["rows"][0]) => number[], label = "Resend invitation") {
    inRow(OMAR.id, label).focus();
    fireEvent.click(inRow(OMAR.id, label));
    await pass();
    await answer(calls.at(-1), done({ id: OMAR.id }, SENT));
    const changed = inSight.list.rows.map((each) => ({ ...each, actions: actions(each) }));
    await answer(calls.at(-1), done({ list: { ...inSight.list, rows: changed } }));
  }

  it("sends the position of each decided row, and has one message for all of them [DM-47]", async () => {
    await decide(({ actions }) => actions);
    expect(calls.at(-1)?.url).toBe(`${PATH}?sort=name&counts=1&decided=${OMAR.id}.1`);
    expect(toasts).toEqual([{ tone: "success", title: SENT, about: `act-${inSight.list.name}` }]);
  });

  it("hands the focus to the next undecided row, not to what reverts the decision [AX-02]", async () => {
    await decide(({ id, actions }) => (id === OMAR.id ? [0] : id === LAST.id ? OMAR.actions : actions));
    expect(document.activeElement).toBe(inRow(LAST.id, "Permissions"));
  });

  it("leaves the focus at a row that is undecided again, but not on a decision [AX-02]", async () => {
    await decide(({ id, actions }) => (id === OMAR.id ? [...actions, 0, 2] : actions));
    expect(document.activeElement).toBe(document.querySelector(`tr:has(#menu-${OMAR.id}) th a`));
  });
});

describe("an act that is under way", () => {
  function state() {
    return ["aria-busy", "aria-disabled"].map((name) => button().getAttribute(name));
  }

  it("says so, and is not begun a second time", async () => {
    await press();
    expect(state()).toEqual(["true", "true"]);
    await press();
    expect(calls).toHaveLength(1);
    await answer(calls[0], done({ id: OMAR.id }, SENT));
    expect(state()).toEqual([null, null]);
  });

  it("is reported in rows that are rendered while it runs", async () => {
    await press();
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    await pass();
    await answer(calls[1], list("new"));
    expect(row(OMAR.id).textContent).toContain("new");
    expect(state()).toEqual(["true", "true"]);
    await press();
    expect(calls).toHaveLength(2);
  });

  it("sends the same form after a new login [LS-18, DM-22]", async () => {
    const logIn = (event: Event) => {
      event.preventDefault();
      document.querySelector("meta")?.setAttribute("content", "newer");
      (event as CustomEvent<(goesOn: boolean) => void>).detail(true);
    };
    document.addEventListener(PageEvent.SessionEnded, logIn, { once: true });
    await press();
    await answer(calls[0], refused("", { goto: "/login" }), 401);
    expect(state()).toEqual(["true", "true"]);
    const [first, second] = calls.map((call) => fields(call).form_id);
    expect(second).toBe(first);
    expect(calls[1]?.headers.get("X-CSRFToken")).toBe("newer");
    expect("csrfmiddlewaretoken" in fields(calls[1])).toBe(false);
    await answer(calls[1], done({ id: OMAR.id }, SENT));
    expect(toasts).toHaveLength(1);
  });

  it("is not sent at all while the browser itself sends the form", async () => {
    button().setAttribute("aria-disabled", "true");
    await press();
    expect(calls).toEqual([]);
  });
});

describe("an act that is not done", () => {
  const NOT_INVITED = "This user has no pending invitation.";

  function alert() {
    return within(row(OMAR.id)).getByRole("alert");
  }

  it("says at its row why, once, and nothing else changes [ER-20]", async () => {
    await press();
    await answer(calls[0], refused(NOT_INVITED), 409);
    expect(alert().textContent).toBe(NOT_INVITED);
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    expect(document.activeElement).toBe(opener(OMAR.id));
    expect(button().getAttribute("aria-disabled")).toBeNull();
    expect([toasts, calls.length, getAnnouncement()]).toEqual([[], 1, ""]);
  });

  it("has its row read again where that is not what it was taken for [ER-21]", async () => {
    await press();
    await answer(calls[0], refused(NOT_INVITED, { item: { is_stale: true } }), 409);
    await answer(calls[1], list("decided by somebody else"));
    expect(row(OMAR.id).textContent).toContain("decided by somebody else");
    expect(row(OMAR.id).textContent).toContain(NOT_INVITED);
    expect([toasts, calls.length, getAnnouncement()]).toEqual([[], 2, ""]);
  });

  it("is reported by a toast when its row is gone after it is read again", async () => {
    await press();
    await answer(calls[0], refused(NOT_INVITED, { item: { is_stale: true } }), 409);
    await answer(calls[1], list("", { rows: [HANA, LAST] }));
    expect(toasts).toEqual([{ tone: "danger", title: OMAR.cells[0]?.text, text: NOT_INVITED }]);
    expect(screen.queryByText(NOT_INVITED)).toBeNull();
    expect(document.activeElement).toBe(opener(LAST.id));
  });

  it("says so when the connection is lost, and is not done twice when it is tried again [LS-18]", async () => {
    await press();
    calls[0]?.breakOff();
    await pass();
    expect(alert().textContent).toContain("Can't reach the console.");
    await press();
    expect(screen.queryByRole("alert")).toBeNull();
    const [first, second] = calls.map((call) => fields(call).form_id);
    expect(second).toBe(first);
    await answer(calls[1], done({ id: OMAR.id }, SENT));
    expect(toasts).toHaveLength(1);
  });

  it("says so without the service's words, too", async () => {
    await press();
    await answer(calls[0], refused(""), 502);
    expect(alert().textContent).toBe("Something went wrong. Try again.");
    expect(toasts).toEqual([]);
  });

  it("is reported by a toast when its row is no longer in the list", async () => {
    await press();
    fireEvent.click(screen.getByRole("link", { name: "Status" }));
    await pass();
    await answer(calls[1], list("", { rows: [HANA] }));
    await answer(calls[0], refused(NOT_INVITED), 409);
    expect(toasts).toEqual([{ tone: "danger", title: OMAR.cells[0]?.text, text: NOT_INVITED }]);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is announced once, however often its row is drawn, until the list moves on", async () => {
    await press();
    await answer(calls[0], refused(NOT_INVITED), 409);
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    await pass();
    await answer(calls[1], list("new"));
    expect(row(OMAR.id).textContent).toContain("new");
    expect(within(row(OMAR.id)).getByText(NOT_INVITED)).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    fireEvent.click(screen.getByRole("link", { name: "Status" }));
    await pass();
    expect(screen.queryByText(NOT_INVITED)).toBeNull();
  });
});

describe("what can be undone", () => {
  it("has a button with the message, which posts to the address of the answer and reads the list again", async () => {
    await press();
    await answer(calls.at(-1), { ...done({ id: OMAR.id }, SENT), undo: `${PATH}/${OMAR.id}/back` });
    await answer(calls.at(-1), list("Sent"));
    const { action } = toasts.at(-1) as { action: { label: string; run: () => void } };
    expect(action.label).toBe("Undo");
    action.run();
    await pass();
    expect(calls.at(-1)?.url).toBe(`${PATH}/${OMAR.id}/back`);
    expect(fields(calls.at(-1))).toMatchObject({ back: `${PATH}?sort=name` });
    await answer(calls.at(-1), done({ id: OMAR.id }, "Reverted"));
    expect(toasts.at(-1)).toEqual({ tone: "success", title: "Reverted" });
    expect(calls.at(-1)?.url).toContain(PATH);
  });
});
