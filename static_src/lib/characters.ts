// The characters that can't be seen, and the blanks, as the server has them: upstream/characters.json.

import { classes, keep } from "../../upstream/characters.json";

const BLANKS = new RegExp(`${pickOne("blank")}+`, "gu");
const NEVER_NEEDED = new RegExp(`(?!${pickOne("special")})${pickOne("invisible")}`, "gu");
const NEEDED = keep.map((pattern) => pattern.replace(/\{(\w+)\}/g, (_, name) => pickOne(name as keyof typeof classes)));
const UNSEEN = new RegExp([...NEEDED, pickOne("special")].join("|"), "gu");
const NEEDED_GROUPS = keep.map((_, index) => `$${index + 1}`).join("");

/** Return a text as it is seen in one line: without what can't be seen, and with one space for each run of blanks. */
export function folded(text: string): string {
  return visible(text).replace(BLANKS, " ").replace(/^ | $/g, "");
}

/** Return a text without the characters that can't be seen, except where a script needs them. */
export function visible(text: string): string {
  return text.replace(NEVER_NEEDED, "").replace(UNSEEN, NEEDED_GROUPS);
}

/** An expression for one of these characters; the table has their code points as hexadecimal ranges. */
function pickOne(name: keyof typeof classes): string {
  const ranges = classes[name].split(" ").map((part) => part.replace(/[0-9a-f]+/g, "\\u{$&}"));
  return `[${ranges.join("")}]`;
}
