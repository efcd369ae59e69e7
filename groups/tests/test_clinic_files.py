"""Clinics as CSV files: the list exported as it is shown, and clinics imported, row by row."""

import csv
import io
import json
import re
import uuid
from html import unescape
from types import SimpleNamespace

import pytest

from tests.support import factories
from tests.support.audit import audit
from tests.support.imports import upload
from tests.support.reading import one_line

EXPORT, IMPORT, LIST = "/user-manage/clinic/export", "/user-manage/clinic/import", "/user-manage/clinic"
CALL, BULK = "/v1/bizMainGroups", "/v1/bizMainGroups/bulkCreate"


@pytest.fixture
def creates(upstream):
    """The service creates clinics, except those with names in use; `bodies` are the requests that it received."""
    names_in_use = {"taken"}
    bodies = []

    def answer(request):
        body = json.loads(request.body)
        bodies.append(body)
        rows = []
        for index, item in enumerate(body["items"]):
            ok = item["name"].lower() not in names_in_use
            rows.append({"index": index, "ok": ok, **({} if ok else {"code": 13007, "field": "name"})})
            if ok and not body["dryRun"]:
                rows[-1]["id"] = f"g-{item['name']}"
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": sum(r["ok"] for r in rows), "results": rows})

    upstream.callback("POST", BULK, answer)
    return SimpleNamespace(bodies=bodies, names_in_use=names_in_use)


def read_rows(response):
    content = response.getvalue()
    assert response.status_code == 200, content[:500]
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def send(client, text, *, path=IMPORT, name="clinics.csv", **data):
    content = text if isinstance(text, bytes) else text.encode()
    return upload(client, path, content, name=name, **data)


def hidden(response, name, *, last=False):
    values = re.findall(rf'name="{name}" value="([^"]*)"', response.content.decode())
    return values[-1 if last else 0]


def step(client, page, *, path=IMPORT, rejected=False):
    """Send the form of a page: import the valid rows, or download the rejected ones."""
    data = {"lines": hidden(page, "lines", last=rejected), "form_id": hidden(page, "form_id", last=rejected)}
    response = client.post(path, data | ({"rejected": "1"} if rejected else {}))
    return client.get(response["Location"]) if response.status_code == 303 else response


@pytest.mark.req("LS-10", "DM-13")
def test_the_list_is_exported_as_it_is_shown(administrator, upstream):
    response = administrator.get(EXPORT + "?keyword=cli&sort=user_count&order=desc&country_code=KR&page=3&size=10")
    header, row = read_rows(response)
    assert header[:4] == ["Name", "Country", "Server location", "Users"]
    assert row[:4] == ["Clinic 1", "South Korea", "South Korea", "24"]
    assert row[header.index("Last activity")] == "2026-01-05T08:30:00+00:00"
    (call,) = upstream.calls("GET", CALL)
    for part in ("keyword=cli", "sort=userCount", "order=desc", "countryCode=KR", "page=1", "size=100"):
        assert part in call.url
    assert re.fullmatch(r'attachment; filename="clinics-\d{4}-\d\d-\d\d.csv"', response.headers["Content-Disposition"])
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert (response.headers["X-Content-Type-Options"], response.headers["Cache-Control"]) == ("nosniff", "no-store")


@pytest.mark.req("LS-10")
def test_all_pages_are_in_the_file(administrator, upstream):
    def page(request):
        first = (int(request.params["page"]) - 1) * int(request.params["size"])
        clinics = [factories.clinic(n) for n in range(230)][first : first + 100]
        return 200, {}, json.dumps(factories.listing(clinics, total=230))

    upstream.remove("GET", CALL)
    upstream.callback("GET", CALL, page)
    assert [row[0] for row in read_rows(administrator.get(EXPORT))[1:]] == [f"Clinic {n}" for n in range(230)]


@pytest.mark.req("LS-10")
@pytest.mark.parametrize("name", ["=SUM(A1)", "+82 2", "-x", "@home"])
def test_a_name_that_is_a_formula_is_harmless(administrator, upstream, name):
    upstream.answers("GET", CALL, factories.listing([factories.clinic(name=name)]))
    assert read_rows(administrator.get(EXPORT))[1][0] == f"'{name}"


