"""Real-world files: read correctly, asked about, or refused with the right sentence.

They are in the folder `files`, and created by tests/support/people_files.py.
"""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.utils.translation import override

from console.files.encodings import likely_texts
from console.i18n.languages import TAGS
from console.models import ImportFile
from tests.support.audit import audit
from tests.support.imports import answer, upload
from tests.support.people_files import FOLDER, IN_LANGUAGES, OTHERS, PLAIN

pytestmark = pytest.mark.sql

IMPORT, BULK = "/user-manage/clinic/import", "/v1/bizMainGroups/bulkCreate"
SPELLED, COLUMNS = "Do these names look right?", "Match the columns"
TWO = [tuple(row) for row in PLAIN[1:]]
UNASKED = {
    "program.xlsx": TWO,
    "program-formula-two-sheets.xlsx": [("Harbor", "US")],
    "program-semicolon.csv": TWO,
    "own-export.xlsx": TWO,
    "excel-utf-8.csv": TWO,
    "excel-unicode-text.txt": TWO,
    "excel-sep-bar.csv": TWO,
    "google.csv": TWO,
    "numbers.csv": TWO,
    "old-mac-line-ends.csv": TWO,
    "hand-blank-rows.csv": TWO,
    "hand-heads.csv": TWO,
}
REFUSED = {
    "program.ods": "This isn't a CSV or XLSX file.",
    "program.xls": "This workbook is in an old format or is password-protected.",
    "program.pdf": "This isn't a CSV or XLSX file.",
    "hand-heads-only.csv": "The file has column names but no rows.",
    "hand-101-rows.xlsx": "The file has 101 rows. You can import up to 100 at a time.",
    "broken-quote.csv": "Check for unclosed quotation marks.",
    "broken-utf-16.txt": "The file is damaged or incomplete.",
    "broken-utf-8.csv": "The file is damaged or incomplete.",
    "broken-cut.xlsx": "This isn't a CSV or XLSX file.",
    "broken-sheet.xlsx": "This isn't a CSV or XLSX file.",
    "broken-image.csv": "This isn't a CSV or XLSX file.",
    "hostile-bomb.xlsx": "The file is too large.",
    "hostile-far-cell.xlsx": "The first row must contain the column names.",
    "hostile-cells.xlsx": "The file is too large.",
    "hostile-elements.xlsx": "The file is too large.",
    "hostile-strings.xlsx": "The file is too large.",
    "hostile-ranges.xlsx": "The first row must contain the column names.",
    "hostile-entities.xlsx": "This isn't a CSV or XLSX file.",
}
IN_CODE_PAGES = {f"program-{language}.csv": names for language, (_page, names) in IN_LANGUAGES.items()}
IN_CODE_PAGES |= {f"other-{code_page}.csv": names for code_page, names in OTHERS.items()}


@pytest.fixture
def service(upstream):
    """Let the service accept clinics; return the rows that it gets."""
    got: list[tuple[str, str]] = []

    def create(request):
        items = json.loads(request.body)["items"]
        got.extend((item["name"], item["countryCode"]) for item in items)
        rows = [{"index": index, "ok": True} for index in range(len(items))]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", BULK, create)
    return got


def send(client, file, *, language="en", **fields):
    return upload(client, f"{IMPORT}?lng={TAGS[language]}", Path(FOLDER, file).read_bytes(), name=file, **fields)


def page(response):
    html = response.content.decode()
    audit(html, lng=response.headers["Content-Language"])
    return unescape(html)


def test_every_file_has_a_test():
    ambiguous = {"excel-sep.csv", "hand-other-heads.csv", "hand-other-heads.xlsx", "hand-twice.csv"}
    tested = {*IN_CODE_PAGES, *UNASKED, *REFUSED, *ambiguous}
    assert len(tested) >= 40
    assert {path.name for path in FOLDER.iterdir()} == tested


UNMISTAKABLE = {"ar", "de", "el", "ja", "ru", "zh-hant"}
"""Languages whose files mix scripts if they are read in any other encoding."""


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("language", sorted(IN_LANGUAGES.keys() - UNMISTAKABLE))
def test_a_file_is_read_in_the_encoding_of_the_readers_language(admin_client, service, language):
    encoding, names = IN_LANGUAGES[language]
    response = send(admin_client, f"program-{language}.csv", language=language)
    html = page(response)
    assert SPELLED in html
    assert f'value="{"gbk" if encoding == "cp936" else encoding}" selected' in html
    for name in names:
        assert f"<li><bdi translate=no>{name}</bdi></li>" in html
    assert service == []
    answer(admin_client, response)
    assert service == [(name, "KR") for name in names]


