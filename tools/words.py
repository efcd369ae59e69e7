"""Check the project's words: `python -m tools.words [PATH...]`.

Identifiers, comments, docstrings, documents, file names and the names of tests use the field's terms and American
spelling. Texts that are shown to people are string literals, and are not read here. Without a path the whole repository
is checked. A file that needs one of the words has an exception in this module.
"""

import ast
import fnmatch
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

FORBIDDEN = {
    "telephone telephones": "client or transport",
    "door doors": "access decorator",
    "building buildings": "package, project or shared code",
    "room rooms": "module, layer or space",
    "road roads": "path, route or way",
    "floor floors": "layer or lower limit",
    "hang hangs hung hanging": "attach, add or block",
    "equip equips equipped equipping": "attach, set up or provide",
    "whilst": "while",
    "colour colours coloured colouring": "color",
    "behaviour behaviours behavioural": "behavior",
    "catalogue catalogues catalogued": "catalog",
    "organisation organisations organisational": "organization",
    "favour favours favoured favourite favourites": "favor",
    "centre centres centred centring": "center",
    "cancelled": "canceled",
    "cancelling": "canceling",
}
"""All forms of a word that is not to be used, and what to say instead."""

ADVICE = {form: advice for forms, advice in FORBIDDEN.items() for form in forms.split()}


class Allowed(NamedTuple):
    """A forbidden word that a file may use: the pattern of its path, the word, and the reason."""

    path: str
    word: str
    reason: str


EXCEPTIONS: tuple[Allowed, ...] = ()

UNCHECKED = (
    "locale/*",
    "package-lock.json",
    "docs/conformance.md",  # quotes the specification
    "docs/upstream-api.yaml",  # quotes the specification
    "static_src/types/*.gen.ts",
    "*/migrations/*",
)

Piece = tuple[int, str]
"""A line number, and a piece of that line that is to be checked."""


class Finding(NamedTuple):
    """A forbidden word, and where it is."""

    path: str
    line: int
    word: str

    def __str__(self) -> str:
        return f'{self.path}:{self.line}: "{self.word}": say "{ADVICE[self.word.lower()]}"'


def words(text: str) -> Iterator[str]:
    """Split text into words: identifiers at underscores, digits and changes of case, and without addresses."""
    for part in re.findall(r"[^\W\d_]+", re.sub(r"https?://\S+", " ", text)):
        yield from re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z]+|[A-Z]+", part)


