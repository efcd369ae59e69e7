"""Drafts: the input of a form whose session has ended is restored for its author, and for no one else."""

import hashlib
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.core.signing import Signer
from django.test import Client
from django.utils import timezone

from console.forms import drafts
from console.models import Draft
from console.sessions.identity import sign_sender
from console.sessions.models import Grant
from tests.support import factories
from tests.support.page import Page

pytestmark = pytest.mark.sql

PAGE = "/user-manage/clinic/new"
FORM_DATA = {
    "name": 'Zahnärzte "am Park" & <Söhne>',
    "country_code": "DE",
    "dentist_count": "many",
    "staff_count": "3",
    "info": "One line\nand another",
    "back": "/user-manage/clinic?page=2",
}
DRAFT_TEXT = "Your entries are still here but not saved yet."


@pytest.fixture
def lose(client, admin_client, upstream):
    """Send a form after the session has ended; `sender` is the user for whom the form was rendered."""
    upstream.has_clinic()
    author = sign_sender(Grant.objects.get().admin_id_hash)

    def go(fields=FORM_DATA, *, page=PAGE, sender=author):
        Grant.objects.all().delete()
        response = client.post(page, {**fields, "sender": sender}, headers={"Referer": f"http://testserver{page}"})
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/login?next=")
        return response

    return go


class Values(HTMLParser):
    """The values of inputs and selected options that a browser would send."""

    def __init__(self, page):
        super().__init__()
        self.values = {}
        self.select = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "select":
            self.select = values["name"]
        if tag == "input":
            self.values.setdefault(values.get("name"), values.get("value", ""))
        if tag == "option" and "selected" in values:
            self.values[self.select] = values["value"]


@pytest.mark.req("AX-09", "RT-32", "DM-22")
def test_after_logging_in_again_the_form_has_the_input(client, lose, log_in):
    lose()
    log_in()
    response = client.get(PAGE)
    page = response.content.decode()
    assert response.status_code == 200
    assert DRAFT_TEXT in page
    values = Values(page).values
    names = ("name", "country_code", "dentist_count", "staff_count", "back")
    assert {name: values[name] for name in names} == {name: FORM_DATA[name] for name in names}


@pytest.mark.req("AX-09")
def test_a_draft_is_restored_once_and_nothing_is_sent_by_that(client, lose, log_in, upstream):
    lose()
    log_in()
    writes = len(upstream.calls("POST"))
    response = client.get(PAGE)
    assert response.cookies[drafts.COOKIE]["max-age"] == 0
    assert len(upstream.calls("POST")) == writes
    assert not Draft.objects.exists()
    assert DRAFT_TEXT not in client.get(PAGE).content.decode()


@pytest.mark.req("AX-09")
def test_another_page_does_not_restore_a_draft(client, lose, log_in):
    lose()
    log_in()
    assert DRAFT_TEXT not in client.get("/user-manage/clinic/g-1/edit").content.decode()
    assert DRAFT_TEXT not in client.get("/user-manage/clinic").content.decode()
    assert DRAFT_TEXT in client.get(PAGE).content.decode()


@pytest.mark.req("PM-06", "AX-09")
def test_another_administrator_never_sees_a_draft(client, lose, upstream):
    lose()
    upstream.answers("POST", "/v2/oauth/requestToken", {**factories.token(), "adminId": "a-2"})
    assert client.post("/login", {"email": "other@demo.example", "password": "Demo123!"}).status_code == 303
    page = client.get(PAGE).content.decode()
    assert DRAFT_TEXT not in page
    assert "Zahnärzte" not in page


@pytest.mark.req("PM-06")
def test_another_browser_of_the_same_administrator_does_not_get_a_draft(lose, upstream):
    lose()
    other = Client()
    upstream.may_log_in()
    other.post("/login", {"email": "admin@demo.example", "password": "Demo123!"})
    assert DRAFT_TEXT not in other.get(PAGE).content.decode()


