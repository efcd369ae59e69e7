"""The parser of pasted purchase lists."""

import pytest

from scanners.forms.expected_serials import PasteForm, format_lines, parse_lines
from tests.support.cost import is_linear

pytestmark = pytest.mark.req("DM-43")


def cells(text):
    return [line.cells for line in parse_lines(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ABC-1", ["ABC-1", "", ""]),
        ("  ABC-1  ", ["ABC-1", "", ""]),
        ("ABC-1\tClinic 1\tRoom 4", ["ABC-1", "Clinic 1", "Room 4"]),
        ("ABC-1, Clinic 1, Room 4", ["ABC-1", "Clinic 1", "Room 4"]),
        ("ABC-1;Clinic 1;Room 4, left", ["ABC-1", "Clinic 1", "Room 4, left"]),
        ("ABC-1\tKim, Park & Lee\tleft; right", ["ABC-1", "Kim, Park & Lee", "left; right"]),
        ('ABC-1, "Kim, Park & Lee", Room 4', ["ABC-1", "Kim, Park & Lee", "Room 4"]),
        ("A1,Clinic; North,note", ["A1", "Clinic; North", "note"]),
        ('"A;1",Clinic,note', ["A;1", "Clinic", "note"]),
        *[(f"A1{sign}Clinic{sign}note", ["A1", "Clinic", "note"]) for sign in "，；、"],
        ("1,23E+11", ["1,23E+11", "", ""]),
        ("ABC-1,,Room 4", ["ABC-1", "", "Room 4"]),
        ("ABC-1, Clinic 1, Room 4, left, of May", ["ABC-1", "Clinic 1", "Room 4, left, of May"]),
        ('ABC-1, Clinic 1, the 5" one', ["ABC-1", "Clinic 1", 'the 5" one']),
        ('ABC-1\tClinic 1\t"first room\r\nsecond ""room"""', ["ABC-1", "Clinic 1", 'first room second "room"']),
        ('"ABC\n-1"', ["ABC -1", "", ""]),
        ('A1, Clinic 1, "first room\r\nsecond ""room"""', ["A1", "Clinic 1", 'first room second "room"']),
        ('"A\n1";Clinic; "left, first\n\nsecond" ', ["A 1", "Clinic", "left, first second"]),
        ('A1 5", Clinic 1, 6"', ['A1 5"', "Clinic 1", '6"']),
        ('A1,"Zahn" Klinik, x', ["A1", "Zahn Klinik", "x"]),
        ('A1,"left, first\nsecond"', ["A1", "left, first second", ""]),
        ("ABC-1\tClinic\u20281\tline\x85next\x0bpage\x0c\x1cfield", ["ABC-1", "Clinic 1", "line next page field"]),
        ('ABC-1\t"Zahn" Klinik\tx', ["ABC-1", '"Zahn" Klinik', "x"]),
        ("ABC-1\u200b\tClinic\u30001", ["ABC-1", "Clinic 1", ""]),
        ("\tClinic 1", ["", "Clinic 1", ""]),
        ("x" * 140_000, ["x" * 140_000, "", ""]),
    ],
)
def test_a_line_is_a_serial_number_a_clinic_and_a_note(text, expected):
    assert cells(text) == [expected]


def test_quoted_cells_with_other_separators_can_have_line_breaks():
    lines = parse_lines('A-1;C;"one\ntwo"\nA-2,"C; D",x\n"A\n3",C\nA-4')
    assert [(line.number, line.cells) for line in lines] == [
        (1, ["A-1", "C", "one two"]),
        (2, ["A-2", "C; D", "x"]),
        (3, ["A 3", "C", ""]),
        (4, ["A-4", "", ""]),
    ]


def test_blank_lines_are_ignored_and_the_others_keep_their_numbers():
    lines = parse_lines("\r\nABC-1\r\n\r\n  \r\nABC-2\tClinic\r\n")
    assert [(line.number, line.cells[0]) for line in lines] == [(2, "ABC-1"), (5, "ABC-2")]


def test_a_cell_with_line_breaks_is_in_one_row_of_the_spreadsheet():
    lines = parse_lines('A-1\tC\t"one\ntwo\n\nthree"\n\nA-2\tC\t"x"\n')
    assert [(line.number, line.cells[0], line.cells[2]) for line in lines] == [
        (1, "A-1", "one two three"),
        (3, "A-2", "x"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Serial number\tClinic\tNote\nA-1\tC\tN", [["A-1", "C", "N"]]),
        ("Note;S/N;Practice\nN;A-1;C", [["A-1", "C", "N"]]),
        ("Nr.\tSerial no.\n1\tA-1\n2\tA-2", [["A-1", "", ""], ["A-2", "", ""]]),
        ("Serial number", []),
    ],
)
def test_a_header_line_says_which_column_is_which(text, expected):
    assert cells(text) == expected


def test_formatted_lines_are_parsed_into_the_same_lines():
    text = 'A-1\tKim, Park & Lee\tleft; right\nA-2\n,Clinic\nA-3,"x;y",\nA-4\t"""Zahn"""\t"Zahn" Klinik'
    assert cells(format_lines(parse_lines(text))) == cells(text)


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        (" \n\t\n ", "Enter at least one serial number."),
        ("Serial number\tClinic", "Enter at least one serial number."),
        ('A-1\tC\tN\nA-2\t"C\tN\nA-3', "Row 2 has an unclosed quotation mark."),
        ('"ABC-1, Clinic 1', "Row 1 has an unclosed quotation mark."),
        ('A-1, C, "open\nA-2, C', "Row 1 has an unclosed quotation mark."),
        ('A-1\tC\t"open\nA-2\tC\tthe 5"', "Row 1 has an unclosed quotation mark."),
        ("A\n" * 1001, "You entered 1,001 lines. You can add up to 1,000 at a time."),
    ],
)
def test_an_invalid_text_is_reported_at_the_field(pasted, message):
    form = PasteForm({"pasted": pasted})
    assert form.errors["pasted"] == [message]


@pytest.mark.parametrize("part", ["A-1, b, c\n", '"', ', "', ',"\n', '"a,', ' "a"', ",", "A\t", "Serial"])
def test_a_long_text_costs_no_more_than_its_length(part):
    assert is_linear(parse_lines, lambda length: part * (length // len(part)))
