"""An import reports its writes as done, not done or unknown, as a page and as JSON."""

import json
import re
import time
from html import unescape
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError

from console.models import StoredResult
from tests.support import factories
from tests.support.audit import audit
from tests.support.imports import step_url, upload
from tests.support.reading import one_line

pytestmark = pytest.mark.sql

LIST = "/user-manage/clinic"
IMPORT, BULK, CALL = f"{LIST}/import", "/v1/bizMainGroups/bulkCreate", "/v1/bizMainGroups"
FILE = "name,country\nAlpha,KR\nBeta,KR\n,KR\n"
WITH_EXISTING = "name,country\nAlpha,KR\nClinic 1,DE\n"
UNKNOWN = "We couldn't confirm whether this worked. Check the list before you try again."
ROW_UNKNOWN = "We couldn't confirm whether this worked."
AS_JSON = {"Accept": "application/json"}

LOST = {
    "bad gateway": (502, "{}", 502),
    "gateway timeout": (504, "{}", 502),
    "a timeout of the edge": (524, "{}", 504),
    "broken JSON": (200, '{"results": [', 502),
    "an empty page": (200, "", 502),
}
"""Status and body of the service's answer, and status of our response."""


@pytest.fixture
def service(upstream):
    """Let the service create clinics. `answer` replaces its answer to a real run; `omitted` rows are left out of it."""
    state = SimpleNamespace(answer=None, names_in_use=set(), omitted=set(), keys=[])

    def create(request):
        body = json.loads(request.body)
        if not body["dryRun"]:
            state.keys.append(request.headers["Idempotency-Key"])
            if state.answer:
                return state.answer[0], {}, state.answer[1]
        rows = []
        for index, item in enumerate(body["items"]):
            free = item["name"] not in state.names_in_use
            rows.append({"index": index, "ok": free, **({} if free else {"code": 13007, "field": "name"})})
        results = rows if body["dryRun"] else [row for row in rows if row["index"] not in state.omitted]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": results})

    upstream.callback("POST", BULK, create)
    return state


def send(client, text, *, headers=None, **data):
    return upload(client, IMPORT, text, headers=headers, **data)


def read_fields(page):
    """Return the hidden fields of the page's form."""
    html = page.content.decode()
    html = html[html.index('class="csv-import"') :].partition("</form>")[0]
    names = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', html)
    return {name: value for name, value in names if name != "csrfmiddlewaretoken"}


