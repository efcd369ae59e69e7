// The words of a search in a text, as the server marks them (console/l10n/marks.py).

import { plain } from "./plain";

interface Part {
  readonly text: string;
  readonly isHit: boolean;
}

/** Split a text where the words of a keyword begin and end, whatever their case and accents. */
export function splitByWords(text: string, keyword: string): Part[] {
  const chars = [...text];
  const hits = findHits(chars, keyword);
  const parts: { text: string; isHit: boolean }[] = [];
  for (const [index, char] of chars.entries()) {
    const last = parts.at(-1);
    const isHit = hits.has(index);
    if (last?.isHit === isHit) last.text += char;
    else parts.push({ text: char, isHit });
  }
  return parts;
}

/** The indexes of all characters of the words; an accent belongs to the letter before it. */
function findHits(chars: readonly string[], keyword: string): Set<number> {
  const letters = chars.flatMap((char, index) => [...getPlainLetters(char)].map((letter) => ({ letter, index })));
  const hits = new Set<number>();
  for (const word of keyword.split(/\s+/)) {
    const wordLetters = [...plain(word).replaceAll("ß", "ss")];
    for (let start = 0; wordLetters.length && start + wordLetters.length <= letters.length; start++) {
      const run = letters.slice(start, start + wordLetters.length);
      if (run.every(({ letter }, index) => letter === wordLetters[index])) for (const { index } of run) hits.add(index);
    }
  }
  for (const [index, char] of chars.entries()) if (hits.has(index - 1) && !getPlainLetters(char)) hits.add(index);
  return hits;
}

/** One letter without case and accents, several ("ß"), or none. */
function getPlainLetters(char: string): string {
  return char
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toUpperCase()
    .toLowerCase();
}
