// The letter next to a person's name, as the server has it (console/shell/templates.py).

/** Something that can be seen: upstream/characters.json has the whole definition, which lists need not load. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|[\p{Co}\p{Cn}]/u;
const LETTERS = new Intl.Segmenter("en");

/** Return the first letter, as a capital where it has one. */
export function initial(name: string, language: string): string {
  const letters = Array.from(LETTERS.segment(name.normalize("NFC")), ({ segment }) => segment);
  const letter = letters.find((each) => VISIBLE.test(each)) ?? "";
  const locale = language.startsWith("tr") ? "tr" : "en";
  const capital = letter.toLocaleUpperCase(locale);
  if (capital.length <= letter.length) return capital;
  const [part = ""] = letter.normalize("NFKC"); // "ﬁ" is "f" and "i"; "ß" has no capital
  const single = part.toLocaleUpperCase(locale);
  return single.length === part.length ? single : part;
}
