"""Each write is reported as done, refused, not done or unknown, in pages and in JSON."""

import json
from typing import Any

import pytest
import responses

from tests.support import factories
from tests.support.reading import is_unconfirmed

pytestmark = pytest.mark.sql

LIST = "/user-manage/clinic"
NEW = f"{LIST}/new"
EDIT = f"{LIST}/g-1/edit"
DELETE = f"{LIST}/g-1/delete"
ALL, ONE = "/v1/bizMainGroups", "/v1/bizMainGroups/g-1"
FORM_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
FORM_DATA = {
    "name": "Smile",
    "country_code": "FR",
    "dentist_count": "",
    "staff_count": "",
    "info": "",
    "form_id": FORM_ID,
}
JSON = {"Accept": "application/json"}

LOST: dict[str, dict[str, Any]] = {
    "524": {"status": 524},
    "502": {"status": 502, "body": "<html>Bad gateway</html>"},
    "504": {"status": 504, "body": ""},
    "520 twice": {"status": 520, "json": factories.refusal(10000)},
    "500 of somebody in front": {"status": 500, "body": "<html>Oops</html>"},
    "broken JSON": {"status": 200, "body": '{"id": "g-'},
    "empty page": {"status": 200, "body": "<html></html>"},
    "no answer": {"body": TimeoutError()},
    "closed": {"body": ConnectionResetError()},
}
NOT_DONE = {"500 with its code": (500, 10000, 502), "422": (422, 10002, 422), "409": (409, 13005, 409)}


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("POST", ALL, {"id": "g-2"})
    upstream.answers("PUT", ONE, {"version": 2})
    upstream.answers("DELETE", ONE)
    return administrator


def lose(upstream, method, path, case):
    """Answer these calls with something that leaves their outcome unknown."""
    upstream.raw(method, path, **LOST[case])


def keys(upstream):
    return [call.headers["Idempotency-Key"] for call in upstream.calls("POST", ALL)]


@pytest.mark.req("ER-05", "ER-20", "ER-34")
@pytest.mark.parametrize("case", LOST)
def test_a_creation_that_may_be_done_is_never_reported_as_failed(administrator, upstream, case):
    lose(upstream, "POST", ALL, case)
    response = administrator.post(NEW, FORM_DATA)
    html = response.content.decode()
    assert response.status_code in (502, 504)
    assert is_unconfirmed(html, "Add clinic")
    assert "Failed" not in html
    assert 'value="Smile"' in html, "what was typed stays"
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("ER-20")
@pytest.mark.parametrize("case", NOT_DONE)
def test_a_creation_that_was_not_done_is_reported_as_failed(administrator, upstream, case):
    status, code, page_status = NOT_DONE[case]
    upstream.answers("POST", ALL, factories.refusal(code), status=status)
    response = administrator.post(NEW, FORM_DATA)
    html = response.content.decode()
    assert response.status_code == page_status
    assert "Failed to create the clinic." in html
    assert "t confirm" not in html
    assert "raw words" not in html


@pytest.mark.req("ER-20")
def test_a_call_that_was_never_sent_is_reported_as_failed(administrator, upstream):
    upstream.raw("POST", ALL, body=responses.ConnectionError("refused"))  # type: ignore[attr-defined]
    html = administrator.post(NEW, FORM_DATA).content.decode()
    assert "Failed to create the clinic." in html
    assert "t confirm" not in html


@pytest.mark.req("ER-05")
@pytest.mark.parametrize("case", LOST)
def test_json_reports_the_same(administrator, upstream, case):
    lose(upstream, "POST", ALL, case)
    answer = administrator.post(NEW, FORM_DATA, headers=JSON).json()
    assert answer["ok"] is False
    assert (
        answer["message"] == "Add clinic: We couldn't confirm whether this worked. Check the list before you try again."
    )
    assert answer["traceId"]


@pytest.mark.req("ER-05")
def test_after_an_unknown_outcome_an_existing_object_is_reported(administrator, upstream):
    lose(upstream, "POST", ALL, "524")
    upstream.remove("GET", f"{ALL}/exist")
    upstream.answers_in_order("GET", f"{ALL}/exist", (200, {"resultCount": 0}), (200, {"resultCount": 1}))
    html = administrator.post(NEW, FORM_DATA).content.decode()
    assert "A clinic with this name now exists, so it was probably created." in html
    upstream.answers("POST", ALL, {"id": "g-2"})
    repeated = administrator.post(NEW, FORM_DATA)
    assert repeated.status_code == 303, "the service knows the key, and is asked again"
    first, second = keys(upstream)
    assert first == second