@pytest.mark.req("PM-06")
def test_passwords_and_tokens_are_not_stored_and_the_row_is_not_readable(lose, monkeypatch):
    written: list[str] = []

    def seal(text: str) -> str:
        written.append(text)
        return "sealed"

    monkeypatch.setattr(drafts, "encrypt_text", seal)
    secret = {"new_password": "hunter2-a", "csrfmiddlewaretoken": "hunter2-b", "accessToken": "hunter2-c"}
    cookie = lose({**FORM_DATA, **secret}).cookies[drafts.COOKIE]
    assert "hunter2" not in written[0]
    row = Draft.objects.get()
    assert (row.content, row.key == cookie.value) == ("sealed", False)
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 15 * 60)


@pytest.mark.req("AX-09")
def test_a_draft_expires_after_a_quarter_of_an_hour(client, lose, log_in):
    lose()
    log_in()
    Draft.objects.update(created_at=timezone.now() - timedelta(minutes=16))
    assert DRAFT_TEXT not in client.get(PAGE).content.decode()
    assert not Draft.objects.exists()


@pytest.mark.parametrize("fields", [{**FORM_DATA, "info": "x" * 20_001}, {}])
def test_input_that_is_too_long_or_has_no_sender_is_not_stored(lose, fields):
    response = lose(fields, sender="" if not fields else "somebody")
    assert drafts.COOKIE not in response.cookies
    assert not Draft.objects.exists()


@pytest.mark.req("SEC-33")
@pytest.mark.parametrize("forge", ["plain hash", "unsigned", "changed", "signed for something else"])
def test_a_forged_sender_can_neither_plant_a_draft_nor_fill_the_database(client, lose, log_in, forge):
    identity = Grant.objects.get().admin_id_hash
    sender = {
        "plain hash": hashlib.sha256(b"a-1").hexdigest(),
        "unsigned": identity,
        "changed": sign_sender("0" + identity)[1:],
        "signed for something else": Signer(salt="other").sign(identity),
    }[forge]
    response = lose(sender=sender)
    assert drafts.COOKIE not in response.cookies
    assert not Draft.objects.exists()
    log_in()
    assert DRAFT_TEXT not in client.get(PAGE).content.decode()


@pytest.mark.req("SEC-33")
def test_the_number_of_drafts_per_sender_is_limited_to_the_newest(client, lose, log_in, monkeypatch):
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 3)
    first = lose()
    for number in range(4):
        lose({**FORM_DATA, "name": f"Clinic {number}"})
    assert Draft.objects.count() == 3
    lose(sender=sign_sender("somebody else"))
    assert Draft.objects.count() == 4, "another one's places are their own"
    assert first.cookies[drafts.COOKIE].value
    lose({**FORM_DATA, "name": "The last one"})
    log_in()
    assert 'value="The last one"' in client.get(PAGE).content.decode()


def test_a_wrong_cookie_changes_nothing(admin_client, upstream):
    upstream.has_clinic()
    admin_client.cookies[drafts.COOKIE] = "made-up"
    assert DRAFT_TEXT not in admin_client.get(PAGE).content.decode()


@pytest.mark.req("AX-09")
@pytest.mark.parametrize(
    ("page", "form"),
    [
        (PAGE, {**FORM_DATA, "another": "1"}),
        ("/user-manage/clinic/g-1/user/new", {"row": ["0"], "row-0-name": "Ada", "row-0-email": "ada@x.example"}),
        ("/user-manage/clinic/g-1/user/u-1/edit", {"name": "Ada", "teams_of": "g-1", "clinic_id": "g-1"}),
        ("/user-manage/clinic/g-1/permissions", {"allow_export": "off", "proof": "x"}),
    ],
)
def test_hidden_fields_are_not_reported_as_input_without_a_field(client, lose, log_in, page, form):
    lose(form, page=page)
    log_in()
    html = client.get(page).content.decode()
    assert DRAFT_TEXT in html
    assert "These fields no longer exist:" not in html


@pytest.mark.req("AX-09")
def test_a_value_whose_field_is_gone_is_shown(client, lose, log_in):
    lose({**FORM_DATA, "nickname": "Teeth & Co"})
    log_in()
    html = client.get(PAGE).content.decode()
    assert "These fields no longer exist:" in html
    assert "Teeth &amp; Co" in html


EDIT = "/user-manage/clinic/g-1/edit"
SENT_BEFORE_TEXT = "Nothing was saved. If you try again within 15 minutes, your entries will still be in the form."


