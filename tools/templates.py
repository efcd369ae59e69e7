"""Check the Jinja templates: `python -m tools.templates`.

Finds silent mistakes: text that is not translated, a value outside quotation marks or without escaping, a name that a
macro was not given, a translation that is made once for all languages. And long lines.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, meta, nodes

from console.shell.templates import FILTERS, FUNCTIONS, components

ENVIRONMENT = Environment(autoescape=True)
ENVIRONMENT.filters |= FILTERS
ROOT = Path(__file__).resolve().parents[1] / "templates"
TRANSLATIONS = {"_", "ngettext", "pgettext", "npgettext"}
GLOBALS = {*FUNCTIONS, "caller", *components(ROOT)}
UNESCAPED = {"safe", "forceescape", "tojson", "xmlattr", "urlize", "striptags"}
MAX_LINE_LENGTH = 120
WORDS = ("UTC", "Esc")
"""Texts that are the same in all languages."""

_TAG = re.compile(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_TEXT_IN_TAG = re.compile(r"""\b(?:aria-label|title|placeholder|alt)="([^"\ufffc]*[A-Za-z]{2}[^"\ufffc]*)\"""")
_SENTENCE = re.compile(r"[A-Z][a-z]+")
_OUTPUT, _LITERAL = "\ufffc", "\ufffd"


def faults(source: str, name: str = "page.html") -> Iterator[str]:
    """Return the faults of a template as `name:line: fault`."""
    tree = ENVIRONMENT.parse(source, name)
    is_page = tree.find(nodes.Extends) is not None or tree.find(nodes.Macro) is None
    messages = [*_past_the_escaping(tree), *_names(tree), *_imports(tree), *_literals(tree), *_markup(source)]
    messages += [] if is_page else _macro_file(tree)
    if "data-guard" in source and tree.find(nodes.Extends) and "leave()" not in source:
        messages.append((1, "a guarded form without leave(), which asks before one leaves it"))
    yield from (f"{name}:{line}: {fault}" for line, fault in sorted([*messages, *_long_lines(source)]))


def _long_lines(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > MAX_LINE_LENGTH:
            yield number, f"a line of {len(line)} characters, more than {MAX_LINE_LENGTH}"


def _past_the_escaping(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    unescaped = [
        unescaped_filter for unescaped_filter in tree.find_all(nodes.Filter) if unescaped_filter.name in UNESCAPED
    ]
    for unescaped_filter in (*unescaped, *tree.find_all(nodes.ScopedEvalContextModifier)):
        yield unescaped_filter.lineno, "something printed past the escaping"


def _literals(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Find text that is printed or passed on without a translation, by its beginning like a sentence."""
    calls = [call for call in tree.find_all(nodes.Call) if getattr(call.node, "name", "") not in TRANSLATIONS]
    printed = [part for output in tree.find_all(nodes.Output) for part in output.nodes]
    handed = [value for call in calls for value in (*call.args, *(given.value for given in call.kwargs))]
    for part in (*printed, *handed):
        if isinstance(part, nodes.Const) and isinstance(part.value, str) and _SENTENCE.match(part.value):
            yield part.lineno, f"a text that is not translated: {part.value}"
    called = {id(call.node) for call in calls}
    for node in tree.find_all(nodes.Getattr):
        if node.attr in ("items", "keys", "values", "get") and id(node) not in called:
            yield node.lineno, f"{node.attr} is a method of dictionaries, and not called"


def _names(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for node in tree.find_all(nodes.Name):
        if node.name in ("csrf_token", "csrf_input"):
            yield node.lineno, f"{node.name}: use console.csrf_token, which is masked once for the page"


def _imports(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for node in tree.find_all((nodes.Import, nodes.FromImport)):
        yield node.lineno, "an import: what stands in a folder `components` is known by its name"


def _macro_file(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Find names that a macro was not given: a file of macros is evaluated once for the process."""
    for missing in sorted(meta.find_undeclared_variables(tree) - GLOBALS):
        yield 1, f"{missing} is not handed to its macro"
    for part in tree.body:
        if not isinstance(part, nodes.Macro):
            for call in part.find_all(nodes.Call):
                if isinstance(call.node, nodes.Name) and call.node.name in TRANSLATIONS:
                    yield call.lineno, "a translation outside of a macro, which is made once for all languages"


def _markup(source: str) -> Iterator[tuple[int, str]]:
    """Find text between tags that is not translated, and values in tags that are not quoted."""
    html, tags = "", ("variable_begin", "block_begin", "comment_begin")
    inside = ""
    for _line, kind, value in ENVIRONMENT.lex(source):
        if kind in tags:
            inside = kind
            html += _OUTPUT if kind == "variable_begin" else ""
        if kind == "data":
            html += value
        elif inside == "variable_begin" and kind == "string" and html.endswith(_OUTPUT):
            html = html[: -len(_OUTPUT)] + _LITERAL  # `{{ " checked" if ... }}`
        html += "\n" * (value.count("\n") if kind != "data" else 0)
    for tag in _TAG.finditer(html):
        if literal := _TEXT_IN_TAG.search(tag[0]):
            yield html.count("\n", 0, tag.start()) + 1, f"a text that is not translated: {literal[1]}"
        if _OUTPUT in re.sub(r"\"[^\"]*\"", "", tag[0].replace(f"data-{_OUTPUT}=", "")):
            yield html.count("\n", 0, tag.start()) + 1, "a value in a tag without quotation marks"
    text = _TAG.sub(lambda tag: "\n" * tag[0].count("\n"), html)
    for known in WORDS:
        text = text.replace(known, "")
    for word in re.finditer(r"(?<!&)\b[^\W\d_]{2,}", text):
        yield text.count("\n", 0, word.start()) + 1, f"a text that is not translated: {word[0]}"


def main() -> int:
    """Print the faults, and return the exit status."""
    paths = [path for path in sorted(ROOT.rglob("*.html")) if not path.is_relative_to(ROOT / "django")]
    names = [(path, f"templates/{path.relative_to(ROOT).as_posix()}") for path in paths]
    messages = [fault for path, name in names for fault in faults(path.read_text("utf-8"), name)]
    print("\n".join(messages) or f"{len(paths)} templates: nothing wrong")  # noqa: T201
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
