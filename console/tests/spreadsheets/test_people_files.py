"""Files as people have them: read right, asked about, or refused with the right sentence.

They are in the folder `files`; console/testing/people_files.py makes them.
"""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from console.i18n.languages import TAGS
from console.spreadsheets.code_pages import possible
from console.testing.audit import audit
from console.testing.people_files import FOLDER, IN_LANGUAGES, OTHERS, PLAIN

IMPORT, BULK = "/user-manage/clinic/import", "/v1/bizMainGroups/bulkCreate"
SPELLED, COLUMNS = "Are the names spelled correctly?", "Which column is which?"
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
    "program.ods": "This is neither a CSV nor an XLSX file.",
    "program.xls": "This workbook has an old format or a password.",
    "program.pdf": "This is neither a CSV nor an XLSX file.",
    "hand-heads-only.csv": "The file has a header, but no rows.",
    "hand-101-rows.xlsx": "The file has 101 rows. At most 100 can be imported at once.",
    "broken-quote.csv": "Look for quotation marks that are not closed.",
    "broken-utf-16.txt": "The file is damaged or was cut off.",
    "broken-utf-8.csv": "The file is damaged or was cut off.",
    "broken-cut.xlsx": "This is neither a CSV nor an XLSX file.",
    "broken-sheet.xlsx": "This is neither a CSV nor an XLSX file.",
    "broken-image.csv": "This is neither a CSV nor an XLSX file.",
    "hostile-bomb.xlsx": "The file is too big.",
    "hostile-far-cell.xlsx": "The first row must name the columns.",
    "hostile-cells.xlsx": "The file is too big.",
    "hostile-elements.xlsx": "The file is too big.",
    "hostile-strings.xlsx": "The file is too big.",
    "hostile-ranges.xlsx": "The first row must name the columns.",
    "hostile-entities.xlsx": "This is neither a CSV nor an XLSX file.",
}
IN_CODE_PAGES = {f"program-{language}.csv": names for language, (_page, names) in IN_LANGUAGES.items()}
IN_CODE_PAGES |= {f"other-{code_page}.csv": names for code_page, names in OTHERS.items()}


@pytest.fixture
def service(upstream):
    """The service accepts clinics; the rows that it got."""
    got: list[tuple[str, str]] = []

    def create(request):
        items = json.loads(request.body)["items"]
        got.extend((item["name"], item["countryCode"]) for item in items)
        rows = [{"index": index, "ok": True} for index in range(len(items))]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", BULK, create)
    return got


def send(client, file, *, language="en", **fields):
    upload = SimpleUploadedFile(file, Path(FOLDER, file).read_bytes())
    return client.post(f"{IMPORT}?lng={TAGS[language]}", {"file": upload, **fields})


def page(response):
    html = response.content.decode()
    audit(html, lng=response.headers["Content-Language"])
    return unescape(html)


def answer(client, response, **fields):
    """Answer what a page asks; what is not given stays as the page has it."""
    html = page(response)
    hidden = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', html))
    checked = dict(re.findall(r'<input type="radio" name="(\w+)" value="(\w+)" checked', html))
    return client.post(IMPORT, hidden | checked | fields)


def test_every_file_has_a_test():
    asked = {"excel-sep.csv", "hand-other-heads.csv", "hand-other-heads.xlsx", "hand-twice.csv"}
    tested = {*IN_CODE_PAGES, *UNASKED, *REFUSED, *asked}
    assert len(tested) >= 40
    assert {path.name for path in FOLDER.iterdir()} == tested


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("language", [language for language in IN_LANGUAGES if language != "de"])
def test_a_file_is_read_in_the_code_page_of_the_readers_language(admin_client, service, language):
    code_page, names = IN_LANGUAGES[language]
    response = send(admin_client, f"program-{language}.csv", language=language)
    html = page(response)
    assert SPELLED in html
    assert f'value="{code_page}" checked' in html
    assert " · ".join(names) in html
    assert service == []
    answer(admin_client, response)
    assert service == [(name, "KR") for name in names]


