"""CSV files: written rows are read unchanged with any cells, and other files are refused."""

import csv
import io
from contextlib import suppress

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from console.files.read import Unreadable, read
from console.files.write import write
from console.i18n.languages import TABLE
from console.l10n.countries import countries, country_code, country_name

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], include_characters="\t\r\n"))
CELLS = st.one_of(
    TEXT, st.builds("".join, st.tuples(st.sampled_from(["'", "''", "=", "'=", "+", "-", "@", "\t"]), TEXT))
)
ROWS = [["Name", "Country"], ['Müller; Söhne, "Zähne"', "DE"], ["عيادة", "EG"]]


@pytest.mark.req("LS-10")
@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=5))
def test_written_rows_are_read_unchanged(rows):
    header = ["a", "b"]
    assert read(write([header, *rows])).rows == [header, *(row for row in rows if any(map(str.strip, row)))]


@pytest.mark.req("LS-10")
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=5))
def test_no_cell_of_a_file_starts_like_a_formula(rows):
    written = list(csv.reader(io.StringIO(write(rows).decode("utf-8-sig"), newline="")))
    assert len(written) == len(rows)
    for row in written:
        assert not [cell for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and cell]


@pytest.mark.req("LS-10")
@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+82", "'+82"),
        ("-", "'-"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("'=x", "''=x"),
        ("'t Hof", "'t Hof"),
    ],
)
def test_a_formula_gets_one_apostrophe_and_loses_it_again(cell, written):
    data = write([["a", "b"], [cell, "z"]])
    assert list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))[1] == [written, "z"]
    assert read(data).rows[1] == [cell, "z"]


@pytest.mark.req("LS-10")
def test_a_file_has_a_utf_8_bom():
    assert write(ROWS).startswith(b"\xef\xbb\xbf")


@pytest.mark.req("LS-11", "DM-14")
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_encoding_and_delimiter_of_spreadsheets_is_read(encoding, delimiter):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(ROWS)
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    assert read((mark + text.getvalue()).encode(encoding)).rows == ROWS


@pytest.mark.req("LS-12")
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04\x00\x00rest of a spreadsheet", "This isn't a CSV or XLSX file"),
        (b"Name\x07,Country\r\n", "This isn't a CSV or XLSX file"),
        (b"Name,Country\r\n\xff\x07,DE\r\n", "This isn't a CSV or XLSX file"),
        (b"\xff\xfeN", "damaged or incomplete"),
        (b"\xef\xbb\xbfName,Country\r\nM\xc3", "damaged or incomplete"),
        (b'Name,Country\r\n"Open,DE\r\n', "quotation marks"),
        (b'Name,Country\r\n"a"b,DE\r\n', "quotation marks"),
    ],
)
def test_a_file_that_is_no_csv_is_refused_with_its_reason(data, message):
    with pytest.raises(Unreadable, match=message):
        read(data)


@pytest.mark.req("LS-11")
@pytest.mark.parametrize("blank", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028"])
def test_a_blank_of_another_program_stays_in_its_cell(blank):
    rows = [["Name", "Country"], [f"Anna{blank}Schmidt", "DE"], ["Bo", "DE"]]
    text = "\n".join(",".join(row) for row in rows)
    for encoding in ("utf-8", "utf-16"):
        assert read(text.encode(encoding)).rows == rows
    if blank < "\x80":
        assert read(f"{text}\nJosé,ES".encode("cp1252")).rows == [*rows, ["José", "ES"]]


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(data):
    with suppress(Unreadable):
        assert all(isinstance(cell, str) for row in read(data).rows for cell in row)


@pytest.mark.req("LS-10", "LS-11")
@pytest.mark.parametrize("language_code", [language.code for language in TABLE])
def test_a_country_is_recognized_by_its_name_its_english_name_and_its_code(language_code):
    english = {code: country_name(code) for code, _name in countries()}
    with translation.override(language_code):
        for code, name in countries():
            assert {country_code(text) for text in (name, english[code], code, f" {code.lower()} ")} == {code}
        assert country_code("Atlantis") == ""