@pytest.fixture
def edit(client, admin_client, upstream):
    """Send the form of a clinic, whose view reads the clinic first."""
    upstream.has_clinic()
    author = sign_sender(Grant.objects.get().admin_id_hash)

    def go(*, name=FORM_DATA["name"], **headers):
        form = {**FORM_DATA, "name": name, "staff_count": "3", "dentist_count": "1", "version": "1", "sender": author}
        return client.post(EDIT, form, headers={"Referer": f"http://testserver{EDIT}", **headers})

    return go


@pytest.mark.req("ER-34", "AX-09")
@pytest.mark.parametrize("status", [403, 429, 500, 502, 503, 524])
def test_a_form_whose_page_could_not_be_read_is_restored(client, edit, upstream, status):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.refusal(10000), status=status)
    response = edit()
    html = response.content.decode()
    assert response.status_code >= 400
    assert SENT_BEFORE_TEXT in html
    assert f'href="{EDIT}"' in html
    assert upstream.calls("PUT") == []
    upstream.has_clinic()
    page = client.get(EDIT).content.decode()
    assert DRAFT_TEXT in page
    assert Values(page).values["name"] == FORM_DATA["name"]
    assert not Draft.objects.exists()


@pytest.mark.req("ER-07")
def test_a_form_sent_during_maintenance_is_restored(client, edit, upstream):
    upstream.answers("PUT", "/v1/bizMainGroups/g-1", {"code": 18001}, status=503)
    assert edit().headers["Location"] == "/maintenance"
    assert Values(client.get(EDIT).content.decode()).values["name"] == FORM_DATA["name"]


@pytest.mark.req("ER-03", "RT-34")
@pytest.mark.parametrize("call", ["/v1/bizMainGroups/g-1", "/v1/bizDashboards/summary"], ids=["page", "counts"])
def test_a_form_for_which_a_read_failed_with_code_15001_is_restored(client, edit, upstream, call):
    upstream.answers("GET", call, factories.refusal(15001), status=500)
    assert edit(name="").headers["Location"] == "/520"
    assert upstream.calls("PUT") == []
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary())
    page = client.get(EDIT).content.decode()
    assert DRAFT_TEXT in page
    assert Values(page).values["staff_count"] == "3"


@pytest.mark.req("ER-03")
def test_a_write_that_may_be_done_is_not_stored_as_a_draft(edit, upstream):
    upstream.answers("PUT", "/v1/bizMainGroups/g-1", factories.refusal(15001), status=500)
    assert edit().headers["Location"] == "/520"
    assert not Draft.objects.exists()


def test_forms_of_deleted_objects_and_islands_are_not_stored(edit, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.refusal(10000), status=500)
    assert edit(Accept="application/json").status_code == 502
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.refusal(10004), status=404)
    assert SENT_BEFORE_TEXT not in edit().content.decode()
    assert not Draft.objects.exists()


@pytest.mark.req("AX-09", "ER-11", "RT-32", "DM-22")
def test_the_login_returns_to_the_form_with_its_values_which_can_be_saved(client, lose, log_in, upstream):
    goto = lose().headers["Location"]
    login = Page.from_response(client.get(goto))
    assert "Your session has expired" in login.messages[0]
    upstream.may_log_in()
    credentials = {"email": "admin@demo.example", "password": "Demo123!"}
    (form,) = (form for form in login.forms if "password" in form.fields)
    assert client.post("/login", {**form.values, **credentials}).headers["Location"] == PAGE
    (form,) = (form for form in Page.from_response(client.get(PAGE)).forms if "country_code" in form.fields)
    assert upstream.calls("POST", "/v1/bizMainGroups") == []
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-2"})
    assert client.post(PAGE, {**form.values, "dentist_count": "3"}).status_code == 303
    assert len(upstream.calls("POST", "/v1/bizMainGroups")) == 1


@pytest.mark.req("AX-09")
def test_chosen_permissions_are_restored(client, lose, log_in):
    path = "/user-manage/clinic/g-1/permissions"
    lose({"allow_export": "off"}, page=path)
    log_in()
    (form,) = (form for form in Page.from_response(client.get(path)).forms if "allow_export" in form.fields)
    assert form.values["allow_export"] == "off"