@pytest.mark.req("CO-17")
def test_a_list_that_ends_early_is_not_exported_as_a_short_file(administrator, upstream):
    upstream.remove("GET", CALL)
    first, second = factories.listing([factories.clinic()], total=120), factories.listing([], total=120)
    upstream.answers_in_order("GET", CALL, (200, first), (200, second))
    response = administrator.get(EXPORT)
    assert response.status_code == 303
    assert "The list changed during the export." in administrator.get(LIST).content.decode()


@pytest.mark.req("LS-10", "LS-11", "DM-13", "DM-14")
def test_the_list_links_to_export_and_import_and_keeps_its_filters(administrator, visit):
    html = visit(LIST + "?keyword=cli&has_user=true").response.content.decode()
    assert f'href="{EXPORT}?keyword=cli&amp;has_user=true"' in html
    assert f'href="{IMPORT}"' in html


@pytest.mark.req("LS-11", "DM-14")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_the_page_of_an_import_says_what_it_needs(administrator, visit, lng):
    html = visit(IMPORT, lng=lng).response.content.decode()
    assert 'enctype="multipart/form-data"' in html
    assert f'href="{IMPORT}/template"' in html
    assert lng != "en-US" or "only new rows are imported. Empty cells" in html


@pytest.mark.req("LS-11", "DM-14")
def test_the_template_can_be_imported_as_it_is(administrator, creates):
    template = administrator.get(IMPORT + "/template")
    assert read_rows(template) == [
        ["Name", "Country", "Number of dentists", "Number of staff", "Info"],
        ["Harbor Dental", "US", "4", "9", ""],
    ]
    assert "1 row can be imported." in send(administrator, template.content).content.decode()


FILE = """Name;Country;Notes
Alpha;KR;x
;KR;x
Beta;germany;x
Gamma;Atlantis;x

alpha;us;x
Taken;US;x
Delta;us;x
"""


@pytest.mark.req("LS-11", "LS-12", "DM-14")
def test_a_dry_run_reports_each_row_and_writes_nothing(administrator, creates):
    response = send(administrator, FILE)
    assert response.status_code == 200
    html = response.content.decode()
    audit(html)
    assert "3 rows can be imported." in html
    assert "4 rows can&#39;t be imported." in html
    text = unescape(re.sub(r"<[^>]+>", "|", one_line(html)))
    for row, reason in (
        (3, "Enter name"),
        (5, "Unknown country"),
        (7, "Row 2 has the same name."),
        (8, "This name is already in use"),
    ):
        assert re.search(rf"\|{row}\|+Can't be imported\|+{reason}\|", text), reason
    (body,) = creates.bodies
    assert body["dryRun"] is True
    assert [(i["name"], i["countryCode"]) for i in body["items"]] == [
        ("Alpha", "KR"),
        ("Beta", "DE"),
        ("Gamma", "US"),
        ("Taken", "US"),
        ("Delta", "US"),
    ], "the one with an unknown country is checked as well"


@pytest.mark.req("LS-11", "LS-18", "DM-14")
def test_after_the_dry_run_the_valid_rows_are_imported_once(administrator, creates, upstream):
    plan = send(administrator, FILE)
    result = step(administrator, plan)
    repeated = step(administrator, plan)
    assert result.status_code == repeated.status_code == 200
    assert "3 rows were imported." in result.content.decode()
    assert "4 rows weren&#39;t imported." in result.content.decode()
    audit(result.content.decode())
    assert repeated.request["QUERY_STRING"] == result.request["QUERY_STRING"]
    _dry, body = creates.bodies
    assert body["dryRun"] is False
    assert [item["name"] for item in body["items"]] == ["Alpha", "Beta", "Delta"]
    dry, real = [call.headers["Idempotency-Key"] for call in upstream.calls("POST", BULK)]
    assert uuid.UUID(real).version == 4
    assert dry != real


