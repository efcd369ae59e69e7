import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Call, done, fakeServer, refused } from "../testing/server";
import { runAutomatically } from "./run";

const LOST = "The connection was lost.";
let calls: Call[];
/** The buttons that the browser itself sent the form with. */
let pressed: string[];

function page(run: "goes-on" | ""): void {
  document.body.innerHTML = `<main><div class="alert">Old</div><form data-run="${run}" action="/bulk/move" method="post">
    <input type="hidden" name="job" value="j-100"><input type="hidden" name="back" value="/user-manage/user">
    <input type="hidden" name="csrfmiddlewaretoken" value="x">
    <div class="bulk-progress"><p class="bulk-message" data-lost="${LOST}">100 moved.</p>
    <label><span>100 of 5000</span><progress max="5000" value="100"></progress></label><p role="status"></p>
    <p data-running hidden></p><button data-primary type="submit">Continue with the next 100 rows</button>
    <button type="button" data-pause hidden>Pause</button><button name="show" value="1" type="submit">So far</button></div>
    </form></main>`;
  one("main").addEventListener("submit", (event) => {
    if (!event.defaultPrevented) pressed.push((event.submitter as HTMLButtonElement).name);
    event.preventDefault();
  });
  runAutomatically();
}

beforeEach(() => {
  pressed = [];
  calls = fakeServer();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function one<T extends HTMLElement>(selector: string): T {
  return document.querySelector(selector) as T;
}

const go = () => one<HTMLButtonElement>("[data-primary]");
const pause = () => one<HTMLButtonElement>("[data-pause]");
const announced = () => one("[role=status]").textContent;
const jobs = () => calls.map((call) => (call.body as FormData).get("job"));

/** Answer the newest call as the server does after so many rows, and wait for what comes of it. */
async function answer(processed: number, overrides: object = {}): Promise<void> {
  const item = {
    job: `j-${processed}`,
    seen: processed,
    total: 5000,
    waiting: 5000 - processed,
    progress: `${processed} of 5000`,
    button: "Go on",
  };
  calls.at(-1)?.answer(done({ ...item, goes_on: processed < 5000, ...overrides }, `${processed} moved.`));
  await vi.waitFor(() => expect(one("label > span").textContent).toBe(`${processed} of 5000`));
}

test("a run goes on step by step with the job of the last answer, and ends with the server's page [LS-06]", async () => {
  const replaceState = vi.spyOn(history, "replaceState");
  page("goes-on");
  expect([go().hidden, pause().hidden, one("[data-running]").hidden]).toEqual([true, false, false]);
  await answer(200);
  await answer(300);
  expect(one<HTMLProgressElement>("progress").value).toBe(300);
  expect(one(".bulk-message").textContent).toBe("300 moved.");
  expect(replaceState).not.toHaveBeenCalled();
  await answer(5000);
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(history.state, "", "/user-manage/user");
  expect(jobs()).toEqual(["j-100", "j-200", "j-300"]);
  await vi.waitFor(() => expect(pressed).toEqual(["show"]));
  expect(one<HTMLInputElement>("[name=job]").value).toBe("j-5000");
});

test("the progress is announced by the quarter, not with each step", async () => {
  page("goes-on");
  expect(announced()).toBe("100 moved.");
  await answer(200);
  expect(announced()).toBe("100 moved.");
  await answer(1300);
  expect(announced()).toBe("1300 of 5000");
  await answer(1400);
  expect(announced()).toBe("1300 of 5000");
  await answer(2500);
  expect(announced()).toBe("2500 of 5000");
});

test("a pause waits for the step under way, and shows the result so far [LS-08]", async () => {
  page("goes-on");
  pause().click();
  expect(pause().getAttribute("aria-disabled")).toBe("true");
  expect(pressed).toEqual([]);
  await answer(200);
  await vi.waitFor(() => expect(pressed).toEqual(["show"]));
  expect(jobs()).toEqual(["j-100"]);
});

test("a shown result continues only when its button is pressed, which hides the earlier message", async () => {
  page("");
  expect([calls.length, go().hidden]).toEqual([0, false]);
  go().click();
  expect([jobs(), pressed, one(".alert").hidden]).toEqual([["j-100"], [], true]);
  expect(document.activeElement).toBe(pause());
});

test("a step whose answer was lost is sent again unchanged when the user continues [ER-05]", async () => {
  page("goes-on");
  await answer(200);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  calls[1]?.breakOff();
  await vi.waitFor(() => expect([one(".bulk-message").textContent, announced()]).toEqual([LOST, LOST]));
  expect([go().hidden, pause().hidden, document.activeElement]).toEqual([false, true, go()]);
  go().click();
  expect(jobs()).toEqual(["j-100", "j-200", "j-200"]);
});

test("a call that failed stops the run, says why, and the rest waits for a press [ER-05]", async () => {
  page("goes-on");
  await answer(200, { goes_on: false });
  await vi.waitFor(() => expect([go().hidden, announced()]).toEqual([false, "200 moved."]));
  expect(go().textContent).toBe("Go on");
  go().click();
  expect(jobs()).toEqual(["j-100", "j-200"]);
});

test("a refused step says why", async () => {
  page("goes-on");
  calls[0]?.answer(refused("This selection has expired."), 422);
  await vi.waitFor(() => expect(one(".bulk-message").textContent).toBe("This selection has expired."));
});

/** Whether the browser asks before this page is left. */
function warnsBeforeUnload(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

test("a run asks before it is left, and no longer once it stopped or ended", async () => {
  page("");
  expect(warnsBeforeUnload()).toBe(false);
  page("goes-on");
  expect(warnsBeforeUnload()).toBe(true);
  await answer(200, { goes_on: false });
  expect(warnsBeforeUnload()).toBe(false);
  go().click();
  expect(warnsBeforeUnload()).toBe(true);
  await answer(5000);
  await vi.waitFor(() => expect(pressed).toEqual(["show"]));
  expect(warnsBeforeUnload()).toBe(false);
});
