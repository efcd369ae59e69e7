/** Without case and accents, as the service searches. */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[\s\u2800]+/gu, " ")
    .trim()
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}
