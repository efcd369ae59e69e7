import { folded } from "./characters";

/** Without case and accents, as the service searches. */
export function plain(text: string): string {
  return folded(text)
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}
