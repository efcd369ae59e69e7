import { expect, it } from "vitest";
import { showTabs, tabsInHead } from "./server-page";

const TABS =
  '<nav data-list-tabs=""><a href="/s?status=PENDING">Pending<span class="count">3</span></a><a href="/s" aria-current="page">All<span class="count">9</span></a></nav>';

it("follows the list, and returns to what the server wrote with its address [DM-35]", () => {
  document.body.innerHTML = TABS;
  const first = tabsInHead();
  showTabs([
    { href: "/s?keyword=a&status=PENDING", count: "2", is_current: true },
    { href: "/s?keyword=a", count: "", is_current: false },
  ]);
  const [pending, all] = document.querySelectorAll("a");
  expect([pending?.getAttribute("href"), pending?.textContent]).toEqual(["/s?keyword=a&status=PENDING", "Pending2"]);
  expect([pending?.getAttribute("aria-current"), all?.getAttribute("aria-current")]).toEqual(["page", null]);
  expect(all?.textContent).toBe("All");
  showTabs(first);
  expect(document.body.innerHTML).toBe(TABS);
});

it("counts where nothing was counted, and is left alone by an answer without tabs", () => {
  document.body.innerHTML =
    '<nav data-list-tabs=""><a href="/p" aria-current="page">Received</a><a href="/p/sent">Sent</a></nav>';
  const tabs = (count: string) => [
    { href: "/p", count, is_current: true },
    { href: "/p/sent", count: "", is_current: false },
  ];
  const texts = () => [...document.querySelectorAll("a")].map(({ textContent }) => textContent);
  showTabs(tabs("7"));
  expect(texts()).toEqual(["Received7", "Sent"]);
  showTabs([]);
  expect(texts()).toEqual(["Received7", "Sent"]);
  showTabs(tabs("6"));
  expect(texts()).toEqual(["Received6", "Sent"]);
  showTabs(tabs(""));
  expect(texts()).toEqual(["Received", "Sent"]);
});

it("leaves pages without tabs alone", () => {
  document.body.innerHTML = "<main></main>";
  showTabs(tabsInHead());
  expect(document.body.innerHTML).toBe("<main></main>");
});
