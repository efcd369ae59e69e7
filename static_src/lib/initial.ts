// The letter beside a person's name, as the server has it (console/jinja.py).

import { folded } from "./characters";

const LETTERS = new Intl.Segmenter("en");

/** Return the first letter, as a capital where it has one. */
export function initial(name: string, language: string): string {
  const [first] = LETTERS.segment(folded(name).normalize("NFC"));
  const letter = first?.segment ?? "";
  const locale = language.startsWith("tr") ? "tr" : "en";
  const capital = letter.toLocaleUpperCase(locale);
  if (capital.length <= letter.length) return capital;
  const [part = ""] = letter.normalize("NFKC"); // "ﬁ" is "f" and "i"; "ß" has no capital
  const single = part.toLocaleUpperCase(locale);
  return single.length === part.length ? single : part;
}
