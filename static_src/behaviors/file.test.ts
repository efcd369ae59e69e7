import { expect, test } from "vitest";
import { nameFiles } from "./file";

test("the file that was chosen is named in the page [LN-32]", () => {
  document.body.innerHTML = '<div data-file><input type="file"><span>Choose a file</span><bdi></bdi></div>';
  nameFiles();
  const input = document.querySelector("input") as HTMLInputElement;
  expect(document.querySelector("bdi")?.textContent).toBe("");
  Object.defineProperty(input, "files", { value: [new File([""], "people.csv")], configurable: true });
  input.dispatchEvent(new Event("change"));
  expect(document.querySelector("bdi")?.textContent).toBe("people.csv");
  Object.defineProperty(input, "files", { value: [] });
  input.dispatchEvent(new Event("change"));
  expect(document.querySelector("bdi")?.textContent).toBe("");
});
