"""No cell of an export is a formula, with any separator; an import removes the apostrophes of an export."""

import csv
import io
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from console.files.read import read
from console.files.write import UNSEEN, write

OPERATORS = "=+-@＝＋－＠﹦﹢﹣﹫"
STARTS = OPERATORS + "\t\r\n"
SEPARATORS = ",;\t"
BLANKS = [" ", "\u00a0", "\ufeff", "\u200b", "\u2066", "\u3000", "\u00ad", "\u115f", "\u2800", "\ufe0f"]
CELLS = st.lists(
    st.one_of(
        st.sampled_from([*STARTS, *SEPARATORS, *BLANKS, "'", '"', "x"]),
        st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]),
    ),
    max_size=12,
).map("".join)
UNSEEN_CHARACTERS = "".join(
    c
    for c in map(chr, range(0x110000))
    if c not in "\t\r\n" and unicodedata.category(c) in ("Cc", "Cf", "Zs", "Zl", "Zp")
) + "".join(BLANKS)
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=4)


def cells(data: bytes, separator: str) -> list[str]:
    """Return the cells that a program with this separator reads."""
    text = io.StringIO(data.decode("utf-8-sig"), newline="")
    return [cell for row in csv.reader(text, delimiter=separator) for cell in row]


def is_formula(cell: str) -> bool:
    return cell[:1] in tuple(STARTS) or cell.strip(UNSEEN_CHARACTERS)[:1] in tuple(OPERATORS)


@pytest.mark.req("SEC-20", "LS-10")
@pytest.mark.parametrize("separator", SEPARATORS)
@given(rows=ROWS)
@example(rows=[["x", "x;=1"]])
@example(rows=[["x", "x\n=1"]])
@example(rows=[["x", 'x;"=1']])
@example(rows=[["x", "x;"], ["=1", "x"]])
@example(rows=[["x", "x;\t"], ["x", "x"]])
def test_no_cell_is_a_formula_with_any_separator(separator, rows):
    assert [cell for cell in cells(write(rows), separator) if cell and is_formula(cell)] == []


@pytest.mark.req("SEC-20")
def test_an_operator_gets_an_apostrophe_also_after_blanks():
    blanks = ["", *BLANKS, " \u00a0\u200b", '"', "'"]
    values = [f"{blank}{operator}1+1" for blank in blanks for operator in OPERATORS]
    assert len(set(values)) == 14 * 12
    faults = {}
    for value in values:
        data = write([["a", "b"], [value, "z"]])
        results = cells(data, ",")[2:], read(data).rows[1]
        if results != ([f"'{value}", "z"], [value, "z"]):
            faults[value] = results
    assert faults == {}


@pytest.mark.req("SEC-20")
def test_every_cell_is_quoted():
    assert write([["a", "1"], ["", "b"]]).decode("utf-8-sig") == '"a","1"\r\n"","b"\r\n'


@pytest.mark.req("SEC-20")
def test_all_invisible_characters_count_as_blanks():
    assert [c for c in UNSEEN_CHARACTERS if not re.fullmatch(UNSEEN, c)] == []
    assert [c for c in "aÄ1あ한.,(" if re.fullmatch(UNSEEN, c)] == []


@pytest.mark.req("SEC-20")
@pytest.mark.parametrize(
    "cell", ["O'Hara-Lee", "a=b", "x - y", "Müller; Söhne", "(+82) 2", "a@b.example", "line\r\n\r\nline"]
)
def test_a_cell_that_is_no_formula_is_not_changed(cell):
    assert cells(write([[cell]]), ",") == [cell]


@pytest.mark.req("SEC-21", "LS-10")
@given(rows=ROWS)
@example(rows=[["'t Hof", "''"], ["'=x", "''=x"], ["x;'=x", "x;'"]])
def test_an_import_removes_what_an_export_added(rows):
    header = ["a", "b"]
    assert read(write([header, *rows])).rows == [header, *(row for row in rows if any(map(str.strip, row)))]


@pytest.mark.req("SEC-21")
@pytest.mark.parametrize("cell", ["'t Hof", "'", "''", "'x=1", "Peter's; Paul's", "x;'y"])
def test_an_apostrophe_in_the_text_is_kept(cell):
    assert cells(write([[cell, "z"]]), ",") == [cell, "z"]
    assert read(f"a,b\r\n{cell},z\r\n".encode()).rows[1] == [cell, "z"]
