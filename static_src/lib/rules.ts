// The rules of typed values, as the server has them: console/forms/rules.json holds the patterns, which pages carry
// in their attributes, and the examples that both sides are tested with.

import { folded, visible } from "./characters";

const CONTROLS = /\p{Cc}/u;
/** Letters and signs in full width, as keyboards of Japanese and Chinese write them. */
const WIDE = /[\uff01-\uff5e]/g;

/** Whether all of a text matches a pattern of the table. */
export function matches(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`, "su").test(text);
}

/** Return an email as it is sent, null if it is none; the server judges its domain. */
export function cleanEmail(input: string, pattern: string, maxLength: number): string | null {
  const email = narrowed(input);
  return length(email) <= maxLength && matches(pattern, email) && !CONTROLS.test(email) ? email : null;
}

/** Return an address in letters of usual width, without what can't be seen. */
export function narrowed(input: string): string {
  return folded(input)
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .normalize("NFC");
}

/** Return a name as it is sent, null if it is none. */
export function cleanName(input: string, maxLength: number): string | null {
  const text = visible(input).normalize("NFC").trim();
  const name = folded(text);
  return name && length(name) <= maxLength && !CONTROLS.test(text) ? name : null;
}

/** In characters, as the server counts them. */
function length(text: string): number {
  return Array.from(text).length;
}
