import { expect, test } from "vitest";
import { showFullTexts } from "./whole-texts";

function pointAt(text: string, height: number): string | null {
  document.body.innerHTML = `<table class="table"><tbody><tr><td><bdi>${text}</bdi></td></tr></tbody></table>`;
  const shown = document.querySelector("bdi") as HTMLElement;
  Object.defineProperty(shown, "clientHeight", { value: 24 });
  Object.defineProperty(shown, "scrollHeight", { value: height });
  shown.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  return document.querySelector("td")?.getAttribute("title") ?? null;
}

test("a chip that is cut off is told whole", () => {
  showFullTexts();
  document.body.innerHTML = `<ul class="chips"><li><span>Country: South Korea</span></li></ul>`;
  const shown = document.querySelector("span") as HTMLElement;
  Object.defineProperty(shown, "scrollWidth", { value: 140 });
  shown.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  expect(document.querySelector("li")?.title).toBe("Country: South Korea");
});

test("a text that is cut off is told whole, and no other", () => {
  showFullTexts();
  expect(pointAt("a.very.long@address.example", 48)).toBe("a.very.long@address.example");
  expect(pointAt("short@address.example", 24)).toBeNull();
});
