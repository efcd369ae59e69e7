// The rules of typed values, as the server has them: console/text/rules.json holds the patterns, which pages carry
// in their attributes, and the examples that both sides are tested with.

const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const CONTROLS = /\p{Cc}/u;

/** Whether all of a text matches a pattern of the table. */
export function matches(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`, "su").test(text);
}

/** Return an email as it is sent, null if it is none. */
export function cleanEmail(typed: string, pattern: string, longest: number): string | null {
  const email = typed.trim();
  return length(email) <= longest && matches(pattern, email) && !CONTROLS.test(email) ? email : null;
}

/** Return a name as it is sent, null if it is none. */
export function cleanName(typed: string, longest: number): string | null {
  const name = typed.replace(BIDI_CONTROLS, "").normalize("NFC").trim();
  return name && length(name) <= longest && !CONTROLS.test(name) ? name : null;
}

/** In characters, as the server counts them. */
function length(text: string): number {
  return Array.from(text).length;
}