def results(page):
    """Return result and details of each row, by its first cell."""
    html = one_line(page.content.decode())
    audit(html)
    rows = re.findall(r"<tr>(.*?)</tr>", unescape(html.partition("<tbody>")[2]), re.DOTALL)
    cells = [[re.sub(r"<[^>]+>", " ", c).split() for c in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]
    return {" ".join(name): (" ".join(result), " ".join(text)) for name, _number, result, text, *_more in cells}


@pytest.mark.req("LS-11", "ER-20")
@pytest.mark.parametrize("kind", LOST)
def test_after_a_lost_answer_no_row_is_reported_as_failed(administrator, service, kind):
    plan = send(administrator, FILE)
    status, body, page_status = LOST[kind]
    service.answer = (status, body)
    page = administrator.post(IMPORT, read_fields(plan), follow=True)
    html = page.content.decode()
    assert page.status_code == page_status
    assert UNKNOWN in unescape(html)
    assert "Failed to" not in html
    assert results(page) == {
        "Alpha": ("Unknown", ROW_UNKNOWN),
        "Beta": ("Unknown", ROW_UNKNOWN),
        "–": ("Not imported", "Enter name"),
    }


@pytest.mark.req("LS-11", "LS-18")
def test_a_form_that_is_sent_again_after_a_lost_answer_has_the_same_key(administrator, service, monkeypatch):
    plan = send(administrator, FILE)
    later = time.time() + 61  # if they were signed again, the lines would differ
    monkeypatch.setattr("django.core.signing.time", SimpleNamespace(time=lambda: later))
    service.answer = LOST["gateway timeout"]
    page = administrator.post(IMPORT, read_fields(plan), follow=True)
    fields = read_fields(page)
    assert fields.pop("sent_before") == "1"
    assert fields == read_fields(plan)
    service.answer = None
    assert "2 rows were imported." in administrator.post(IMPORT, read_fields(page), follow=True).content.decode()
    first, second = service.keys
    assert first == second


@pytest.mark.req("LS-11", "LS-18")
def test_a_row_that_exists_when_it_is_sent_again_was_probably_imported(administrator, service):
    plan = send(administrator, FILE)
    service.answer = LOST["gateway timeout"]
    page = administrator.post(IMPORT, read_fields(plan), follow=True)
    service.answer, service.names_in_use = None, {"Alpha"}
    result = administrator.post(IMPORT, read_fields(page), follow=True)
    assert results(result)["Alpha"] == ("Unknown", "This now exists, so the row was probably imported.")
    assert results(result)["Beta"][0] == "Created"
    html = result.content.decode()
    assert "1 row was imported." in html
    assert "confirm whether this worked for 1 row." in html
    assert "1 row wasn&#39;t imported." in html, "the one without a name"


@pytest.mark.req("LS-11", "ER-20", "SEC-55")
@pytest.mark.parametrize("sent", ["the plan", "what the page offers"])
@pytest.mark.parametrize("second", [500, 503, 429])
def test_after_a_failed_second_try_the_first_one_is_still_unknown(administrator, service, upstream, second, sent):
    """That applies to rows that were to be created, and to those that were to be updated."""
    service.names_in_use = {"Clinic 1"}
    plan = send(administrator, WITH_EXISTING, overwrite="on")
    upstream.answers("PUT", CALL + "/g-1", {"version": 2})
    service.answer = LOST["bad gateway"]
    page = administrator.post(IMPORT, read_fields(plan), follow=True)
    service.answer = (second, '{"code": 10000}' if second == 500 else "{}")
    page = administrator.post(IMPORT, read_fields(plan if sent == "the plan" else page), follow=True)
    html = page.content.decode()
    assert (UNKNOWN in unescape(html)) == (second != 429), "that says what it is: too many requests"
    assert "Failed to" not in html
    assert results(page) == {"Alpha": ("Unknown", ROW_UNKNOWN), "Clinic 1": ("Unknown", ROW_UNKNOWN)}
    assert 'name="rejected"' not in html, "no file of what was not imported"
    assert sent == "the plan" or read_fields(page)["sent_before"] == "1"


@pytest.mark.req("LS-11", "SEC-55")
def test_an_update_that_failed_when_it_was_sent_again_is_unknown(administrator, service, upstream):
    service.names_in_use = {"Clinic 1"}
    plan = send(administrator, WITH_EXISTING, overwrite="on")
    upstream.answers("PUT", CALL + "/g-1", {}, status=429)
    result = administrator.post(IMPORT, {**read_fields(plan), "sent_before": "1"}, follow=True)
    assert results(result)["Clinic 1"] == ("Unknown", ROW_UNKNOWN)
    assert 'name="rejected"' not in result.content.decode()


@pytest.mark.req("LS-11", "SEC-55")
def test_a_key_that_the_service_knows_makes_the_import_unknown(administrator, service, upstream):
    """If the form is sent again in another language, the service knows its key, but with another body."""
    service.names_in_use = {"Clinic 1"}
    plan = send(administrator, WITH_EXISTING, overwrite="on")
    service.answer = (409, json.dumps(factories.refusal(10006)))
    page = administrator.post(IMPORT, read_fields(plan), follow=True)
    assert page.status_code == 409
    assert results(page) == {"Alpha": ("Unknown", ROW_UNKNOWN), "Clinic 1": ("Unknown", ROW_UNKNOWN)}
    upstream.remove("POST", BULK)
    upstream.answers("POST", BULK, {}, status=501)
    upstream.answers("POST", CALL, factories.refusal(10006), status=409)
    upstream.answers("PUT", CALL + "/g-1", {"version": 2})
    assert results(administrator.post(IMPORT, read_fields(page), follow=True))["Alpha"] == ("Unknown", ROW_UNKNOWN)


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-51", "SEC-55")
def test_a_second_try_whose_row_can_not_be_stored_is_unknown(administrator, service, without_rows):
    plan = send(administrator, FILE)
    without_rows()
    page = administrator.post(IMPORT, {**read_fields(plan), "sent_before": "1"}, follow=True)
    assert page.status_code == 503
    assert UNKNOWN in unescape(page.content.decode())
    assert "Failed to" not in page.content.decode()
    assert service.keys == []


@pytest.mark.req("LS-11", "ER-20")
@pytest.mark.parametrize(("status", "page_status"), [(500, 502), (422, 422)])
def test_a_failed_call_loses_nothing(administrator, service, status, page_status):
    plan = send(administrator, FILE)
    service.answer = (status, '{"code": 10000}')
    failed = administrator.post(IMPORT, read_fields(plan), follow=True)
    assert failed.status_code == page_status
    assert "Failed to import the rows." in failed.content.decode()
    assert "not known" not in failed.content.decode()
    assert results(failed)["Alpha"] == ("Will be created", "–")
    assert read_fields(failed) == read_fields(plan), "the same form: the service knows its key"


@pytest.mark.req("LS-11")
def test_a_row_that_the_answer_leaves_out_is_unknown(administrator, service):
    plan = send(administrator, FILE)
    service.omitted = {1}
    result = administrator.post(IMPORT, read_fields(plan), follow=True)
    assert result.status_code == 200
    assert results(result)["Alpha"] == ("Created", "–")
    assert results(result)["Beta"] == ("Unknown", ROW_UNKNOWN)
    assert "confirm whether this worked for 1 row." in result.content.decode()


@pytest.mark.req("LS-11", "DM-14")
def test_an_update_whose_answer_was_lost_is_unknown(administrator, service, upstream):
    service.names_in_use = {"Clinic 1"}
    plan = send(administrator, WITH_EXISTING, overwrite="on")
    upstream.answers("PUT", CALL + "/g-1", status=504)
    result = administrator.post(IMPORT, read_fields(plan), follow=True)
    assert results(result) == {"Clinic 1": ("Unknown", ROW_UNKNOWN), "Alpha": ("Created", "–")}


@pytest.mark.req("LS-11", "DM-14")
def test_updates_are_not_started_if_the_creation_is_unknown(administrator, service, upstream):
    service.names_in_use = {"Clinic 1"}
    plan = send(administrator, WITH_EXISTING, overwrite="on")
    upstream.answers("PUT", CALL + "/g-1", {"version": 2})
    service.answer = LOST["gateway timeout"]
    page = administrator.post(IMPORT, read_fields(plan), follow=True)
    assert results(page) == {
        "Alpha": ("Unknown", ROW_UNKNOWN),
        "Clinic 1": ("Not imported", "Failed to update the clinic."),
    }
    assert upstream.calls("PUT") == []
    service.answer = None
    assert "2 rows were imported." in administrator.post(IMPORT, read_fields(page), follow=True).content.decode()
    assert len(upstream.calls("PUT")) == 1


@pytest.mark.req("LS-11", "ER-20")
@pytest.mark.parametrize(("status", "page_status"), [(500, 502), (504, 502), (524, 504)])
def test_a_failed_check_is_not_reported_as_a_failed_import(administrator, upstream, status, page_status):
    upstream.answers("POST", BULK, {}, status=status)
    page = send(administrator, FILE)
    html = page.content.decode()
    audit(html)
    assert page.status_code == page_status
    assert "Failed to check the file." in html
    assert "not known" not in html
    answer = send(administrator, FILE, headers=AS_JSON)
    assert answer.status_code == page_status
    assert (answer.json()["ok"], answer.json()["message"]) == (False, "Failed to check the file.")


@pytest.mark.req("LS-11")
def test_each_step_is_answered_as_json(administrator, service):
    service.names_in_use = {"Clinic 1"}
    plan = send(administrator, WITH_EXISTING, headers=AS_JSON)
    assert plan.headers["Content-Type"] == "application/json"
    body = plan.json()
    assert set(body) == {"ok", "message", "item", "errors", "goto", "traceId"}
    assert (body["ok"], body["message"]) == (True, "1 row can be imported. 1 row already exists.")
    item = body["item"]
    assert (item["stage"], item["count"], item["exist"], item["labels"]) == ("plan", 1, 1, ["Name", "Country"])
    assert [(row["number"], row["cells"], row["result"]) for row in item["rows"]] == [
        (3, ["Clinic 1", "DE"], "Already exists"),
        (2, ["Alpha", "KR"], "Will be created"),
    ]
    more = administrator.post(step_url(plan), {"overwrite": "1"}, headers=AS_JSON, follow=True)
    assert more.json()["message"] == "2 rows can be imported."
    done = administrator.post(IMPORT, {"lines": item["lines"]}, headers=AS_JSON)
    assert done.status_code == 200
    assert done.json()["message"] == "1 row was imported. 1 row wasn't imported."
    assert done.json()["item"]["stage"] == "done"
    assert done.json()["item"]["lines"] == ""


@pytest.mark.req("LS-11", "ER-20")
def test_an_unknown_outcome_is_answered_as_json(administrator, service):
    item = send(administrator, FILE, headers=AS_JSON).json()["item"]
    service.answer = LOST["gateway timeout"]
    answer = administrator.post(IMPORT, {"lines": item["lines"]}, headers=AS_JSON)
    assert answer.status_code == 502
    body = answer.json()
    assert (body["ok"], body["message"], body["item"]["stage"]) == (False, UNKNOWN, "unknown")
    assert {tuple(row["details"]) for row in body["item"]["rows"]} == {(ROW_UNKNOWN,), ("Enter name",)}
    assert body["item"]["lines"] == item["lines"]


@pytest.mark.req("LS-12")
@pytest.mark.parametrize(
    ("data", "message", "errors"),
    [
        ({}, "Failed to check the file.", {"file": ["Choose a file"]}),
        (
            {"file": b"name,country\n"},
            "Failed to check the file.",
            {"file": ["The file has column names but no rows."]},
        ),
    ],
)
def test_a_file_that_can_not_be_imported_is_answered_as_json(administrator, service, data, message, errors):
    files = {name: SimpleUploadedFile("rows.csv", content) for name, content in data.items()}
    answer = administrator.post(IMPORT, files, headers=AS_JSON)
    assert answer.status_code == 422
    assert (answer.json()["ok"], answer.json()["message"], answer.json()["errors"]) == (False, message, errors)


def test_rows_that_are_not_ours_are_refused_as_json(administrator):
    answer = administrator.post(IMPORT, {"lines": "x"}, headers=AS_JSON)
    assert answer.status_code == 422
    assert answer.json()["message"] == "This page has expired. Choose the file again."


@pytest.mark.req("LS-10", "CO-17")
def test_an_export_that_can_not_be_made_is_answered_as_json(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.clinic()], total=101))
    answer = administrator.get("/user-manage/clinic/export?keyword=a", headers=AS_JSON)
    assert answer.status_code == 422
    assert answer.json()["message"] == "The list changed during the export. Export it again."
    assert answer.json()["goto"] == "/user-manage/clinic?keyword=a"