@pytest.mark.req("DM-42", "LS-11", "SEC-28")
@pytest.mark.parametrize("file", [file for file in IN_CODE_PAGES if file != "program-de.csv"])
@pytest.mark.parametrize("reader", ["en", "ko"])
def test_a_file_of_another_language_is_offered_as_it_should_read(admin_client, service, file, reader):
    names = IN_CODE_PAGES[file]
    response = send(admin_client, file, language=reader)
    offered = re.findall(r'name="code_page" value="(\w+)"[^>]*><span><bdi translate=no>([^<]*)', page(response))
    right = [value for value, words in offered if words == " · ".join(names)]
    assert right
    answer(admin_client, response, code_page=right[0])
    assert service == [(name, "KR") for name in names]


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("file", UNASKED)
def test_a_file_without_doubt_is_read_at_once(admin_client, service, file):
    html = page(send(admin_client, file))
    assert "can be imported." in html
    assert service == UNASKED[file]


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("language", ["de", "en", "ko"])
def test_a_german_file_needs_no_choice_because_no_word_mixes_scripts(admin_client, service, language):
    page(send(admin_client, "program-de.csv", language=language))
    assert service == [(name, "KR") for name in IN_LANGUAGES["de"][1]]


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize(
    ("text", "code_page", "is_possible"),
    [
        ("J\u0434ger Dr\u0434ger", "cp1251", False),
        ("J\u03b4ger", "cp1253", False),
        ("J\u81e0er", "cp932", False),
        ("\u0411\u0435\u043b\u044b\u0439 \u0437\u0443\u0431 IT\u0448\u043d\u0438\u043a", "cp1251", True),
        ("ABC\u6b6f\u79d1 \u6b6f\u79d1ABC", "cp932", True),
        ("\u0e04\u0e25\u0e34\u0e19\u0e34\u0e01ABC", "cp874", True),
    ],
)
def test_a_reading_that_mixes_scripts_within_words_is_not_offered(text, code_page, is_possible):
    with override("en"):
        assert (code_page in possible(text.encode(code_page))) == is_possible


@pytest.mark.req("DM-42", "LS-11")
def test_the_readers_own_code_page_is_offered_even_if_it_mixes_scripts():
    with override("ru"):
        assert next(iter(possible("J\u0434ger".encode("cp1251")))) == "cp1251"


@pytest.mark.req("DM-42")
def test_a_first_line_that_tells_the_separator_is_no_row(admin_client, service):
    response = send(admin_client, "excel-sep.csv")
    html = page(response)
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
def test_a_head_that_is_there_twice_is_asked_about(admin_client, service):
    response = send(admin_client, "hand-twice.csv")
    assert COLUMNS in page(response)
    answer(admin_client, response, **{"column-name": "1", "column-country_code": "2"})
    assert service == [("B", "US")]


@pytest.mark.req("DM-42", "LS-12", "VA-36")
@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"column-name": "0", "column-country_code": ""}, "Choose the column of the file for “Country”."),
        ({"column-name": "0", "column-country_code": "0"}, "The column for “Country” is already chosen."),
        ({"column-name": "0", "column-country_code": "7"}, "Choose the column of the file for “Country”."),
        ({"column-name": "0", "column-country_code": "x"}, "Choose the column of the file for “Country”."),
    ],
)
def test_a_wrong_choice_of_columns_is_told_and_the_right_ones_stay(admin_client, service, chosen, told):
    response = answer(admin_client, send(admin_client, "hand-other-heads.csv"), **chosen)
    assert response.status_code == 422
    html = page(response)
    assert told in html
    assert '<option value="0" selected>' in html
    answer(admin_client, response, **{"column-name": "0", "column-country_code": "1"})
    assert service == TWO


@pytest.mark.req("DM-42", "LS-12", "SEC-27")
@pytest.mark.parametrize("file", REFUSED)
def test_what_can_not_be_read_is_refused(admin_client, service, file):
    response = send(admin_client, file)
    assert response.status_code == 422
    assert REFUSED[file] in page(response)
    assert service == []


@pytest.mark.req("DM-42")
def test_what_was_asked_for_is_still_asked_for_after_the_questions(admin_client, service):
    response = send(admin_client, "hand-other-heads.csv", overwrite="on")
    assert 'name="overwrite" value="on"' in page(response)


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("uploaded", ["", "x", "%%%%", "é", "QUJD"])
def test_a_file_that_a_stranger_puts_into_a_page_breaks_nothing(admin_client, service, uploaded):
    fields = {"uploaded": uploaded, "code_page": "rot13", "column-name": "9" * 9}
    assert admin_client.post(IMPORT, fields).status_code == 422


@pytest.mark.req("DM-42")
def test_what_is_asked_is_answered_as_json_too(admin_client, service):
    path = Path(FOLDER, "hand-other-heads.csv")
    body = admin_client.post(
        IMPORT, {"file": SimpleUploadedFile(path.name, path.read_bytes())}, headers={"Accept": "application/json"}
    ).json()
    assert (body["ok"], body["message"]) == (False, COLUMNS)
    assert set(body["item"]["column-name"]) == {"", "0", "1"}
