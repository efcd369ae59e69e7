// What TSX can hold around a text: read by test_extract.py, which expects 17 messages.
import { gettext, ngettext, npgettext, pgettext } from "./i18n";

interface Props {
  readonly count: number;
  readonly names: readonly string[];
}

const identity = <T,>(value: T): T => value;
const quotes = /["'`]{1,2}\/"/g;
const options = { title: gettext("Title of options"), icon: "x" } satisfies Record<string, string>;
const typed = identity<{ a: string }>({ a: gettext("Inside of a generic call") }).a as string;
const escaped = gettext("Waiting\u2026");
const quoted = gettext("Say \"hello\" to O'Neill");

export function Sample({ count, names }: Props) {
  const nested = `${names.map((name) => `${gettext("Nested in templates")} ${name.replace(quotes, "")}`).join(", ")}`;
  const hello = /* Translators: %(name)s is a person */ gettext("Hello, %(name)s!", { name: names[0] ?? "" });
  return (
    <>
      <h1 title={gettext("An attribute")}>It's "quoted" text, isn't it</h1>
      {count > 1 && count < 9 ? <b>{gettext("Between 1 and 9")}</b> : <i>{gettext("Elsewhere")}</i>}
      <p>
        {hello} {nested} {typed} {escaped} {quoted} {options.title}
      </p>
      <button type="button" aria-label={pgettext("verb", "Open")}>
        {pgettext("state", "Open")}
      </button>
      <p>{ngettext("%(count)s file", "%(count)s files", count)}</p>
      <p>{npgettext("left over", "%(count)s file", "%(count)s files", count)}</p>
      <p className={count ? gettext("In an attribute's ternary") : ""}>{identity<string>(gettext("After a generic"))}</p>
      <p>
        {names.length === 0 ? (
          gettext("No one")
        ) : (
          <em>{gettext("In a branch")}</em>
        )}
      </p>
    </>
  );
}
