import { act } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PageEvent } from "../../lib/events";
import { startIsland } from "../../testing/islands";
import { type Call, done, fakeServer, refused } from "../../testing/server";
import { initDecisions } from "./decide";

/** A reading of the page, which waits for the test's answer. */
class Reading extends EventTarget {
  static all: Reading[] = [];
  responseType = "";
  timeout = 0;
  responseURL = location.href;
  status = 200;
  responseXML: Document | null = null;
  gaveUp = false;
  open(): void {
    Reading.all.push(this);
  }
  send(): void {}
  abort(): void {
    this.gaveUp = true;
  }
  answer(html: string): void {
    this.responseXML = new DOMParser().parseFromString(html, "text/html");
    act(() => void this.dispatchEvent(new Event("load")));
  }
  refuse(status: number): void {
    this.status = status;
    this.dispatchEvent(new Event("load"));
  }
}

let calls: Call[];
let toasts: string[];
const onToast = (event: Event) => toasts.push((event as CustomEvent).detail.title);

function page(...ids: string[]): string {
  const rows = ids.map(
    (id) =>
      `<tr><td><input type="checkbox" name="id" value="${id}" aria-label="${id}"></td><th scope="row"><a href="/s/${id}">${id}</a></th>
      <td class="row-actions" id="menu-${id}"><div class="row-buttons"><button class="button" form="act" formaction="/s/${id}/approve">Approve</button></div></td></tr>`,
  );
  return `<nav class="navigation"><div class="navigation-groups">Scanners ${ids.length}</div></nav>
    <div data-decisions><section id="waits-s" data-acts="act" tabindex="-1"><h2>${ids.length}</h2><table><tbody>${rows.join("")}</tbody></table></section></div>
    <form id="act"></form>`;
}

beforeEach(async () => {
  calls = fakeServer();
  toasts = [];
  Reading.all = [];
  vi.stubGlobal("XMLHttpRequest", Reading);
  history.replaceState(null, "", "/decisions");
  document.addEventListener(PageEvent.Toast, onToast);
  document.head.innerHTML = '<meta name="csrf-token" content="fresh">';
  document.body.innerHTML = page("a", "b", "c");
  await startIsland(initDecisions, document.querySelector("[data-decisions]") as HTMLElement);
});

afterEach(() => {
  document.removeEventListener(PageEvent.Toast, onToast);
  vi.unstubAllGlobals();
});

function row(id: string): HTMLElement | null {
  return document.querySelector(`input[value="${id}"]`)?.closest("tr") ?? null;
}

function press(id: string): void {
  const button = row(id)?.querySelector("button") as HTMLElement;
  button.focus();
  button.click();
}

async function decide(id: string): Promise<Reading> {
  const before = Reading.all.length;
  press(id);
  await vi.waitFor(() => expect(calls.at(-1)?.url).toContain(`/s/${id}/approve`));
  calls.at(-1)?.answer(done({ id, is_stale: false }, `${id} was approved.`));
  await vi.waitFor(() => expect(Reading.all.length).toBe(before + 1));
  return Reading.all.at(-1) as Reading;
}

it("takes the row, the count and the navigation from the page as it is now, and goes on to the next row [DM-44]", async () => {
  (document.querySelector('input[value="c"]') as HTMLInputElement).checked = true;
  const reading = await decide("a");
  expect(document.querySelector("section")?.ariaBusy).toBe("true");
  reading.answer(page("b", "c", "d"));
  expect(row("a")).toBeNull();
  expect(row("d")).not.toBeNull();
  expect(document.querySelector(".navigation")?.textContent).toBe("Scanners 3");
  expect((document.querySelector('input[value="c"]') as HTMLInputElement).checked).toBe(true);
  expect(document.activeElement?.getAttribute("formaction")).toBe("/s/b/approve");
  expect(toasts).toEqual(["a was approved."]);
});

it("says that it is done where the page can't be read again, and offers the page instead of the act", async () => {
  for (const fail of [
    (r: Reading) => r.refuse(502),
    (r: Reading) => r.dispatchEvent(new Event("error")),
    (r: Reading) => r.dispatchEvent(new Event("timeout")),
  ]) {
    document.body.innerHTML = page("a", "b");
    await startIsland(initDecisions, document.querySelector("[data-decisions]") as HTMLElement);
    fail(await decide("a"));
    const status = row("a")?.querySelector("[role=status]");
    expect(status?.textContent).toBe("Done, but the page couldn't be refreshed. Reload the page");
    expect(status?.querySelector("a")?.getAttribute("href")).toBe(location.href);
    expect(document.activeElement).toBe(status?.querySelector("a"));
    expect(row("a")?.querySelector("button")).toBeNull();
    expect(row("b")?.querySelector("button")).not.toBeNull();
    expect(document.querySelector("section")?.ariaBusy).toBeNull();
  }
});

it("says it of each that was done since the page was read, and of none once it is read", async () => {
  const first = await decide("a");
  const second = await decide("b");
  expect(first.gaveUp).toBe(true);
  second.refuse(504);
  expect(document.querySelectorAll("[role=status]")).toHaveLength(2);
  const third = await decide("c");
  third.answer(page("d"));
  expect(document.querySelectorAll("[role=status]")).toHaveLength(0);
  expect(row("d")).not.toBeNull();
});

it("does not say done of what was refused, whether or not the page can be read", async () => {
  press("a");
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  calls[0]?.answer(refused("It's now approved.", { item: { id: "a", is_stale: true } }), 409);
  await vi.waitFor(() => expect(Reading.all).toHaveLength(1));
  Reading.all[0]?.refuse(502);
  expect(row("a")?.textContent).toContain("It's now approved.");
  expect(document.querySelector("[role=status]")).toBeNull();
});

it("gives the whole window to the page that the reading was led to", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  const reading = await decide("a");
  reading.responseURL = new URL("/login?next=/decisions", location.href).href;
  reading.refuse(200);
  expect(assign).toHaveBeenCalledWith(reading.responseURL);
});
