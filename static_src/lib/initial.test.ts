import { expect, test } from "vitest";
import { initials } from "../../upstream/characters.json";
import { initial } from "./initial";

test.each(initials)("the letter of “$name” is $initial", (example) => {
  expect(initial(example.name, "en-US")).toBe(example.initial);
});

test("a Turkish i keeps its dot", () => {
  expect(initial("ilker", "tr-TR")).toBe("İ");
  expect(initial("ılgaz", "tr-TR")).toBe("I");
  expect(initial("ilker", "de-DE")).toBe("I");
});