@pytest.mark.req("DM-42", "LS-11", "SEC-28")
@pytest.mark.parametrize("file", [file for file in IN_CODE_PAGES if file != "program-de.csv"])
@pytest.mark.parametrize("reader", ["en", "ko"])
def test_a_file_of_another_language_is_previewed_and_imported_correctly(admin_client, service, file, reader):
    names = IN_CODE_PAGES[file]
    response = send(admin_client, file, language=reader)
    if file == f"program-{reader}.csv" and service == [(name, "KR") for name in names]:
        return  # files in this language may need no question
    html = page(response)
    assert SPELLED in html
    offered = re.findall(r'<option value="(\w+)"', html)
    pages = {name: page(answer(admin_client, response, encoding=name, preview="1")) for name in offered}
    right = [name for name, html in pages.items() if all(f"<bdi translate=no>{text}</bdi>" in html for text in names)]
    assert right
    assert f'value="{right[0]}" selected' in pages[right[0]]
    assert service == []
    answer(admin_client, response, encoding=right[0])
    assert service == [(name, "KR") for name in names]


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("file", UNASKED)
def test_a_file_without_doubt_is_read_at_once(admin_client, service, file):
    html = page(send(admin_client, file))
    assert "can be imported." in html
    assert service == UNASKED[file]


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("language", sorted(UNMISTAKABLE))
def test_a_file_that_no_other_encoding_fits_needs_no_choice(admin_client, service, language):
    page(send(admin_client, f"program-{language}.csv", language=language))
    assert service == [(name, "KR") for name in IN_LANGUAGES[language][1]]


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize(("language", "encoding"), [("en", "cp1252"), ("ru", "cp1251"), ("el", "cp1253")])
def test_the_encoding_of_the_readers_language_is_the_first(language, encoding):
    with override(language):
        assert next(iter(likely_texts(b"Name\r\nJ\xe4ger\r\n"))) == encoding


@pytest.mark.req("DM-42", "LS-11")
def test_a_few_words_count_however_long_the_text_is():
    with override("en"):
        texts = likely_texts(
            b"Name\r\n"
            + b"Dental\r\n" * 10_000
            + "\u0421\u0442\u043e\u043c\u0430\u0442\u043e\u043b\u043e\u0433\u0438\u044f".encode("cp1251")
        )
    assert "cp1251" in texts


@pytest.mark.req("DM-42")
def test_a_first_line_with_the_separator_is_no_row(admin_client, service):
    html = page(answer(admin_client, send(admin_client, "excel-sep.csv")))
    assert service == TWO
    assert [int(row) for row in re.findall(r'data-kind="number">(\d+)<', html)] == [2, 3]


@pytest.mark.req("DM-42", "LS-12")
@pytest.mark.parametrize("file", ["hand-other-heads.csv", "hand-other-heads.xlsx"])
def test_other_heads_are_asked_about(admin_client, service, file):
    response = send(admin_client, file)
    html = page(response)
    assert COLUMNS in html
    assert ">Bezeichnung: \u2068Harbor Dental\u2069, \u2068Müller, Söhne\u2069" in html
    assert service == []
    fields = {"column-name": "0", "column-country_code": "1"}
    assert "2 rows can be imported." in page(answer(admin_client, response, **fields))
    assert service == TWO


@pytest.mark.req("DM-42", "LS-12")
def test_a_repeated_head_is_asked_about(admin_client, service):
    response = send(admin_client, "hand-twice.csv")
    assert COLUMNS in page(response)
    answer(admin_client, response, **{"column-name": "1", "column-country_code": "2"})
    assert service == [("B", "US")]


@pytest.mark.req("DM-42", "LS-12", "VA-36")
@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"column-name": "0", "column-country_code": ""}, "Choose the file column for “Country”."),
        (
            {"column-name": "0", "column-country_code": "0"},
            "The column you chose for “Country” is already in use. Choose another one.",
        ),
        ({"column-name": "0", "column-country_code": "7"}, "Choose the file column for “Country”."),
        ({"column-name": "0", "column-country_code": "x"}, "Choose the file column for “Country”."),
    ],
)
def test_a_wrong_choice_of_columns_is_reported_and_the_right_ones_stay(admin_client, service, chosen, message):
    response = answer(admin_client, send(admin_client, "hand-other-heads.csv"), **chosen)
    assert response.status_code == 422
    html = page(response)
    assert message in html
    assert '<option value="0" selected>' in html
    answer(admin_client, response, **{"column-name": "0", "column-country_code": "1"})
    assert service == TWO


@pytest.mark.req("DM-42", "LS-12", "SEC-27")
@pytest.mark.parametrize("file", REFUSED)
def test_an_unreadable_file_is_refused(admin_client, service, file):
    response = send(admin_client, file)
    assert response.status_code == 422
    assert REFUSED[file] in page(response)
    assert service == []


@pytest.mark.req("DM-42")
def test_the_overwrite_option_is_kept_after_the_questions(admin_client, service):
    response = send(admin_client, "hand-other-heads.csv", overwrite="on")
    answer(admin_client, response, **{"column-name": "0", "column-country_code": "1"})
    assert ImportFile.objects.get().content.overwrite


@pytest.mark.req("DM-42")
def test_questions_are_answered_as_json_too(admin_client, service):
    path = Path(FOLDER, "hand-other-heads.csv")
    body = upload(
        admin_client, IMPORT, path.read_bytes(), name=path.name, headers={"Accept": "application/json"}
    ).json()
    assert (body["ok"], body["message"]) == (False, COLUMNS)
    assert set(body["item"]["column-name"]) == {"", "0", "1"}
