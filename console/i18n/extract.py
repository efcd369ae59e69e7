"""Extract texts from Python, templates and islands, using Babel only; not used in production."""

import ast
import io
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polib
from babel.messages.extract import extract as babel_extract
from babel.messages.jslexer import Token, tokenize
from django.utils.translation.template import templatize
from jinja2 import Environment, nodes

from console.i18n import lint, po
from console.i18n.po import Message

# Function -> the kinds of its first arguments, all of which must be literals.
_FUNCTIONS = {
    "gettext": (1,),
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
_PYTHON_FUNCTIONS = {
    "_": (1,),
    "gettext_noop": (1,),
    **_FUNCTIONS,
    **{f"{name}_lazy": arguments for name, arguments in _FUNCTIONS.items()},
}
_TEMPLATE_FUNCTIONS = {"_": (1,), **_FUNCTIONS}
# Babel's method -> where a translators' comment is in a source, whether a text follows it or not.
_COMMENTS = {
    "python": re.compile(r"^[ \t]*#[ \t]*(Translators:.*)$", re.MULTILINE),
    "jinja2": re.compile(r"\{#-?\s*(Translators:.*?)\s*-?#\}", re.DOTALL),
    "javascript": re.compile(r"(Translators:.*?)\s*(?:\*/|$)", re.MULTILINE),
}
_NOT_SOURCES = {"tests", "testing", "migrations", "node_modules"}


class NotExtractable(Exception):
    """The sources can't be read: the tool that reads them is missing or rejects them."""


@dataclass
class Extraction:
    """The messages in the sources, those in islands, and texts that can't be translated as they are written."""

    entries: dict[tuple[str | None, str], polib.POEntry] = field(default_factory=dict)
    island_rows: set[Message] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    @property
    def template(self) -> polib.POFile:
        """Return the messages in the order of the files they first occur in, so that related ones are together."""
        catalog = polib.POFile(wrapwidth=po.WIDTH)
        for entry in self.entries.values():
            entry.occurrences = sorted(set(entry.occurrences))
        catalog.extend(sorted(self.entries.values(), key=lambda e: (e.occurrences[0][0], e.msgid, e.msgctxt or "")))
        return catalog

    @property
    def island_messages(self) -> str:
        """Return the content of island_messages.json."""
        rows = sorted(self.island_rows, key=lambda row: (row[1], row[0] or "", row[2] or ""))
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        return f"[\n{lines}\n]\n" if lines else "[]\n"

    def add(self, method: str, source: str, name: str, *, written: str = "", island: bool = False) -> None:
        """Read one source with Babel; `name` is its path in the repository, `written` what was compiled to it."""
        keywords = _FUNCTIONS if island else _PYTHON_FUNCTIONS
        options = {"encoding": "utf-8", "silent": "false"}
        found = babel_extract(method, io.BytesIO(source.encode()), keywords, ("Translators:",), options)
        lost = Counter(" ".join(comment.split()) for comment in _COMMENTS[method].findall(written or source))
        for _line, message, comments, context in found:
            one, many = (message[0], message[1]) if isinstance(message, tuple) else (message, None)
            # The extractor of Jinja leaves the tag out.
            told = [text if text.startswith("Translators:") else f"Translators: {text}" for text in comments]
            lost.subtract(" ".join(comment.split()) for comment in told)
            self._add_message((context, one, many), name, told)
            if island:
                self.island_rows.add((context, one, many))
        self.faults.extend(
            f"{name}: a translators' comment that is not directly before its text: {comment}"
            for comment in (+lost).elements()
        )

    def _add_message(self, row: Message, name: str, comments: list[str]) -> None:
        context, one, many = row
        for text in filter(None, (one, many)):
            self.faults.extend(f"{name}: {fault}: {text!r}" for fault in lint.text_faults(text))
        entry = self.entries.setdefault(
            (context, one),
            polib.POEntry(
                msgctxt=context,
                msgid=one,
                msgid_plural=many or "",
                flags=["python-format"] if lint.has_placeholder(one + (many or "")) else [],
            ),
        )
        if entry.msgid_plural != (many or ""):
            self.faults.append(f"{name}: the same text with another plural elsewhere: {one!r}")
        entry.occurrences.append((name, ""))
        known = entry.comment.split("\n") if entry.comment else []
        entry.comment = "\n".join([*known, *(comment for comment in comments if comment not in known)])


def extract(root: Path, packages: Iterable[Path]) -> Extraction:
    """Extract from the packages' Python, and from `templates` and `static_src` below root."""
    extraction = Extraction()
    for path in sorted(path for package in packages for path in package.rglob("*.py")):
        if not _NOT_SOURCES.intersection(path.relative_to(root).parts):
            add_python(extraction, path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / "templates").rglob("*.html")):
        is_django = path.is_relative_to(root / "templates" / "django")
        add = add_django_template if is_django else add_template
        add(extraction, path.read_text("utf-8"), path.relative_to(root).as_posix())
    add_islands(extraction, root, sorted(_island_sources(root / "static_src")))
    extraction.faults.extend(
        f"{entry.occurrences[0][0]}: neither a translators' comment nor a context: {entry.msgid!r}"
        for entry in extraction.template
        if lint.is_unexplained(entry)
    )
    return extraction


