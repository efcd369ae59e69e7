import { describe, expect, test } from "vitest";
import table from "../../console/forms/rules.json";
import { cleanEmail, cleanName, matches } from "./rules";

const { password, email, name } = table;

function broken(value: string): string[] {
  return password.rules.filter(({ pattern }) => !matches(pattern, value)).map((rule) => rule.name);
}

describe("the browser judges what is typed as the server does", () => {
  test.each(password.examples)("password $typed [VA-37]", (example) => {
    expect(broken(example.typed)).toEqual(example.broken);
  });

  test("each of the printable ASCII characters is a symbol or is none [VA-37]", () => {
    const { after, symbols, no_symbols, refused } = password.each_character;
    const all = [...symbols, ...no_symbols, ...refused];
    expect(all).toHaveLength(95);
    expect(all.filter((char) => broken(after + char).length === 0)).toEqual([...symbols]);
    expect([...refused].map((char) => broken(after + char))).toEqual([["symbol", "characters"]]);
  });

  test.each(email.examples)("email $typed [VA-37]", (example) => {
    expect(cleanEmail(example.typed, email.pattern, email.longest)).toBe(example.email);
  });

  test("an email has 254 characters at most [VA-37]", () => {
    const long = `${"a".repeat(email.longest - "@b.example".length)}@b.example`;
    expect(cleanEmail(long, email.pattern, email.longest)).toBe(long);
    expect(cleanEmail(`a${long}`, email.pattern, email.longest)).toBeNull();
  });

  test.each(name.examples)("name $typed [VA-37]", (example) => {
    expect(cleanName(example.typed, name.longest)).toBe(example.name);
  });

  test("a name has 100 characters at most, whatever each takes [VA-37]", () => {
    expect(cleanName("🦷".repeat(name.longest), name.longest)).not.toBeNull();
    expect(cleanName("🦷".repeat(name.longest + 1), name.longest)).toBeNull();
  });
});
