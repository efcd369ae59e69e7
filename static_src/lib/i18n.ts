// The islands' texts: the gettext functions of the server, fed with what the server's own functions say.
// The first arguments are always literals: nothing can be extracted from a variable.

import i18next from "i18next";
import { getJson } from "./api";

export type Variables = Readonly<Record<string, string | number>>;

/** Load a language's texts; keys are the English texts, placeholders `%(name)s` as in Python. */
export async function start(language: string, texts: Record<string, string>): Promise<void> {
  // i18next looks for the canonical tag: under any other spelling every text would silently stay English.
  const tag = Intl.getCanonicalLocales(language)[0] ?? "en-US";
  await i18next.init({
    lng: tag,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    pluralSeparator: "\x05",
    interpolation: { prefix: "%(", suffix: ")s", escapeValue: false }, // React escapes
    resources: { [tag]: { translation: texts } },
  });
}

async function load(): Promise<void> {
  const { lang, dataset } = document.documentElement;
  const url = dataset.i18n;
  await start(lang || "en-US", url ? await getJson<Record<string, string>>(url) : {});
}

/** Settles when the texts are there; an island mounts after it. Rejects when they can't be loaded. */
export const ready: Promise<void> = load();

export function gettext(text: string, variables: Variables = {}): string {
  return i18next.t(text, { replace: variables, nest: false });
}

export function pgettext(context: string, text: string, variables: Variables = {}): string {
  return i18next.t(inContext(context, text), { defaultValue: text, replace: variables, nest: false });
}

/** The text for a whole number of things; `%(count)s` is the number. */
export function ngettext(one: string, many: string, count: number, variables: Variables = {}): string {
  return plural(one, one, many, count, variables);
}

export function npgettext(
  context: string,
  one: string,
  many: string,
  count: number,
  variables: Variables = {},
): string {
  return plural(inContext(context, one), one, many, count, variables);
}

// Not i18next's own contexts: without a text for the context they fall back to the one without, which gettext never does.
function inContext(context: string, text: string): string {
  return `${text}\x04${context}`;
}

function plural(key: string, one: string, many: string, count: number, variables: Variables): string {
  // Without a translation the English rule holds, whatever rule the page's language has.
  const defaultValue = count === 1 ? one : many;
  return i18next.t(key, { count, defaultValue, replace: { count, ...variables }, nest: false });
}