def add_python(extraction: Extraction, source: str, name: str) -> None:
    """Extract from a Python module; each text must be a literal."""
    for node in ast.walk(ast.parse(source, name)):
        if isinstance(node, ast.Call) and (function := _called(node.func)) in _PYTHON_FUNCTIONS:
            literal = node.args[: len(_PYTHON_FUNCTIONS[function])]
            if len(literal) < len(_PYTHON_FUNCTIONS[function]) or not all(map(_is_text, literal)):
                extraction.faults.append(f"{name}:{node.lineno}: {function}() with something that is not a literal")
    extraction.add("python", source, name)


def add_template(extraction: Extraction, source: str, name: str) -> None:
    """Extract from a Jinja template; each text must be a literal, as Babel's extractor skips others silently."""
    tree = Environment(autoescape=True).parse(source, name)
    for call in tree.find_all(nodes.Call):
        function = call.node.name if isinstance(call.node, nodes.Name) else ""
        count = len(_TEMPLATE_FUNCTIONS.get(function, ()))
        if not all(map(_is_literal, call.args[:count])) or len(call.args) < count:
            extraction.faults.append(f"{name}:{call.lineno}: {function}() with something that is not a literal")
    extraction.add("jinja2", source, name)


def add_django_template(extraction: Extraction, source: str, name: str) -> None:
    """Extract from a Django template, and report what Babel's parser would miss."""
    extraction.faults.extend(f"{name}:{fault}" for fault in lint.template_faults(source))
    extraction.add("python", templatize(source, origin=name), name)


def add_islands(extraction: Extraction, root: Path, paths: list[Path]) -> None:
    """Extract from TypeScript, which esbuild first turns into JavaScript that Babel reads completely."""
    if not paths:
        return
    esbuild = root / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists():
        raise NotExtractable("esbuild is missing: run npm ci.")
    with tempfile.TemporaryDirectory() as folder:
        options = "--jsx=automatic --format=esm --charset=utf8 --supported:template-literal=false --log-level=warning"
        places = [f"--outdir={folder}", f"--outbase={root}"]
        done = subprocess.run(  # noqa: S603  # our own sources, our own tool
            [esbuild, *paths, *options.split(), *places], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NotExtractable(done.stderr)
        for path in paths:
            name = path.relative_to(root)
            source = (folder / name.with_suffix(".js")).read_text("utf-8")
            extraction.faults.extend(
                f"{name.as_posix()}: {function}() with something that is not a literal"
                for function in _calls_without_literals(list(tokenize(source, jsx=False)))
            )
            # esbuild keeps only comments within expressions.
            extraction.add("javascript", source, name.as_posix(), written=path.read_text("utf-8"), island=True)


def _island_sources(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*.ts*"):
        if path.suffix in (".ts", ".tsx") and not path.name.endswith((".d.ts", ".gen.ts", ".test.ts", ".test.tsx")):
            yield path


def _called(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_literal(node: nodes.Expr) -> bool:
    return isinstance(node, nodes.Const) and isinstance(node.value, str)


def _calls_without_literals(tokens: list[Token]) -> Iterator[str]:
    """Return the calls of our functions whose first arguments are not `"text"` or `"text" + "text"`."""
    code = [token for token in tokens if not token.type.endswith("comment")]
    for position, token in enumerate(code[:-1]):
        defined = position > 0 and code[position - 1].value == "function"
        if token.type != "name" or token.value not in _FUNCTIONS or code[position + 1].value != "(" or defined:
            continue
        rest = iter(code[position + 2 :])
        left = len(_FUNCTIONS[token.value])
        expected = "string"
        while left:
            seen = next(rest)
            if expected == "string":
                if seen.type != "string":
                    break
                expected = "operator"
            elif seen.value == "+":
                expected = "string"
            elif seen.value in (",", ")"):
                left -= 1
                expected = "string"
            else:
                break
        if left:
            yield token.value
