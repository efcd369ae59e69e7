"""Numbers, texts, dates and spans of time as a spreadsheet program shows them."""

from datetime import date, datetime, time, timedelta

import pytest

from console.files.number_formats import date_text, formatted_text, number_text, span_text

PHONE = "[<=9999999]###-####;(###) ###-####"
ACCOUNTING = r'_(* #,##0_);_(* \(#,##0\);_(* "-"??_);_(@_)'
NUMBERS: dict[str, list[tuple[float, str, str]]] = {
    "leading zeros": [(12345, "0000000", "0012345"), (7, "000", "007"), (1234567, "000", "1234567")],
    "literals": [
        (7, '"SN-"0000', "SN-0007"),
        (-7, '"SN-"0000', "-SN-0007"),
        (12345, r"\S\N00000000", "SN00012345"),
        (3, '0" units"', "3 units"),
        (5, '"SN"General', "SN5"),
        (12, "[$SN]0000", "SN0012"),
        (9, '[Red]"R"00;[Blue]"B"00', "R09"),
        (-9, '[Red]"R"00;[Blue]"B"00', "B09"),
        (0, '0;-0;"none"', "none"),
        (1.005, '"v"0.00', "v1.01"),
        (7, '"a;b"00', "a;b07"),
    ],
    "digits with marks between": [
        (1234567, "000-0000", "123-4567"),
        (44, r"00000\-0000", "00000-0044"),
        (1, "00-00-00", "00-00-01"),
        (5551234567, PHONE, "(555) 123-4567"),
        (5551234, PHONE, "555-1234"),
    ],
    "parts of a hundred, money and millions": [
        (0.125, "0.0%", "12.5%"),
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (1234567.891, "$#,##0.00", "$1,234,567.89"),
        (1234567, '0.0,,"M"', "1.2M"),
        (-4, "0;(0)", "(4)"),
    ],
    "plain numbers stay as they are stored": [
        (4, "General", "4"),
        (4, "0.00", "4"),
        (1234.5, "#,##0.00", "1234.5"),
        (4, ACCOUNTING, "4"),
        (0, ACCOUNTING, "0"),
        (0.1 + 0.2, "General", "0.3"),
        (0.00001, "General", "0.00001"),
        (1.5, "# ?/?", "1.5"),
        (123456789012, "0.00E+00", "123456789012"),
        (999999999999999, "0", "999999999999999"),
    ],
    "formats of texts show numbers as they are": [
        (12345, "@", "12345"),
        (1234.5, '"x"@', "1234.5"),
        (-7, "@@", "-7"),
        (5, ";;;@", ""),
        (5, '0;-0;0;"x"@', "5"),
    ],
    "hidden by their format": [(5, ";;;", ""), (-5, "0;", "")],
    "numbers of which digits are lost": [
        (1e15, "0", "1.00000000000000E+15"),
        (12345678901234567890, "0", "1.23456789012346E+19"),
        (-1.5e300, "General", "-1.50000000000000E+300"),
    ],
    "nonsense": [(5, '"', "5"), (5, "[", "5"), (5, "", ""), (5, "\\", "5"), (5, '0"', '5"')],
}


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("kind", NUMBERS)
def test_a_number_is_read_as_its_format_shows_it(kind):
    assert [number_text(value, code) for value, code, _text in NUMBERS[kind]] == [
        text for _value, _code, text in NUMBERS[kind]
    ]


@pytest.mark.req("DM-42")
def test_infinite_numbers_break_nothing():
    assert number_text(float("inf"), "0000") == "Infinity"


@pytest.mark.req("DM-42")
def test_a_text_is_read_with_the_literals_of_its_format():
    formats = {
        "General": "A1",
        "@": "A1",
        "0": "A1",
        '"SN-"@': "SN-A1",
        '0;0;0;"T "@': "T A1",
        ";;;": "",
        ACCOUNTING: "A1",
        '@" pcs"': "A1 pcs",
    }
    assert {code: formatted_text("A1", code).strip() for code in formats} == formats


@pytest.mark.req("DM-42")
def test_a_date_is_read_as_its_format_shows_it():
    moment = datetime(2026, 3, 5, 9, 7, 3)
    formats = {
        r"m\-d": "3-5",
        "yyyy-mm-dd": "2026-03-05",
        "dd.mm.yyyy": "05.03.2026",
        "m/d/yyyy;@": "3/5/2026",
        "yyyymmdd": "20260305",
        '"LOT"yymmdd': "LOT260305",
        'yyyy"년" m"월" d"일"': "2026년 3월 5일",
        "yyyy/mm/dd hh:mm": "2026/03/05 09:07",
        "h:mm AM/PM": "9:07 AM",
        "mm:ss": "07:03",
        "[$-407]d.m.yy": "5.3.26",
    }
    assert {code: date_text(moment, code) for code in formats} == formats
    assert date_text(time(15, 30), "h:mm AM/PM") == "3:30 PM"
    assert date_text(time(0, 5), "h:mm") == "0:05"


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    "code", ["mm-dd-yy", "m/d/yy h:mm", "d-mmm", "[$-F800]dddd, mmmm dd, yyyy", "[$-411]ge.m.d", "ss.00"]
)
def test_a_date_is_read_as_iso_if_its_format_depends_on_a_language_or_a_system(code):
    assert date_text(datetime(2026, 3, 5), code) == "2026-03-05"
    assert date_text(date(2026, 3, 5), code) == "2026-03-05"


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (timedelta(hours=36, minutes=5), "[h]:mm", "36:05"),
        (timedelta(days=400), "[h]:mm:ss", "9600:00:00"),
        (timedelta(minutes=90, seconds=5), "[mm]:ss", "90:05"),
        (timedelta(minutes=2), "[s]", "120"),
        (timedelta(hours=-1.5), "[h]:mm", "-1:30"),
    ],
)
def test_a_span_of_time_has_no_days(value, code, text):
    assert span_text(value, code) == text