@pytest.mark.req("LS-11", "DM-14")
def test_rejected_rows_are_returned_with_a_reason_and_can_be_corrected(administrator, creates):
    plan = send(administrator, FILE)
    header, *rows = read_rows(step(administrator, plan, rejected=True))
    assert header == ["Name", "Country", "Reason"]
    assert [row[-1] for row in rows][:2] == ["Enter name", "Unknown country"]
    assert rows[1][:2] == ["Gamma", "Atlantis"]
    corrected = io.StringIO(newline="")
    csv.writer(corrected).writerows([header, ["Epsilon", *rows[0][1:]], ["Gamma", "Greece", ""]])
    assert "2 rows can be imported." in send(administrator, corrected.getvalue()).content.decode()


@pytest.mark.req("LS-11", "DM-19")
def test_the_result_of_an_import_is_reported_once(administrator, creates):
    plan = send(administrator, FILE)
    html = one_line(step(administrator, plan).content.decode())
    alert = re.search(r'<div class="alert".*?</div></div>', html)
    assert alert
    assert re.findall(r"<p.*?>(.*?)</p>", alert[0]) == ["3 rows were imported.", "4 rows weren&#39;t imported."]


@pytest.mark.req("LS-11", "VA-36")
def test_a_file_may_contain_the_numbers_and_the_info(administrator, creates):
    head = "name,country,number of dentists,Number of staff,info"
    html = send(administrator, f"{head}\nAlpha,KR,4,٩,By the harbour\nBeta,KR,many,,\n").content.decode()
    assert "Enter a whole number from 0 to 9999." in html
    assert creates.bodies[0]["items"][0] == {
        "name": "Alpha",
        "countryCode": "KR",
        "dentistCount": 4,
        "staffCount": 9,
        "info": "By the harbour",
    }


@pytest.mark.req("LS-11", "LS-18")
def test_another_file_from_the_same_page_is_another_import(administrator, creates, upstream):
    form_id = hidden(administrator.get(IMPORT), "form_id")
    keys = set()
    for name in ("Alpha", "Beta"):
        plan = send(administrator, f"name,country\n{name},KR\n", form_id=form_id)
        fields = {"lines": hidden(plan, "lines"), "form_id": form_id}
        assert "1 row was imported." in administrator.post(IMPORT, fields, follow=True).content.decode()
        keys.add(upstream.calls("POST", BULK)[-1].headers["Idempotency-Key"])
    assert [body["items"][0]["name"] for body in creates.bodies if not body["dryRun"]] == ["Alpha", "Beta"]
    assert len(keys) == 2, "the service refuses a key that it knows with other rows (code 10006)"


@pytest.mark.req("LS-11", "LN-01")
def test_switching_the_language_between_the_steps_breaks_nothing(administrator, creates):
    plan = send(administrator, "name,country\nAlpha,대한민국\nBeta,KR\n", path=IMPORT + "?lng=ko-KR")
    fields = {"lines": hidden(plan, "lines"), "form_id": hidden(plan, "form_id")}
    html = administrator.post(IMPORT + "?lng=en-US", fields, follow=True).content.decode()
    assert "1 row was imported." in html
    assert "Unknown country" in html


@pytest.mark.req("LS-11")
def test_an_unknown_reason_is_reported_as_such(administrator, upstream):
    row = {"index": 0, "ok": False, "code": 19999}
    upstream.answers("POST", BULK, {"resultCount": 1, "okCount": 0, "results": [row]})
    html = send(administrator, "name,country\nAlpha,KR\n").content.decode()
    assert "The service couldn&#39;t check this row or didn&#39;t accept it." in html
    assert "0 rows can be imported." in html


@pytest.mark.req("LS-11", "LS-17")
def test_a_row_whose_name_came_into_use_after_the_dry_run_is_reported_and_returned(administrator, creates):
    plan = send(administrator, "name,country\nAlpha,KR\nBeta,KR\n")
    creates.names_in_use.add("beta")
    result = step(administrator, plan)
    assert "1 row was imported." in result.content.decode()
    assert "1 row wasn&#39;t imported." in result.content.decode()
    assert read_rows(step(administrator, result, rejected=True))[1:] == [["Beta", "KR", "This name is already in use"]]


