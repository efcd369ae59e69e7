import { expect, test } from "vitest";
import { showFullTexts } from "./whole-texts";

function pointAt(text: string, height: number): string | null {
  document.body.innerHTML = `<table class="table"><tbody><tr><td><bdi>${text}</bdi></td></tr></tbody></table>`;
  const element = document.querySelector("bdi") as HTMLElement;
  Object.defineProperty(element, "clientHeight", { value: 24 });
  Object.defineProperty(element, "scrollHeight", { value: height });
  element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  return document.querySelector("td")?.getAttribute("title") ?? null;
}

test("a chip that is cut off has its full text as a tooltip", () => {
  showFullTexts();
  document.body.innerHTML = `<ul class="chips"><li><span>Country: South Korea</span></li></ul>`;
  const element = document.querySelector("span") as HTMLElement;
  Object.defineProperty(element, "scrollWidth", { value: 140 });
  element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  expect(document.querySelector("li")?.title).toBe("Country: South Korea");
});

test("only a text that is cut off has its full text as a tooltip", () => {
  showFullTexts();
  expect(pointAt("a.very.long@address.example", 48)).toBe("a.very.long@address.example");
  expect(pointAt("short@address.example", 24)).toBeNull();
});

test.each([
  ["the keyboard", (link: HTMLElement) => link.focus()],
  [
    "a finger",
    (link: HTMLElement) => link.dispatchEvent(new PointerEvent("click", { bubbles: true, pointerType: "touch" })),
  ],
])("a row whose texts are cut off shows them to %s, until another row is reached", (_way, reach) => {
  showFullTexts();
  const row = "<tr><th><a href='#'><bdi>A very long name</bdi></a></th></tr>";
  document.body.innerHTML = `<table class="table"><tbody>${row}${row}</tbody></table>`;
  const [first, second] = [...document.querySelectorAll("a")] as HTMLElement[] as [HTMLElement, HTMLElement];
  Object.defineProperty(first.firstChild, "scrollHeight", { value: 48 });
  reach(first);
  expect(first.closest("tr")?.hasAttribute("data-expanded")).toBe(true);
  reach(second);
  expect(document.querySelector("[data-expanded]")).toBeNull();
});
