import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask } from "../lib/api";
import { type Call, done, fakeServer } from "../testing/server";
import { keepCounts } from "./counts";

keepCounts();

let calls: Call[];

beforeEach(() => {
  calls = fakeServer();
  document.body.innerHTML = `<a data-bell="/notifications/unread" aria-label="Notifications, 3 unread"><span class="count">3</span></a>
    <nav class="navigation"><ul><li><a href="/scanner-manage"><span>Scanners</span><span class="count">2</span></a></li>
    <li><a href="/decisions"><span>Decisions</span></a></li><li><a href="/user-manage"><span>Users</span></a></li></ul></nav>`;
});

afterEach(() => vi.unstubAllGlobals());

async function told(counts?: object): Promise<void> {
  const answer = ask("/scanner-manage?counts=1");
  calls.at(-1)?.answer({ ...done({}), ...(counts && { counts }) });
  await answer;
}

function shown(): (string | null)[] {
  return [...document.querySelectorAll("a")].map(({ textContent }) => textContent);
}

test("what an answer tells of what waits is drawn in the navigation and at the bell [DM-44, CO-20]", async () => {
  const bell = { count: "1", label: "Notifications, 1 unread" };
  await told({ badges: { "/scanner-manage": 1, "/decisions": 7, "/user-manage": 0 }, bell });
  expect(shown()).toEqual(["1", "Scanners1", "Decisions7", "Users"]);
  expect(document.querySelector("[data-bell]")?.getAttribute("aria-label")).toBe("Notifications, 1 unread");
  await told({ badges: { "/scanner-manage": 0, "/decisions": 6, "/nowhere": 5 }, bell: null });
  expect(shown()).toEqual(["1", "Scanners", "Decisions6", "Users"]);
  expect(document.querySelectorAll(".count")).toHaveLength(2);
});

test("an answer that tells nothing of it leaves the numbers as they are", async () => {
  await told();
  expect(shown()).toEqual(["3", "Scanners2", "Decisions", "Users"]);
});
