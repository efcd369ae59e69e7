import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PageEvent } from "../lib/events";
import { type Call, done, fakeServer, refused } from "../testing/server";
import { warnBeforeSessionEnds } from "./session";

const MINUTE = 60_000;

let calls: Call[];

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  calls = fakeServer();
  document.documentElement.dataset.seconds = "3600";
  document.body.innerHTML = `<dialog id="session-ends"><p data-idle></p><p data-last></p>
    <p role="alert" hidden></p><button data-cancel></button><button data-stay></button></dialog>`;
});

const ENDED = refused("", { item: { sender: "", seconds_left: 0, can_be_extended: false } });

afterEach(async () => {
  dialog().close();
  // A call that is open would run into its real timeout during another file.
  for (const call of calls) call.answer(ENDED, 401);
  await pass(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("there is no warning before the last five minutes, and the console is asked first [AX-09]", async () => {
  warnBeforeSessionEnds();
  await pass(54);
  expect(calls).toEqual([]);
  await pass(1);
  await answerSession(600); // the session has been used in another page
  expect(dialog().open).toBe(false);
  await pass(5);
  await answerSession(290);
  await vi.waitFor(() => expect(dialog().open).toBe(true));
  expect([part("idle").hidden, part("last").hidden, part("stay").hidden]).toEqual([false, true, false]);
});

test("after extending, the warning comes again before the next end [AX-09]", async () => {
  await warned();
  part("stay").click();
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect([calls[1]?.url, calls[1]?.method]).toEqual(["/session", "POST"]);
  calls[1]?.answer(session(3600));
  await vi.waitFor(() => expect(dialog().open).toBe(false));
  await pass(55);
  await vi.waitFor(() => expect(calls).toHaveLength(3));
});

test("a lost connection is shown, and one can try again", async () => {
  await warned();
  part("stay").click();
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  calls[1]?.breakOff();
  await vi.waitFor(() => expect(dialog().querySelector<HTMLElement>('[role="alert"]')?.hidden).toBe(false));
  expect(dialog().open).toBe(true);
});

test("the final end can't be extended, and the warning says so", async () => {
  await warned(false);
  expect([part("idle").hidden, part("last").hidden, part("stay").hidden]).toEqual([true, false, true]);
  part("cancel").click();
  await pass(600);
  expect(calls).toHaveLength(1);
});

test("without a reaction, the login dialog opens when the session has ended", async () => {
  const ended = vi.fn((event: Event) => event.preventDefault());
  document.addEventListener(PageEvent.SessionEnded, ended, { once: true });
  await warned();
  await pass(4);
  expect(ended).not.toHaveBeenCalled();
  await pass(1);
  expect(ended).toHaveBeenCalledOnce();
  expect(dialog().open).toBe(false);
});

test("there is no warning for a session that has ended, or that lasts for weeks", async () => {
  document.documentElement.dataset.seconds = "2500000";
  warnBeforeSessionEnds();
  await pass(60 * 24);
  expect(calls).toEqual([]);
  document.documentElement.dataset.seconds = "300";
  warnBeforeSessionEnds();
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  calls[0]?.answer(ENDED, 401);
  await pass(60 * 24);
  expect(dialog().open).toBe(false);
  expect(calls).toHaveLength(1);
});

test("without an answer the console is asked once more", async () => {
  document.documentElement.dataset.seconds = "300";
  warnBeforeSessionEnds();
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  calls[0]?.breakOff();
  await pass(1);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
});

function dialog(): HTMLDialogElement {
  return document.querySelector("dialog") as HTMLDialogElement;
}

function part(name: string): HTMLElement {
  return dialog().querySelector(`[data-${name}]`) as HTMLElement;
}

function session(seconds: number, canBeExtended = true): object {
  return done({ sender: "me", seconds_left: seconds, can_be_extended: canBeExtended });
}

async function pass(minutes: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(minutes * MINUTE);
}

/** Answer the latest request for the session. */
async function answerSession(seconds: number, canBeExtended = true): Promise<void> {
  const callCount = calls.length;
  await vi.waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(Math.max(1, callCount)));
  calls.at(-1)?.answer(session(seconds, canBeExtended));
  await vi.advanceTimersByTimeAsync(0);
}

async function warned(canBeExtended = true): Promise<void> {
  document.documentElement.dataset.seconds = "290";
  warnBeforeSessionEnds();
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  calls[0]?.answer(session(290, canBeExtended));
  await vi.waitFor(() => expect(dialog().open).toBe(true));
}