@pytest.mark.req("LS-11")
def test_without_the_bulk_call_the_service_is_called_row_by_row(administrator, upstream):
    upstream.answers("POST", BULK, {}, status=501)
    upstream.answers("GET", CALL + "/exist", {"resultCount": 0})
    upstream.answers("POST", CALL, {"id": "g-9"})
    plan = send(administrator, "name,country\nAlpha,KR\nBeta,KR\n")
    assert "2 rows can be imported." in plan.content.decode()
    assert upstream.calls("POST", CALL) == []
    assert "2 rows were imported." in step(administrator, plan).content.decode()
    assert len(upstream.calls("POST", CALL)) == 2


@pytest.mark.req("LS-12", "CO-17")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty."),
        (b"Name,Country\n", "no rows"),
        (b"\n\n", "The first row must contain the column names."),
        (b"PK\x03\x04\x00\x00", "This isn&#39;t a CSV or XLSX file."),
        (b"Name,Country\n" + b"Alpha,KR\n" * 101, "The file has 101 rows. You can import up to 100"),
        (b"Name,Country\n" + b"x" * 1024 * 1024, "The limit is 1 MB."),
        (b"x" * 3 * 1024 * 1024, "The limit is 1 MB."),
    ],
)
def test_a_file_that_can_not_be_imported_is_reported(administrator, creates, content, message):
    response = send(administrator, content)
    assert response.status_code == 422
    assert message in response.content.decode()
    audit(response.content.decode())
    assert creates.bodies == []


def test_without_a_file_it_asks_for_one(administrator):
    response = administrator.post(IMPORT, {})
    assert response.status_code == 422
    assert "Choose a file" in response.content.decode()


@pytest.mark.req("CO-17")
def test_a_hundred_rows_fit(administrator, creates):
    response = send(administrator, "Name,Country\n" + "".join(f"Clinic {n},KR\n" for n in range(100)))
    assert "100 rows can be imported." in response.content.decode()
    assert "100 rows were imported." in step(administrator, response).content.decode()


@pytest.mark.req("LS-10", "LS-11")
def test_an_export_can_be_imported_formulas_included(administrator, creates, upstream):
    names = ["=SUM(A1)", "'=x", "Clinic, 1", 'The "best"', "عيادة"]
    upstream.answers("GET", CALL, factories.listing([factories.clinic(n, name=name) for n, name in enumerate(names)]))
    send(administrator, administrator.get(EXPORT).getvalue())
    assert [(item["name"], item["countryCode"]) for item in creates.bodies[0]["items"]] == [(n, "KR") for n in names]


@pytest.mark.req("LS-10", "LN-01")
def test_an_export_in_another_language_can_be_imported(administrator, creates):
    export = administrator.get(EXPORT + "?lng=ko-KR").getvalue()
    _header, row, *_ = csv.reader(io.StringIO(export.decode("utf-8-sig"), newline=""))
    assert row[:2] == ["Clinic 1", "대한민국"]
    send(administrator, export, path=IMPORT + "?lng=ko-KR")
    assert creates.bodies[0]["items"][0]["countryCode"] == "KR"


@pytest.mark.parametrize("lines", ["x", "", "eyJ9:1:2"])
def test_rows_that_the_console_did_not_sign_are_refused(administrator, creates, lines):
    for more in ({}, {"rejected": "1"}):
        assert administrator.post(IMPORT, {"lines": lines, **more}).status_code == 422
    assert creates.bodies == []


@pytest.mark.req("PM-20")
def test_rows_of_another_import_are_refused(administrator, creates):
    plan = send(administrator, "name,country\nAlpha,KR\n")
    response = administrator.post("/user-manage/clinic/g-1/user/import", {"lines": hidden(plan, "lines")})
    assert response.status_code == 422
    assert len(creates.bodies) == 1
