"""Extract texts from Python, templates and islands by `pybabel extract`; not used in production.

The sources are listed in babel.toml. Babel skips a text that is not a literal, so `faults` reports each of them.
"""

import ast
import contextlib
import io
import json
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import polib
from babel.messages.extract import extract_from_file, extract_python
from babel.messages.frontend import CommandLineInterface
from django.utils.translation.template import templatize
from jinja2 import Environment, nodes

from console.i18n import english, lint, po

MAPPING = po.SHIPPED.parent / "babel.toml"
TAG = "Translators:"
# The functions of texts, with how many of their first arguments are texts or contexts.
_FUNCTIONS = {"gettext": 1, "ngettext": 2, "pgettext": 2, "npgettext": 3}
_LAZY_FUNCTIONS = {f"{name}_lazy": n for name, n in _FUNCTIONS.items()}
_PYTHON_FUNCTIONS = {"_": 1, "gettext_noop": 1, "plural": 2, **_FUNCTIONS, **_LAZY_FUNCTIONS}
# Those that Babel doesn't know, as its option `--keyword` takes them.
_KEYWORDS = (
    "gettext_noop",
    "gettext_lazy",
    "ngettext_lazy:1,2",
    "pgettext_lazy:1c,2",
    "npgettext_lazy:1c,2,3",
    "plural:1,2",  # console.bulk.action
)
_ISLAND_CALL = re.compile(r"(?<!function )\bn?p?gettext\(")
_STRING = r'\s*"(?:[^"\\]|\\.)*"\s*[,)]'
_ISLAND_TEXT = re.compile(
    rf"\b(?:gettext\({_STRING}|(?:ngettext|pgettext)\((?:{_STRING}){{2}}|npgettext\((?:{_STRING}){{3}})"
)
_IGNORED = {"tests", "testing", "migrations"}


def extract(root: Path, folders: Iterable[str]) -> polib.POFile:
    """Return the messages in these folders below root, in the order of the files they first occur in."""
    options = [f"--mapping={MAPPING}", f"--add-comments={TAG}", "--add-location=file", "--width=100000"]
    options += [f"--keyword={keyword}" for keyword in _KEYWORDS]
    with tempfile.NamedTemporaryFile(suffix=".pot") as file, contextlib.chdir(root):
        CommandLineInterface().run(["pybabel", "-q", "extract", *options, f"--output={file.name}", *folders])  # type: ignore[no-untyped-call]
        catalog = polib.pofile(file.name, wrapwidth=po.WIDTH)
    for entry in catalog:
        entry.occurrences = sorted(set(entry.occurrences))
        # The extractor of Jinja leaves the tag out.
        comments = [line if line.startswith(TAG) else f"{TAG} {line}" for line in entry.comment.splitlines()]
        entry.comment = "\n".join(dict.fromkeys(comments))
    catalog.sort(key=lambda entry: (entry.occurrences[0][0], entry.msgid, entry.msgctxt or ""))
    return catalog


def extract_django_template(
    file: BinaryIO, keywords: Mapping[str, Any], comment_tags: Collection[str], options: Any
) -> Iterator[Any]:
    """Extract from a Django template, as an extraction method of Babel."""
    source = templatize(file.read().decode())
    return extract_python(io.BytesIO(source.encode()), keywords, comment_tags, options)


def island_messages(catalog: polib.POFile) -> str:
    """Return the content of island_messages.json: the messages that occur in islands."""
    messages = [
        (entry.msgctxt, entry.msgid, entry.msgid_plural or None)
        for entry in catalog
        if any(name.startswith("static_src/") for name, _line in entry.occurrences)
    ]
    rows = sorted(messages, key=lambda row: (row[1], row[0] or "", row[2] or ""))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n" if lines else "[]\n"


def faults(root: Path, folders: Iterable[str], catalog: polib.POFile) -> Iterator[str]:
    """Return faults of the sources: texts that are not literals, and texts that break our rules."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in _LITERAL_CHECKS and not _IGNORED.intersection(path.parts):
                yield from (f"{name}{fault}" for fault in _LITERAL_CHECKS[path.suffix](path))
    for entry in catalog:
        name = entry.occurrences[0][0]
        for text in filter(None, (entry.msgid, entry.msgid_plural)):
            yield from (f"{name}: {fault}: {text!r}" for fault in lint.text_faults(text))
        yield from (f"{name}: {fault}: {entry.msgid!r}" for fault in english.faults(entry))
        if lint.is_unexplained(entry):
            yield f"{name}: neither a translators' comment nor a context: {entry.msgid!r}"


def _python_faults(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and (function := _called(node.func)) in _PYTHON_FUNCTIONS:
            texts = node.args[: _PYTHON_FUNCTIONS[function]]
            if len(texts) < _PYTHON_FUNCTIONS[function] or not all(map(_is_text, texts)):
                yield f":{node.lineno}: {function}() with something that is not a literal"


def _called(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _template_faults(path: Path) -> Iterator[str]:
    if "django" in path.parts:
        return
    for call in Environment(autoescape=True).parse(path.read_text("utf-8")).find_all(nodes.Call):
        function = call.node.name if isinstance(call.node, nodes.Name) else ""
        texts = call.args[: _PYTHON_FUNCTIONS.get(function, 0)]
        literals = [text for text in texts if isinstance(text, nodes.Const) and isinstance(text.value, str)]
        if len(literals) < _PYTHON_FUNCTIONS.get(function, 0):
            yield f":{call.lineno}: {function}() with something that is not a literal"


def _island_faults(path: Path) -> Iterator[str]:
    """Compare the calls with those whose texts are strings, and with what Babel finds: it misses calls in calls."""
    if path.name.endswith((".d.ts", ".gen.ts", ".test.ts", ".test.tsx")):
        return
    source = path.read_text("utf-8")
    calls, literals = len(_ISLAND_CALL.findall(source)), len(_ISLAND_TEXT.findall(source))
    if calls != literals:
        yield f": {calls - literals} of {calls} calls with something that is not a literal"
    elif calls != len(extract_from_file("javascript", path)):
        yield ": pybabel does not find each text; put one inside of a call or of a template literal in a variable"


_LITERAL_CHECKS = {
    ".py": _python_faults,
    ".html": _template_faults,
    ".ts": _island_faults,
    ".tsx": _island_faults,
}