@pytest.mark.req("SEC-35")
@pytest.mark.parametrize("form_id", [None, "0f8fad5b-d9cb-469f-a165-70867728950e"])
def test_a_checked_file_that_is_sent_again_is_imported_once_with_any_form_id(administrator, service, form_id):
    lines = {"lines": read_fields(send(administrator, FILE))["lines"]}
    first = administrator.post(IMPORT, lines)["Location"]
    repeated = administrator.post(IMPORT, lines | ({"form_id": form_id} if form_id else {}))["Location"]
    assert b"2 rows were imported." in administrator.get(first).content
    assert repeated == first
    assert len(service.keys) == 1


@pytest.mark.req("SEC-35")
def test_a_file_that_is_checked_again_is_another_import_even_within_a_second(administrator, service, monkeypatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    for _ in range(2):
        lines = read_fields(send(administrator, FILE))["lines"]
        assert b"2 rows were imported." in administrator.post(IMPORT, {"lines": lines}, follow=True).content
    assert len(set(service.keys)) == 2


@pytest.mark.req("LS-11", "RT-44", "RT-40")
def test_the_result_of_an_import_is_shown_again_at_its_address_and_nothing_is_imported_again(administrator, service):
    plan = read_fields(send(administrator, FILE, back=f"{LIST}?keyword=a"))
    address = administrator.post(IMPORT, plan)["Location"]
    assert re.fullmatch(rf"{IMPORT}\?result=\d+", address)
    for _ in range(2):
        page = administrator.get(address)
        assert "2 rows were imported." in page.content.decode()
        assert f'href="{LIST}?keyword=a"' in page.content.decode()
        assert results(page) == {
            "Alpha": ("Created", "–"),
            "Beta": ("Created", "–"),
            "–": ("Not imported", "Enter name"),
        }
    assert len(service.keys) == 1


@pytest.mark.req("RT-44")
def test_after_an_hour_the_result_of_an_import_leads_to_its_start(administrator, service, monkeypatch):
    address = administrator.post(IMPORT, read_fields(send(administrator, FILE)))["Location"]
    later = time.time() + 3601
    monkeypatch.setattr("django.core.signing.time", SimpleNamespace(time=lambda: later))
    page = administrator.get(address)
    assert (page.status_code, b'type="file"' in page.content) == (200, True)


@pytest.mark.req("SEC-41")
def test_the_result_of_an_import_that_can_not_be_stored_is_shown_at_once(administrator, service, monkeypatch):
    plan = read_fields(send(administrator, FILE))

    def fail(*_args, **_options):
        raise DatabaseError

    monkeypatch.setattr(StoredResult.objects, "create", fail)
    page = administrator.post(IMPORT, plan)
    assert page.status_code == 200
    assert "2 rows were imported." in page.content.decode()


@pytest.mark.req("ER-07", "ER-22")
def test_rows_are_kept_when_maintenance_begins_before_they_are_imported(administrator, service):
    plan = read_fields(send(administrator, FILE))
    service.answer = (503, '{"code": 18001}')
    page = administrator.post(IMPORT, plan)
    html = unescape(page.content.decode())
    assert page.status_code == 503
    assert "Failed to import the rows." in html
    assert "The service is under maintenance." in html
    service.answer = None
    assert administrator.post(IMPORT, read_fields(page), follow=True).status_code == 200
    assert service.keys == [service.keys[0]] * 2
