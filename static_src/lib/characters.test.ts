import { describe, expect, test } from "vitest";
import table from "../../upstream/characters.json";
import { folded } from "./characters";

describe("what can't be seen is the same in the browser as on the server", () => {
  test.each(table.examples)("$text", ({ text, visible }) => {
    expect(folded(text)).toBe(visible);
    expect(folded(folded(text))).toBe(visible);
  });

  test("each character that Unicode calls ignorable, a format or a space leaves nothing", () => {
    const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\s]/u;
    const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const failures = codes.filter(
      (code) => unseen.test(String.fromCodePoint(code)) && folded(String.fromCodePoint(code)),
    );
    expect(failures.map((code) => code.toString(16))).toEqual([]);
  });
});
