"""The conformance document and the tests agree, and a disagreement would be noticed."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tools.conformance import (
    DOCUMENT,
    ROOT,
    THREAT,
    THREATS,
    Claim,
    Row,
    collect,
    faults,
    python_claims,
    read_rows,
    report,
    typescript_claims,
)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return read_rows(DOCUMENT.read_text("utf-8"))


@pytest.fixture(scope="module")
def claims() -> list[Claim]:
    """Return the claims of all tests, cached because reading them takes seconds."""
    return collect(ROOT)


@pytest.fixture
def all_open(rows: list[Row]) -> list[Row]:
    """Return the document with all requirements open."""
    return [replace(row, status="open") for row in rows]


def test_the_document_and_the_tests_agree(rows, claims):
    assert faults(rows, claims) == []


def test_the_document_carries_every_requirement_of_the_specification(rows):
    kinds = Counter(row.kind for row in rows if row.section != "DM")
    assert kinds == {"S": 323, "D": 117}


def test_a_note_is_never_one_of_our_own_choices(rows):
    assert {row.kind for row in rows if row.status == "note"} == {"S"}


def test_every_departed_row_is_listed_among_the_departures(rows):
    listed = set(re.findall(r"\b[A-Z]{2}-\d{2,3}\b", (DOCUMENT.parent / "departures.md").read_text("utf-8")))
    departed = {row.id for row in rows if "Departed:" in row.text}
    assert departed
    assert departed <= listed
    assert listed <= {row.id for row in rows}


def test_each_threat_has_an_id_of_its_own_and_a_test(claims):
    ids = THREAT.findall(THREATS.read_text("utf-8"))
    assert len(ids) > 50
    assert len(ids) == len(set(ids))
    assert set(ids) - {claim.id for claim in claims} == set()


def test_an_id_that_is_done_needs_a_test(all_open):
    claimed = [replace(row, status="done") if row.id == "RT-09" else row for row in all_open]
    assert faults(claimed, []) == ["RT-09 is claimed done, but no test names it."]
    assert faults(claimed, [Claim("RT-09", "console/tests/test_pages.py::test_unknown_paths")]) == []


def test_open_ids_may_have_tests_already(all_open):
    assert faults(all_open, [Claim("RT-09", "console/tests/test_pages.py::test_unknown_paths")]) == []


def test_a_test_cannot_name_an_id_that_does_not_exist(all_open):
    assert faults(all_open, [Claim("RT-99", "tests/e2e/test_doors.py::test_doors")]) == [
        "tests/e2e/test_doors.py::test_doors names RT-99, which is not an id of the document."
    ]


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ("- RT-09:", "- RT-9:", "RT-09 is missing from the document."),
        ("- RT-09:", "- RT-08:", "RT-08 stands in the document 2 times."),
        ("- RT-43 (D):", "- RT-99 (D):", "RT-99 is not an id of the specification."),
        ("- LN-28:", "- LN-28 (x):", "LN-28 has the unknown mark x."),
        ("(note)", "(odd)", "RT-26 has the unknown mark odd."),
    ],
)
def test_a_damaged_document_is_noticed(rows, claims, before: str, after: str, fault: str):
    damaged = read_rows(DOCUMENT.read_text("utf-8").replace(before, after))
    assert fault not in faults(rows, claims)
    assert fault in faults(damaged, claims)


def test_marks_are_read_wherever_pytest_allows_them():
    source = '''
import pytest

pytestmark = [pytest.mark.req("UC-16")]

@pytest.mark.req("RT-01", "RT-02")
def test_page(): ...

@pytest.mark.req("ST-11")
class TestStampede:
    @pytest.mark.req("ST-15")
    async def test_workers(self): ...

@pytest.mark.parametrize("tag", [pytest.param("ar-EG", marks=pytest.mark.req("LN-17"))])
def test_language(tag): ...

# @pytest.mark.req("RT-03")
def test_other():
    """Not @pytest.mark.req("RT-04") either."""
'''
    assert set(python_claims(source, "test_x.py")) == {
        Claim("UC-16", "test_x.py"),
        Claim("RT-01", "test_x.py::test_page"),
        Claim("RT-02", "test_x.py::test_page"),
        Claim("ST-11", "test_x.py::TestStampede"),
        Claim("ST-15", "test_x.py::TestStampede::test_workers"),
        Claim("LN-17", "test_x.py::test_language"),
    }


def test_an_id_that_is_not_written_out_is_refused(all_open):
    claims = python_claims("@pytest.mark.req(*CODES)\ndef test_codes(): ...", "test_x.py")
    assert faults(all_open, claims) == ["test_x.py::test_codes names *CODES, which is not an id of the document."]


def test_titles_of_typescript_tests_name_ids_at_their_end():
    source = """
it("shows three siblings [CO-12]", () => {});
test('says the range, and doesn\\'t shout [LS-05, AX-08]', () => {});
it.each(["a", "b"])("sorts by %s [LS-03]", () => {});
it("knows [RT-01] only in its middle", () => {});
it.todo("closes on Escape [CO-08]");
it.skip("pauses [CO-06]", () => {});
  // it("was here once [CO-05]", () => {});
"""
    assert [(claim.id, claim.test) for claim in typescript_claims(source, "Pager.test.tsx")] == [
        ("CO-12", "Pager.test.tsx::shows three siblings [CO-12]"),
        ("LS-05", "Pager.test.tsx::says the range, and doesn\\'t shout [LS-05, AX-08]"),
        ("AX-08", "Pager.test.tsx::says the range, and doesn\\'t shout [LS-05, AX-08]"),
        ("LS-03", "Pager.test.tsx::sorts by %s [LS-03]"),
    ]


def test_tests_of_every_folder_are_read_but_not_those_of_packages(tmp_path: Path):
    for folder in ("groups/tests", "tests/e2e", "node_modules/lib", ".venv/lib"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "test_a.py").write_text('@pytest.mark.req("RT-12")\ndef test_a(): ...\n')
    (tmp_path / "static_src/components").mkdir(parents=True)
    (tmp_path / "static_src/components/Pager.test.tsx").write_text('it("pages [CO-12]", () => {});\n')
    assert [claim.test for claim in collect(tmp_path)] == [
        "groups/tests/test_a.py::test_a",
        "static_src/components/Pager.test.tsx::pages [CO-12]",
        "tests/e2e/test_a.py::test_a",
    ]


def test_the_report_names_status_tests_and_totals(all_open):
    some = [replace(row, status="done") if row.id == "UC-03" else row for row in all_open]
    output = report(
        some, [Claim("UC-03", "tests/e2e/test_login.py::test_in"), Claim("UC-03", "tests/e2e/test_login.py::test_out")]
    )
    lines = [" ".join(line.split()) for line in output.splitlines()]
    at = lines.index("UC-03 done tests/e2e/test_login.py::test_in")
    assert lines[at + 1] == "tests/e2e/test_login.py::test_out"
    assert "UC-04 open -" in lines
    assert "UC 18 1 17 0 0" in lines
    assert "All 490 1 489 0 0" in lines