def python_pieces(text: str) -> Iterator[Piece]:
    """Return the identifiers, comments and docstrings of a Python module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NAME, tokenize.COMMENT):
            yield token.start[0], token.string
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                yield number, lines[number - 1]


_SCRIPT = re.compile(
    r"""
      (?<![\w.]) (?:test|it|describe) (?:\.each\([^)]*\))? \( (?P<title> "(?:\\.|[^"\\\n])*" )
    | (?P<comment> //[^\n]* | /\*.*?\*/ )
    | (?P<regex> (?<=[(,=:\[!&|?{};]) [ ]* /(?![*/]) (?: \\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[] )+ /[a-z]* )
    | (?P<template> ` (?: \\. | [^`\\] )* ` )
    | (?P<string> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<name> [A-Za-z_$][\w$]* )
    """,
    re.VERBOSE | re.DOTALL,
)


def script_pieces(text: str) -> Iterator[Piece]:
    """Return the identifiers, comments and names of tests of a TypeScript or JavaScript module."""
    for found in _SCRIPT.finditer(text):
        piece = found.group()
        if found.lastgroup in ("comment", "name", "title"):
            yield from _lines(piece, _line_of(text, found.start()))
        elif found.lastgroup == "template":
            for inner in re.finditer(r"\$\{([^}]*)\}", piece):
                line = _line_of(text, found.start() + inner.start())
                yield from ((line + number - 1, name) for number, name in script_pieces(inner[1]))


def template_pieces(text: str) -> Iterator[Piece]:
    """Return the comments, and the identifiers in tags, of a Django template."""
    comment = r"\{#.*?#\}|\{%\s*comment\b.*?endcomment\s*%\}|<!--.*?-->"
    for found in re.finditer(rf"(?P<comment>{comment})|\{{%.*?%\}}|\{{\{{.*?\}}\}}", text, re.DOTALL):
        piece = found.group() if found["comment"] else re.sub(r"\"[^\"]*\"|'[^']*'", "", found.group())
        yield from _lines(piece, _line_of(text, found.start()))


def style_pieces(text: str) -> Iterator[Piece]:
    """Return the comments of a style sheet."""
    for found in re.finditer(r"/\*.*?\*/", text, re.DOTALL):
        yield from _lines(found.group(), _line_of(text, found.start()))


def settings_pieces(text: str) -> Iterator[Piece]:
    """Return the comments of a file whose comments begin with a hash."""
    for number, line in _lines(text, 1):
        yield from ((number, found.group()) for found in re.finditer(r"(?:^|(?<=\s))#.*", line))


def document_pieces(text: str) -> Iterator[Piece]:
    """Return all lines of a document."""
    yield from _lines(text, 1)


def changelog_pieces(text: str) -> Iterator[Piece]:
    """Return the newest entry; older ones stay as they were published."""
    entries = [found.start() for found in re.finditer(r"^## ", text, re.MULTILINE)]
    yield from _lines(text[: entries[1]] if len(entries) > 1 else text, 1)


READERS: dict[str, Callable[[str], Iterator[Piece]]] = {
    "CHANGELOG.md": changelog_pieces,
    "*.py": python_pieces,
    "*.ts": script_pieces,
    "*.tsx": script_pieces,
    "*.mjs": script_pieces,
    "*.html": template_pieces,
    "*.css": style_pieces,
    "*.md": document_pieces,
    "*.yaml": settings_pieces,
    "*.toml": settings_pieces,
    "*.conf": settings_pieces,
    "*.service": settings_pieces,
    "*.example": settings_pieces,
    "*Dockerfile": settings_pieces,
    "*Makefile": settings_pieces,
    "*.ci/run": settings_pieces,
}


def reader_of(path: str) -> Callable[[str], Iterator[Piece]] | None:
    """Return the function that finds what to check in a file; None for a file that is not checked."""
    if any(fnmatch.fnmatch(path, pattern) for pattern in UNCHECKED):
        return None
    return next((reader for pattern, reader in READERS.items() if fnmatch.fnmatch(path, pattern)), None)


def check(path: str, text: str, exceptions: Iterable[Allowed] = EXCEPTIONS) -> list[Finding]:
    """Return the forbidden words of a file and of its name, in the order of its lines."""
    reader = reader_of(path)
    if reader is None:
        return []
    allowed = {one.word for one in exceptions if fnmatch.fnmatch(path, one.path)}
    pieces = [(1, path), *reader(text)]
    found = {(line, word) for line, piece in pieces for word in words(piece) if word.lower() in ADVICE}
    return [Finding(path, line, word) for line, word in sorted(found) if word.lower() not in allowed]


def tracked(paths: Iterable[str]) -> list[str]:
    """Return the files of the repository below these paths."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [path for path in listed.split("\0") if path and (ROOT / path).is_file()]


def unused(texts: Mapping[str, str], exceptions: Iterable[Allowed] = EXCEPTIONS) -> list[str]:
    """Return a line for each exception that no file needs; `texts` are the files' contents by path."""
    needed = {(path, one.word.lower()) for path, text in texts.items() for one in check(path, text, ())}
    return [
        f'{one.path}: "{one.word}" is allowed, but not used: remove the exception'
        for one in exceptions
        if not any(word == one.word and fnmatch.fnmatch(path, one.path) for path, word in needed)
    ]


def main(paths: list[str]) -> int:
    """Print what is wrong, and return the exit status."""
    texts = {path: (ROOT / path).read_text("utf-8") for path in tracked(paths) if reader_of(path)}
    complaints = [str(found) for path, text in texts.items() for found in check(path, text)]
    if not paths:
        complaints += unused(texts)
    print("\n".join(complaints) or f"{len(texts)} files: no forbidden words")  # noqa: T201
    return 1 if complaints else 0


def _lines(text: str, first: int) -> Iterator[Piece]:
    return ((first + number, line) for number, line in enumerate(text.splitlines()))


def _line_of(text: str, index: int) -> int:
    return text.count("\n", 0, index) + 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
