// The islands' texts: gettext functions whose texts come from the server's own functions.
// The first arguments must be literals: nothing can be extracted from a variable.

import i18next from "i18next";
import { getJson } from "./api";

type Variables = Readonly<Record<string, string | number>>;

/** Load a language's texts; keys are the English texts, placeholders `%(name)s` as in Python. */
export async function start(language: string, texts: Record<string, string>): Promise<void> {
  // i18next expects the canonical tag: under any other spelling, all texts would silently stay English.
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

/** Settles when the texts are loaded, before an island mounts. Rejects if they can't be loaded. */
export const ready: Promise<void> = load();

export function gettext(text: string, variables: Variables = {}): string {
  return i18next.t(text, { replace: variables, nest: false });
}

export function pgettext(context: string, text: string, variables: Variables = {}): string {
  return i18next.t(inContext(context, text), { defaultValue: text, replace: variables, nest: false });
}

/** The text for an integer number of things; `%(count)s` is the number. */
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

// Not i18next's contexts: they fall back to the text without context, which gettext never does.
function inContext(context: string, text: string): string {
  return `${text}\x04${context}`;
}

function plural(key: string, one: string, many: string, count: number, variables: Variables): string {
  // Without a translation the English rule applies, whatever the rule of the page's language is.
  const defaultValue = count === 1 ? one : many;
  return i18next.t(key, { count, defaultValue, replace: { count, ...variables }, nest: false });
}

/** A label as it is written inside of a sentence: in English not capitalized; other languages keep theirs. */
export function inSentence(label: string): string {
  const isEnglish = (document.documentElement.lang || "en").startsWith("en");
  return isEnglish && !/^.\p{Lu}/u.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label;
}
