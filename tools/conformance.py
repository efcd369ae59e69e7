"""Traceability from the ids of docs/conformance.md and docs/threat-model.md (SEC-nn) to the tests that prove them.

Tests are read, never imported.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "conformance.md"
THREATS = ROOT / "docs" / "threat-model.md"

SECTION_SIZES = {
    "UC": 18,
    "RT": 49,
    "EN": 101,
    "ST": 53,
    "VA": 37,
    "PM": 21,
    "CA": 39,
    "ER": 36,
    "CO": 20,
    "LN": 34,
    "LS": 18,
    "AX": 14,
    "DM": 50,
}
KINDS = {"S", "D", "must", "should", "later"}
STATUSES = ("done", "open", "note")
EXCLUDED_FOLDERS = {"node_modules", "build", "data"}

ROW = re.compile(r"^- ([A-Z]{2}-\d+)(?: \(([a-zD, ]+)\))?: (.+)$", re.MULTILINE)
THREAT = re.compile(r"^- \*\*(SEC-\d{2,3})\*\* ", re.MULTILINE)
# The title of a test that ends with ids in brackets, "shows three siblings [CO-12, LS-05]"; skipped tests don't count.
TITLE = re.compile(r"""(?<!skip\()(?<!todo\()(["'`])((?:\\.|(?!\1).)*?\[([A-Z]{2,3}-\d+(?:, ?[A-Z]{2,3}-\d+)*)\])\1""")


@dataclass(frozen=True)
class Row:
    """A requirement of the document: of the specification and done, unless its marks differ."""

    id: str
    text: str
    kind: str = "S"
    status: str = "done"
    unknown: frozenset[str] = frozenset()

    @property
    def section(self) -> str:
        return self.id[:2]


@dataclass(frozen=True)
class Claim:
    """A test that claims to prove an id."""

    id: str
    test: str


def read_rows(document: str) -> list[Row]:
    """Return the rows of a conformance document; a line that is not a row is reported as missing."""
    return [_row(id_, frozenset(filter(None, marks.split(", "))), text) for id_, marks, text in ROW.findall(document)]


def _row(id_: str, marks: frozenset[str], text: str) -> Row:
    kind, status = "".join(marks & KINDS) or "S", "".join(marks & set(STATUSES)) or "done"
    return Row(id_, text, kind, status, marks - KINDS - set(STATUSES))


def collect(root: Path) -> list[Claim]:
    """Return the claims of every Python and TypeScript test below a folder."""
    claims: list[Claim] = []
    for folder in sorted(root.iterdir()):
        if not folder.is_dir() or folder.name.startswith(".") or folder.name in EXCLUDED_FOLDERS:
            continue
        for path in sorted(folder.rglob("test_*.py")):
            claims += python_claims(path.read_text("utf-8"), path.relative_to(root).as_posix())
        for path in sorted([*folder.rglob("*.test.ts"), *folder.rglob("*.test.tsx")]):
            claims += typescript_claims(path.read_text("utf-8"), path.relative_to(root).as_posix())
    return claims


def python_claims(source: str, name: str) -> Iterator[Claim]:
    """Yield the ids of `pytest.mark.req(…)` on tests, classes, parameters and modules; of a computed id its code."""

    def visit(node: ast.AST, test: str) -> Iterator[Claim]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                test = f"{test}::{node.name}"
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="req")):
                for id_ in node.args:
                    yield Claim(str(id_.value) if isinstance(id_, ast.Constant) else ast.unparse(id_), test)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, test)

    return visit(ast.parse(source), name)


def typescript_claims(source: str, name: str) -> Iterator[Claim]:
    """Yield the ids at the end of test titles, in lines that are not commented out."""
    code = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith("//"))
    for title in TITLE.finditer(code):
        for id_ in re.split(", ?", title[3]):
            yield Claim(id_, f"{name}::{title[2]}")


def faults(rows: Iterable[Row], claims: Iterable[Claim]) -> list[str]:
    """Return the contradictions between the document and the tests, one sentence each."""
    rows, claims = list(rows), list(claims)
    counts = Counter(row.id for row in rows)
    expected = [f"{section}-{number:02}" for section, size in SECTION_SIZES.items() for number in range(1, size + 1)]
    proven = {claim.id for claim in claims}
    threats = THREAT.findall(THREATS.read_text("utf-8"))
    unproven = [row.id for row in rows if row.status == "done" and row.id not in proven]
    unknown = [claim for claim in claims if claim.id not in counts and claim.id not in threats]
    return [
        *(f"{id_} is missing from the document." for id_ in expected if id_ not in counts),
        *(f"{id_} is not an id of the specification." for id_ in counts if id_ not in expected),
        *(f"{id_} stands in the document {times} times." for id_, times in counts.items() if times > 1),
        *(f"{row.id} has the unknown mark {mark}." for row in rows for mark in row.unknown),
        *(f"{id_} is claimed done, but no test names it." for id_ in unproven),
        *(f"{claim.test} names {claim.id}, which is not an id of the document." for claim in unknown),
    ]


def report(rows: Iterable[Row], claims: Iterable[Claim]) -> str:
    """Return the table of ids, status and tests, and the totals of each section."""
    rows = list(rows)
    tests: defaultdict[str, list[str]] = defaultdict(list)
    for claim in claims:
        if claim.test not in tests[claim.id]:
            tests[claim.id].append(claim.test)

    lines = [f"{'Id':<8}{'Status':<8}Tests"]
    for row in rows:
        first, *others = tests[row.id] or ["-"]
        lines += [f"{row.id:<8}{row.status:<8}{first}", *(f"{'':16}{test}" for test in others)]

    lines += ["", f"{'Section':<9}{'Rows':>6}{'Done':>6}{'Open':>6}{'Note':>6}  Open, but tested already"]
    sections = [(section, [row for row in rows if row.section == section]) for section in SECTION_SIZES]
    for name, members in [*sections, ("All", rows)]:
        counts = Counter(row.status for row in members)
        tested = sum(row.status == "open" and bool(tests[row.id]) for row in members)
        figures = [len(members), *(counts[status] for status in STATUSES), tested]
        lines.append(f"{name:<9}" + "".join(f"{figure:>6}" for figure in figures))
    return "\n".join(lines)


def main() -> int:
    """Print the table, then the faults; return the exit status."""
    rows, claims = read_rows(DOCUMENT.read_text("utf-8")), collect(ROOT)
    wrong = faults(rows, claims)
    sys.stdout.write("\n".join([report(rows, claims), *(["", *wrong] if wrong else [])]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
