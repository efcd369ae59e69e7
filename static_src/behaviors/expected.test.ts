import { beforeEach, expect, test } from "vitest";
import { selectExpected } from "./expected";

const row = (id: string, badge: string, ticked = "") =>
  `<tr><td><input type="checkbox" name="id" value="${id}" ${ticked}></td><td data-label="Status"><span class="badge" data-tone="info">Pending</span></td><td data-label="Expected">${badge}</td></tr>`;
const mark = (tone: string) => `<span class="badge" data-tone="${tone}">Expected</span>`;

beforeEach(() => {
  document.body.innerHTML = `<a href="?only" data-expected="Expected">Select</a><div data-results><table><tbody>${row("s-1", mark("info"))}${row("s-2", "–")}${row("s-3", mark("info"), "checked")}${row("s-4", mark("warning"))}</tbody></table></div>`;
  selectExpected();
});

function press(): boolean {
  return document.querySelector("a")?.dispatchEvent(new MouseEvent("click", { cancelable: true })) ?? true;
}

const ticked = () => [...document.querySelectorAll<HTMLInputElement>("input:checked")].map((box) => box.value);

test("the rows that are marked as expected are ticked, and those that were stay so", () => {
  const changedValues: string[] = [];
  document.addEventListener("change", (event) => changedValues.push((event.target as HTMLInputElement).value));
  expect(press()).toBe(false);
  expect(ticked()).toEqual(["s-1", "s-3"]);
  expect(changedValues).toEqual(["s-1"]);
});

test("where the list has none any more, the link leads to those of the page", () => {
  document.querySelector("tbody")?.replaceChildren();
  expect(press()).toBe(true);
});