@pytest.mark.req("LS-18")
def test_a_form_sent_again_keeps_its_key_and_a_corrected_one_gets_another(administrator, upstream):
    upstream.answers("POST", ALL, factories.refusal(10000), status=500)
    for name in ("Smile", "Smile", "Smile 2"):
        administrator.post(NEW, {**FORM_DATA, "name": name})
    first, same, corrected = keys(upstream)
    assert first == same
    assert first != corrected


@pytest.mark.req("LS-18")
def test_another_form_with_the_same_values_has_another_key(administrator, upstream):
    upstream.answers("POST", ALL, factories.refusal(10000), status=500)
    administrator.post(NEW, FORM_DATA)
    administrator.post(NEW, {**FORM_DATA, "form_id": FORM_ID.replace("0", "1")})
    first, other = keys(upstream)
    assert first != other


@pytest.mark.req("ER-20")
def test_a_key_that_the_service_knows_with_other_values_has_its_own_sentence(administrator, upstream):
    upstream.answers("POST", ALL, factories.refusal(10006), status=409)
    response = administrator.post(NEW, FORM_DATA)
    html = response.content.decode()
    assert response.status_code == 409
    assert "You already submitted this. Check the list before you submit it again." in html
    assert "Failed" not in html


@pytest.mark.req("VA-14")
@pytest.mark.parametrize("headers", [{}, JSON])
def test_a_name_in_use_is_reported_before_anything_is_sent(administrator, upstream, headers):
    upstream.answers("GET", f"{ALL}/exist", {"resultCount": 1})
    response = administrator.post(NEW, FORM_DATA, headers=headers)
    assert response.status_code == 422
    assert "This name is already in use" in response.content.decode()
    assert upstream.calls("POST", ALL) == []


def test_a_failed_check_of_the_name_does_not_block_the_form(administrator, upstream):
    upstream.answers("GET", f"{ALL}/exist", factories.refusal(10000), status=500)
    assert administrator.post(NEW, FORM_DATA).status_code == 303


@pytest.mark.req("ER-05", "ER-20")
@pytest.mark.parametrize("case", LOST)
def test_an_edit_that_is_stored_is_done_although_its_answer_was_lost(administrator, upstream, case):
    lose(upstream, "PUT", ONE, case)
    stored = factories.clinic(name="Smile", countryCode="FR", version=2)
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.clinic()), (200, stored))
    response = administrator.post(EDIT, {**FORM_DATA, "version": "1"}, follow=True)
    assert "<bdi translate=no>Smile</bdi></a> was updated." in response.content.decode()


@pytest.mark.req("ER-05", "LS-17")
def test_an_edit_that_is_not_stored_is_unknown_and_shows_the_stored_values(administrator, upstream):
    lose(upstream, "PUT", ONE, "524")
    response = administrator.post(EDIT, {**FORM_DATA, "version": "1"})
    html = response.content.decode()
    assert response.status_code == 504
    assert is_unconfirmed(html, "Edit clinic")
    conflict = html.split('class="facts conflict"')[1].split("</dl>")[0]
    assert "Smile" in conflict
    assert "Clinic 1" in conflict


@pytest.mark.req("LS-17")
def test_an_own_change_is_not_reported_as_a_concurrent_one(administrator, upstream):
    """A 520 follows a PUT that was carried out; the replay is refused, because the stored version is newer."""
    upstream.answers_in_order("PUT", ONE, (520, factories.refusal(10000)), (412, factories.refusal(10005)))
    stored = factories.clinic(name="Smile", countryCode="FR", version=2)
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.clinic()), (200, stored))
    response = administrator.post(EDIT, {**FORM_DATA, "version": "1"}, follow=True)
    assert "<bdi translate=no>Smile</bdi></a> was updated." in response.content.decode()


@pytest.mark.req("ER-05")
@pytest.mark.parametrize("case", LOST)
def test_a_deletion_whose_answer_was_lost_is_done_if_the_clinic_is_gone(administrator, upstream, case):
    lose(upstream, "DELETE", ONE, case)
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.clinic()), (404, factories.refusal(10004)))
    response = administrator.post(DELETE, {"typed_name": "Clinic 1", "version": "1"})
    assert response.status_code == 303


