import { splitByWords } from "../lib/marked";

/** A text in which the words of a search are marked. */
export function Marked({ text, keyword }: { text: string; keyword: string }) {
  if (!keyword) return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
  return splitByWords(text, keyword).map((part, i) => (part.isHit ? <mark key={i}>{part.text}</mark> : part.text));
}
