"""Check the project's words: `python -m tools.words [PATH...]`.

words.toml has the words and their replacements. Texts shown to users are string literals, which are not checked.
Without a path the whole repository is checked.
"""

import ast
import fnmatch
import functools
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

TABLE = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def _forms(table: str) -> dict[str, str]:
    """Return all forms of the words of a table, with their replacements."""
    return {form: advice for forms, advice in TABLE[table].items() for form in forms.split()}


def _advice(kind: str, word: str) -> str:
    lists = {"everywhere": ADVICE, "docstrings": {}, **LISTS}
    return lists[kind].get(word) or TABLE["phrases"].get(word, "a verb or a noun first")


ADVICE = _forms("everywhere")
LISTS = {"identifiers": _forms("identifiers"), "prose": _forms("prose")}
PHRASES = re.compile(r"\b(?:" + "|".join(TABLE["phrases"]) + r")\b", re.IGNORECASE)


UNCHECKED = (
    "locale/*",
    "package-lock.json",
    "docs/conformance.md",  # quotes the specification
    "docs/upstream-api.yaml",  # quotes the specification
    "static_src/types/*.gen.ts",
    "*/migrations/*",
)

IDENTIFIERS, PROSE = "identifiers", "prose"

Segment = tuple[int, str, str]
"""A line number, a piece of that line that is to be checked, and whether it is an identifier or prose."""


class Finding(NamedTuple):
    """A forbidden word, and its place."""

    path: str
    line: int
    word: str
    kind: str = "everywhere"

    def __str__(self) -> str:
        return f'{self.path}:{self.line}: "{self.word}": say "{_advice(self.kind, self.word.lower())}"'


@functools.cache
def words(text: str) -> tuple[str, ...]:
    """Split text into words: identifiers at underscores, digits and changes of case, and without addresses."""
    parts = re.findall(r"[^\W\d_]+", re.sub(r"https?://\S+", " ", text))
    return tuple(word for part in parts for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z]+|[A-Z]+", part))


