// Turns failures between browser and server into sentences for the user.

import { Failure } from "./api";
import { gettext } from "./i18n";

export function explain(error: unknown): string {
  switch (error instanceof Failure && error.kind) {
    case "unreachable":
      return gettext("Can't reach the console. Check your connection and try again.");
    case "unreadable":
      return gettext("The console's response couldn't be read. Try again.");
    default:
      return (error instanceof Failure && error.message) || gettext("Something went wrong. Try again.");
  }
}

/** What support asks for; empty for what the console did not answer. */
export function getDetails(error: unknown): string {
  return error instanceof Failure ? error.details : "";
}
