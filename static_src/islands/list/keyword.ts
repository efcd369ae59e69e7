// Keywords that can't be searched for (conformance VA-21).

import { gettext, inSentence } from "../../lib/i18n";

/** Why a keyword can't be searched for: `hint` while it is being typed, `error` after leaving the field. */
interface Problem {
  readonly hint: string;
  readonly error: string;
}

/** A search by email finds complete addresses only, so incomplete ones are not sent. */
export function findProblem(searchField: string, keyword: string): Problem | null {
  if (searchField !== "email" || !keyword || WHOLE_ADDRESS.test(narrowed(keyword))) return null;
  const label = inSentence(gettext("Email"));
  return {
    hint: gettext("Enter a complete email address."),
    error: gettext("Invalid %(label)s", { label }),
  };
}

/** What can't be searched for of what an address asks for. */
export function findProblemAt(address: string): Problem | null {
  const { searchParams } = new URL(address, location.href);
  return findProblem(searchParams.get("searchField") ?? "", searchParams.get("keyword")?.trim() ?? "");
}

/** In letters of usual width, without what can't be seen. */
function narrowed(keyword: string): string {
  return keyword
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim();
}

/** Detects incomplete addresses; the server decides whether an address is valid. */
const WHOLE_ADDRESS = /^[^\s@]+@[^\s@]+[.。｡][^\s@.。｡]{2,}$/;