@pytest.mark.req("ER-05")
def test_a_deletion_whose_answer_was_lost_is_unknown_while_the_clinic_exists(administrator, upstream):
    lose(upstream, "DELETE", ONE, "524")
    html = administrator.post(DELETE, {"typed_name": "Clinic 1", "version": "1"}).content.decode()
    assert is_unconfirmed(html, "Delete clinic")
    assert "Failed" not in html


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(
    ("path", "form"),
    [
        (NEW, FORM_DATA),
        (EDIT, {**FORM_DATA, "version": "1"}),
        (DELETE, {"typed_name": "Clinic 1", "version": "1"}),
        (f"{LIST}/g-1/team/new", {"name": "Front desk", "team_type": "GENERAL"}),
        (f"{LIST}/g-1/team/t-1/edit", {"name": "Front desk", "team_type": "GENERAL", "version": "1"}),
        (f"{LIST}/g-1/permissions/labs", {}),
        (f"{LIST}/g-1/user/u-1/delete", {"version": "1"}),
        (
            f"{LIST}/g-1/user/u-1/edit",
            {"name": "Ada", "user_type": "STAFF", "clinic_id": "g-1", "team_id": "", "version": "1"},
        ),
    ],
)
def test_every_write_answers_json_with_json(administrator, upstream, path, form):
    for method, call in (
        ("POST", "/v1/bizSubGroups"),
        ("PUT", "/v1/bizSubGroups/t-1"),
        ("PUT", "/v1/bizUsers/u-1"),
        ("DELETE", "/v1/bizUsers/u-1"),
    ):
        upstream.answers(method, call)
    response = administrator.post(path, form, headers=JSON)
    answer = json.loads(response.content)
    assert (response.status_code, answer["ok"]) == (200, True)
    assert answer["message"]
    assert answer["goto"].startswith("/user-manage/")


def test_json_of_an_invalid_form_names_its_fields(administrator, upstream):
    answer = administrator.post(NEW, {**FORM_DATA, "name": ""}, headers=JSON).json()
    assert answer["errors"] == {"name": ["Enter name"]}
    assert upstream.calls("POST", ALL) == []


@pytest.mark.req("LS-18", "ER-05")
def test_after_an_unknown_outcome_its_own_object_is_never_reported_as_in_use(administrator, upstream):
    """The form is sent again by a reload, after an invalid submission, or with the other button."""
    lose(upstream, "POST", ALL, "524")
    administrator.post(NEW, FORM_DATA)
    upstream.answers("GET", f"{ALL}/exist", {"resultCount": 1})
    assert administrator.post(NEW, {**FORM_DATA, "name": ""}).status_code == 422
    for form_data in (FORM_DATA, {**FORM_DATA, "another": "1"}):
        assert "already in use" not in administrator.post(NEW, form_data).content.decode()
    assert len(set(keys(upstream))) == 1


@pytest.mark.req("VA-14")
@pytest.mark.parametrize("path", [NEW, EDIT])
def test_a_name_in_use_that_the_service_reports_only_by_code_is_shown_at_the_name(administrator, upstream, path):
    for method, call in (("POST", ALL), ("PUT", ONE)):
        upstream.answers(method, call, factories.refusal(13007), status=409)
    response = administrator.post(path, {**FORM_DATA, "version": "1"})
    assert response.status_code == 409
    assert "This name is already in use" in response.content.decode()


@pytest.mark.req("ER-20")
def test_reasons_of_a_refused_edit_are_shown(administrator, upstream):
    reasons = [{"reason": "ONGOING_ORDERED_CASE", "count": 2}]
    upstream.answers("PUT", ONE, factories.refusal(13002, reasons=reasons), status=409)
    html = administrator.post(EDIT, {**FORM_DATA, "version": "1"}).content.decode()
    assert "2 ordered cases are still in progress." in html


@pytest.mark.req("ER-05")
def test_a_deletion_that_was_done_before_its_replay_is_done(administrator, upstream):
    """A 520 follows a DELETE that was carried out; the replay gets a 404."""
    upstream.answers_in_order("DELETE", ONE, (520, factories.refusal(10000)), (404, factories.refusal(10004)))
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.clinic()), (404, factories.refusal(10004)))
    response = administrator.post(DELETE, {"typed_name": "Clinic 1", "version": "1"}, follow=True)
    assert "<bdi translate=no>Clinic 1</bdi> was deleted." in response.content.decode()


def test_a_repeat_that_waits_too_long_keeps_the_input(administrator, upstream, deadlines):
    deadlines(request=0)
    response = administrator.post(NEW, FORM_DATA)
    html = response.content.decode()
    assert response.status_code == 504
    assert is_unconfirmed(html, "Add clinic")
    assert 'value="Smile"' in html


@pytest.mark.req("ER-05", "ER-07")
def test_maintenance_redirects_to_its_page_unless_an_outcome_is_unknown(administrator, upstream):
    upstream.answers("PUT", ONE, {"code": 18001}, status=503)
    assert administrator.post(EDIT, {**FORM_DATA, "version": "1"}).headers["Location"] == "/maintenance"
    lose(upstream, "PUT", ONE, "502")
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.clinic()), (503, {"code": 18001}))
    response = administrator.post(EDIT, {**FORM_DATA, "version": "1"})
    assert response.status_code == 502
    assert is_unconfirmed(response.content.decode(), "Edit clinic")
