import { beforeEach, expect, test } from "vitest";
import { showCounts } from "./counts";

beforeEach(() => {
  document.body.innerHTML = `<a data-bell="/notifications/unread" aria-label="Notifications, 3 unread"><span class="count">3</span></a>
    <nav class="navigation"><ul><li><a href="/scanner-manage"><span>Scanners</span><span class="count">2</span></a></li>
    <li><a href="/decisions"><span>Decisions</span></a></li><li><a href="/user-manage"><span>Users</span></a></li></ul></nav>`;
});

function linkTexts(): (string | null)[] {
  return [...document.querySelectorAll("a")].map(({ textContent }) => textContent);
}

test("what an answer tells of what waits is drawn in the navigation and at the bell [DM-44, CO-20]", async () => {
  const bell = { count: "1", label: "Notifications, 1 unread" };
  await showCounts({ badges: { "/scanner-manage": "1", "/decisions": "1,207", "/user-manage": "" }, bell });
  expect(linkTexts()).toEqual(["1", "Scanners1", "Decisions1,207", "Users"]);
  expect(document.querySelector("[data-bell]")?.getAttribute("aria-label")).toBe("Notifications, 1 unread");
  await showCounts({ badges: { "/scanner-manage": "", "/decisions": "6", "/nowhere": "5" }, bell: null });
  expect(linkTexts()).toEqual(["1", "Scanners", "Decisions6", "Users"]);
  expect(document.querySelectorAll(".count")).toHaveLength(2);
});