def python_segments(text: str) -> Iterator[Segment]:
    """Return the identifiers, comments and docstrings of a Python module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string, PROSE
        elif token.type == tokenize.NAME and token.line[: token.start[1]][-1:] != ".":  # attributes have a definition
            yield token.start[0], token.string, PROSE if token.string.startswith("test_") else IDENTIFIERS
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                yield number, lines[number - 1], PROSE


_SCRIPT = re.compile(
    r"""
      (?<![\w.]) (?:test|it|describe) (?:\.each\([^)]*\))? \( (?P<title> "(?:\\.|[^"\\\n])*" )
    | (?P<comment> //[^\n]* | /\*.*?\*/ )
    | (?P<regex> (?<=[(,=:\[!&|?{};]) \s* /(?![*/]) (?: \\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[] )+ /[a-z]* )
    | (?P<template> ` (?: \\. | [^`\\] )* ` )
    | (?P<string> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<keyword> (?<=[\w\]}][ ]) of (?=[ ]) )
    | (?P<name> [A-Za-z_$][\w$]* )
    """,
    re.VERBOSE | re.DOTALL,
)


_IMPORTS = re.compile(r'^import (?:type )?\{([^}]*)\} from "[^.]', re.MULTILINE)
"""Names of packages, which are not ours to choose."""


def script_segments(text: str) -> Iterator[Segment]:
    """Return the identifiers, comments and names of tests of a TypeScript or JavaScript module."""
    foreign = {name for names in _IMPORTS.findall(text) for name in re.findall(r"[\w$]+", names)}
    for match in _SCRIPT.finditer(text):
        source = match.group()
        if match.lastgroup in ("comment", "name", "title"):
            if match.lastgroup != "name":
                yield from _lines(source, _line_number(text, match.start()))
            elif text[: match.start()][-1:] != "." and source not in foreign:
                yield _line_number(text, match.start()), source, IDENTIFIERS
        elif match.lastgroup == "template":
            for inner in re.finditer(r"\$\{([^}]*)\}", source):
                line = _line_number(text, match.start() + inner.start())
                yield from ((line + number - 1, name, kind) for number, name, kind in script_segments(inner[1]))


def template_segments(text: str) -> Iterator[Segment]:
    """Return the comments, and the identifiers in tags, of a Django template."""
    comment = r"\{#.*?#\}|\{%\s*comment\b.*?endcomment\s*%\}|<!--.*?-->"
    for match in re.finditer(rf"(?P<comment>{comment})|\{{%.*?%\}}|\{{\{{.*?\}}\}}", text, re.DOTALL):
        source = match.group() if match["comment"] else re.sub(r"\"[^\"]*\"|'[^']*'|\.\w+", "", match.group())
        yield from _lines(source, _line_number(text, match.start()), PROSE if match["comment"] else IDENTIFIERS)


def style_segments(text: str) -> Iterator[Segment]:
    """Return the comments of a style sheet."""
    for match in re.finditer(r"/\*.*?\*/", text, re.DOTALL):
        yield from _lines(match.group(), _line_number(text, match.start()))


def settings_segments(text: str) -> Iterator[Segment]:
    """Return the comments of a file whose comments begin with a hash."""
    for number, line, _kind in _lines(text, 1):
        yield from ((number, match.group(), PROSE) for match in re.finditer(r"(?:^|(?<=\s))#.*", line))


def document_segments(text: str) -> Iterator[Segment]:
    """Return all lines of a document."""
    yield from _lines(text, 1)


def changelog_segments(text: str) -> Iterator[Segment]:
    """Return the newest entry; older ones stay as they were published."""
    entries = [match.start() for match in re.finditer(r"^## ", text, re.MULTILINE)]
    yield from _lines(text[: entries[1]] if len(entries) > 1 else text, 1)


READERS: dict[str, Callable[[str], Iterator[Segment]]] = {
    "CHANGELOG.md": changelog_segments,
    "*.py": python_segments,
    "*.ts": script_segments,
    "*.tsx": script_segments,
    "*.mjs": script_segments,
    "*.html": template_segments,
    "*.css": style_segments,
    "*.md": document_segments,
    "*.yaml": settings_segments,
    "*.toml": settings_segments,
    "*.conf": settings_segments,
    "*.service": settings_segments,
    "*.example": settings_segments,
    "*Dockerfile": settings_segments,
    "*Makefile": settings_segments,
    "*.ci/run": settings_segments,
}


def get_reader(path: str) -> Callable[[str], Iterator[Segment]] | None:
    """Return the function that yields the parts of a file to check; None for a file that is not checked."""
    if any(fnmatch.fnmatch(path, pattern) for pattern in UNCHECKED):
        return None
    return next((reader for pattern, reader in READERS.items() if fnmatch.fnmatch(path, pattern)), None)


def check(path: str, text: str) -> list[Finding]:
    """Return the forbidden words of a file and of its name, and docstrings that start with a question word."""
    reader = get_reader(path)
    if reader is None:
        return []
    findings = []
    allowed = _allowed_names(path)
    for line, segment, kind in [(1, path, PROSE), *reader(text)]:
        findings += [Finding(path, line, word) for word in words(segment) if word.lower() in ADVICE]
        parts = {word.lower() for word in words(allowed.sub("", segment) if kind == IDENTIFIERS else segment)}
        findings += [Finding(path, line, word, kind) for word in parts & LISTS[kind].keys()]
        if kind == PROSE:
            findings += [Finding(path, line, phrase.lower(), kind) for phrase in PHRASES.findall(segment)]
            if re.match(r"\s*\"\"\"(?:What|Who|Whether|Where|How)\b", segment):
                findings.append(Finding(path, line, segment.split()[0].strip('"'), "docstrings"))
    return sorted(set(findings))


def _allowed_names(path: str) -> re.Pattern[str]:
    """Return an expression for the names that a file may use although a word of the list is in them."""
    tables = TABLE["names"].items()
    names = [names for names, (_why, *paths) in tables if any(fnmatch.fnmatch(path, one) for one in paths or ["*"])]
    return re.compile(r"\b(?:" + "|".join(" ".join(names).split()) + r")\b")


def tracked(paths: Iterable[str]) -> list[str]:
    """Return the files of the repository below these paths."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [path for path in listed.split("\0") if path and (ROOT / path).is_file()]


def main(paths: list[str]) -> int:
    """Print the faults, and return the exit status."""
    texts = {path: (ROOT / path).read_text("utf-8") for path in tracked(paths) if get_reader(path)}
    complaints = [str(complaint) for path, text in texts.items() for complaint in check(path, text)]
    print("\n".join(complaints) or f"{len(texts)} files: no forbidden words")  # noqa: T201
    return 1 if complaints else 0


def _lines(text: str, first: int, kind: str = PROSE) -> Iterator[Segment]:
    return ((first + number, line, kind) for number, line in enumerate(text.splitlines()))


def _line_number(text: str, index: int) -> int:
    return text.count("\n", 0, index) + 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
