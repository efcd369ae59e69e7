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

/** Return a whole number that was typed in the digits of any script, null if it is none or more than the most. */
export function cleanNumber(typed: string, most: number): number | null {
  const text = typed.replace(BIDI_CONTROLS, "").trim();
  if (!/^\p{Nd}{1,20}$/u.test(text)) return null;
  // The digits of mathematics stand side by side, and are spelled as ours.
  const number = Number(Array.from(text.normalize("NFKC"), digit).join(""));
  return number <= most ? number : null;
}

/** The digits of a script are ten code points in a row, which begin with its zero. */
function digit(char: string): number {
  let zero = char.codePointAt(0) ?? 0;
  const code = zero;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}

/** In characters, as the server counts them. */
function length(text: string): number {
  return Array.from(text).length;
}
