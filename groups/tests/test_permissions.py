"""The five permissions of a clinic and of a user: shown with their effects, changed one by one or all at once."""

import json
import re
import time
from html import unescape
from urllib.parse import urlsplit

import pytest

from console.audit.content import Change, Content
from console.models import Activity
from tests.support import factories
from tests.support.bulk import has_users
from tests.support.reading import is_unconfirmed, one_line

pytestmark = pytest.mark.sql

CLINIC = "/user-manage/clinic/g-1/permissions"
USER = "/user-manage/clinic/g-1/user/u-1/permissions"
CLINIC_CALL = "/v1/bizMainGroups/g-1/permissions"
USER_CALL = "/v1/bizUsers/u-1/permissions"
FORM = "form.permissions"
NAMES = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")


@pytest.fixture
def administrator(administrator, upstream):
    for path in (CLINIC_CALL, USER_CALL):
        upstream.answers("PUT", path, {"version": 3})
    return administrator


def sent(upstream, path=CLINIC_CALL):
    return [json.loads(call.body)["permissions"] for call in upstream.calls("PUT", path)]


@pytest.mark.req(
    "PM-07", "PM-08", "PM-09", "PM-10", "PM-11", "PM-12", "EN-72", "EN-73", "EN-74", "EN-75", "EN-76", "EN-77"
)
@pytest.mark.parametrize("path", [CLINIC, USER])
def test_all_five_are_shown(administrator, visit, path):
    page = visit(path)
    html = page.response.content.decode()
    for label in ("orders to listed labs", "exports", "case conversion", "Case Talk", "downloads"):
        assert f"Allow {label}" in html
    assert set(re.findall(r'type="radio" name="(\w+)"', html)) == set(NAMES)


def test_the_name_and_the_email_of_the_user_are_two_facts(visit, administrator):
    assert visit(USER).texts(".page-head .facts-line li") == ["User 1", "user1@clinic.example"]


@pytest.mark.req("PM-13", "PM-14", "PM-15", "PM-16", "PM-17", "PM-18")
def test_each_permission_shows_when_a_change_takes_effect(administrator):
    answer = administrator.get(CLINIC).content.decode()
    assert answer.count("Takes effect the next time users log in to the desktop app.") >= 2
    assert "Takes effect immediately on the web, and in the desktop app the next time users log in." in answer
    assert "Takes effect on the web immediately." in answer
    assert "Users can order only from the labs selected for their clinic." in answer


@pytest.mark.req("PM-08", "UC-04")
def test_the_form_without_javascript_saves_the_chosen_settings(administrator, upstream):
    response = administrator.post(CLINIC, open_form(administrator) | {"allow_export": "off", "allow_order": "off"})
    assert (response.status_code, response.headers["Location"]) == (303, CLINIC)
    assert sent(upstream) == [{"allowExport": False, "allowOrder": False}]
    assert upstream.calls("PUT")[0].headers["If-Match"] == '"2"'


@pytest.mark.req("PM-12", "EN-77")
def test_the_island_changes_one_permission_and_gets_the_settings_in_force(administrator, upstream):
    after, proof = factories.permissions(version=3, allowExport=False), get_proof(administrator)
    upstream.answers("GET", CLINIC_CALL, after)
    before = len(upstream.calls())
    response = administrator.post(
        CLINIC, {"allow_export": "off", "version": "2", "proof": proof}, headers={"Accept": "application/json"}
    )
    answer = response.json()
    assert (response.status_code, answer["ok"]) == (200, True)
    assert plain(answer["message"]) == "“Allow exports” is off for Clinic 1."
    assert sent(upstream) == [{"allowExport": False}]
    assert answer["item"]["version"] == 3
    assert {t["name"]: t["value"] for t in answer["item"]["toggles"]}["allow_export"] is False
    write, *reads = [(call.method, urlsplit(call.url).path) for call in upstream.calls()[before:]]
    assert write == ("PUT", CLINIC_CALL)
    assert sorted(reads) == [("GET", "/v1/bizMainGroups/g-1"), ("GET", CLINIC_CALL)], (
        "whose it is, and what is in force"
    )


@pytest.mark.req("PM-12")
def test_users_with_their_own_setting_are_reset_by_a_plan(administrator, upstream):
    settings = factories.permissions() | {"ownSettings": {"allowExport": {"on": 2, "off": 1}}}
    upstream.answers("GET", CLINIC_CALL, settings)
    html = administrator.get(CLINIC).content.decode()
    assert 'form="reset-allow_export">Reset to clinic setting</button>' in html
    form = html.partition('<form id="reset-allow_export"')[2].partition("</form>")[0]
    fields = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    has_users(upstream, 3)
    plan = administrator.post("/user-manage/clinic/g-1/user/bulk/permissions", fields).content.decode()
    assert any("ownPermission=allowExport" in call.url for call in upstream.calls("GET", "/v1/bizUsers"))
    assert "Change permissions for 3 users" in plan
    assert re.search(r'name="allow_export" value="inherit"[^>]* checked', plan)
    assert f'href="{CLINIC}">Cancel</a>' in plan


@pytest.mark.req("PM-12")
@pytest.mark.parametrize(
    ("value", "overrides", "text"),
    [
        (
            False,
            {"on": 2, "off": 1},
            'Off for 21 users. <a href="{list}">3 users have their own setting (on: 2, off: 1)</a>',
        ),
        (True, {"on": 0, "off": 1}, 'On for 23 users. <a href="{list}">1 user has their own setting (off)</a>'),
        (True, {"on": 23, "off": 0}, 'On for 1 user. <a href="{list}">23 users have their own setting (all on)</a>'),
        (
            False,
            {"on": 0, "off": 3},
            'Off for 21 users. <a href="{list}">3 users have their own setting (all off)</a>',
        ),
        (True, {"on": 1, "off": 0}, 'On for 23 users. <a href="{list}">1 user has their own setting (on)</a>'),
        (False, {"on": 0, "off": 0}, "Off for 24 users."),
        # A count that can't be true is not shown.
        (
            True,
            {"on": 40, "off": 0},
            "On for this clinic's users, except those with their own setting. "
            '<a href="{list}">40 users have their own setting (all on)</a>',
        ),
        (False, None, "Off for this clinic's users, except those with their own setting."),
        # Nor is one that can only be read in part.
        (True, {"on": "many", "off": 0}, "On for this clinic's users, except those with their own setting."),
    ],
)
def test_a_clinics_permission_shows_how_many_users_it_reaches(administrator, upstream, value, overrides, text):
    current = factories.permissions(allowExport=value) | (
        {"ownSettings": {"allowExport": overrides}} if overrides else {}
    )
    upstream.answers("GET", CLINIC_CALL, current)
    html = administrator.get(CLINIC).content.decode()
    reach = re.findall(r'id="source-allow_export">(.*?)</span>', unescape(one_line(html)))
    assert reach == [text.format(list="/user-manage/clinic/g-1/user?own_permission=allow_export")]


@pytest.mark.req("PM-12", "CO-08")
@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (None, "off for Clinic 1."),
        ({"on": 0, "off": 3}, "off for 21 users in Clinic 1."),
        ({"on": 3, "off": 0}, "off for 21 users in Clinic 1. Still on for 3 users with their own setting."),
        ({"on": 1, "off": 22}, "off for 1 user in Clinic 1. Still on for 1 user with their own setting."),
        (
            {"on": 20, "off": 4},
            "off for Clinic 1, but no user follows the clinic setting. Still on for 20 users with their own setting.",
        ),
        # A count that can't be true is not shown.
        ({"on": 40, "off": 0}, "off for Clinic 1. Still on for 40 users with their own setting."),
    ],
)
def test_the_message_about_a_clinic_names_each_change_its_state_and_the_users(
    administrator, upstream, visit, overrides, message
):
    settings = {"ownSettings": {"allowExport": overrides}} if overrides else {}
    upstream.answers("GET", CLINIC_CALL, factories.permissions(allowExport=False) | settings)
    form = {"allow_export": "off", "allow_download": "on", "version": "2"}
    administrator.post(CLINIC, form)
    assert visit(CLINIC).messages == [f"“Allow exports” is {message} “Allow downloads” is on for Clinic 1."]


@pytest.mark.req("PM-12", "CO-08")
@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"on": 1, "off": 2}, "on for 21 users in Clinic 1. Still off for 2 users with their own setting."),
        (
            {"on": 0, "off": 24},
            "on for Clinic 1, but no user follows the clinic setting. Still off for 24 users with their own setting.",
        ),
    ],
)
def test_the_message_about_a_clinic_counts_the_users_for_whom_it_stays_off(
    administrator, upstream, visit, overrides, message
):
    upstream.answers("GET", CLINIC_CALL, factories.permissions() | {"ownSettings": {"allowExport": overrides}})
    administrator.post(CLINIC, {"allow_export": "on", "version": "2"})
    assert visit(CLINIC).messages == [f"“Allow exports” is {message}"]


@pytest.mark.req("CO-08")
def test_the_message_about_a_clinic_without_users_counts_none(administrator, upstream, visit):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(userCount=0))
    settings = {"ownSettings": {"allowExport": {"on": 0, "off": 0}}}
    upstream.answers("GET", CLINIC_CALL, factories.permissions() | settings)
    administrator.post(CLINIC, {"allow_export": "on", "version": "2"})
    assert visit(CLINIC).messages == ["“Allow exports” is on for Clinic 1."]


@pytest.mark.req("PM-19", "CO-08")
@pytest.mark.parametrize(
    ("chosen", "stored", "message"),
    [
        ("off", {"value": False, "source": "OWN"}, "“Allow exports” is off for Person 1."),
        ("on", {"value": True, "source": "OWN"}, "“Allow exports” is on for Person 1."),
        ("inherit", {"value": True, "source": "MAIN_GROUP"}, "“Allow exports” is on for Person 1 (clinic setting)."),
        (
            "inherit",
            {"value": False, "source": "MAIN_GROUP"},
            "“Allow exports” is off for Person 1 (clinic setting).",
        ),
    ],
)
def test_the_message_about_a_user_names_the_change_its_state_and_the_user(
    administrator, upstream, chosen, stored, message
):
    now = factories.permissions(owner="USER", source="MAIN_GROUP")
    now["permissions"]["allowExport"] = stored
    upstream.answers("GET", USER_CALL, now)
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(name="Person 1"))
    form = {"allow_export": chosen, "version": "2"}
    answer = administrator.post(USER, form, headers={"Accept": "application/json"}).json()
    assert plain(answer["message"]) == message


@pytest.mark.req("PM-19")
def test_a_user_follows_the_clinic_or_has_a_setting_of_their_own(administrator, upstream, visit):
    form = visit(USER).form(FORM)
    assert form.options("allow_export") == {"inherit": "Clinic setting (on)", "on": "On", "off": "Off"}
    assert form.values["allow_export"] == "inherit"
    assert upstream.calls("GET", CLINIC_CALL) == [], "the user's settings say what those of the clinic are"


@pytest.mark.req("PM-19")
@pytest.mark.parametrize(
    ("status", "settings", "label"),
    [
        (200, factories.permissions(), "Clinic setting (on)"),
        (200, factories.permissions(allowExport=False), "Clinic setting (off)"),
        (502, factories.refusal(10000), "Clinic setting"),
    ],
)
def test_a_user_with_their_own_setting_sees_that_of_the_clinic(administrator, upstream, visit, status, settings, label):
    upstream.answers("GET", USER_CALL, factories.permissions(owner="USER", source="OWN"))
    upstream.answers("GET", CLINIC_CALL, settings, status=status)
    assert visit(USER).form(FORM).options("allow_export") == {"inherit": label, "on": "On", "off": "Off"}
    form = {"allow_export": "off", "version": "2"}
    answer = administrator.post(USER, form, headers={"Accept": "application/json"}).json()
    assert {t["name"]: t["inherit_label"] for t in answer["item"]["toggles"]}["allow_export"] == label


@pytest.mark.req("PM-19")
def test_a_users_value_shows_its_source_and_can_follow_the_clinic_again(administrator, upstream):
    assert "On (clinic setting)" in administrator.get(USER).content.decode()
    administrator.post(USER, {"allow_export": "inherit", "version": "2"})
    assert sent(upstream, USER_CALL) == [{"allowExport": None}]


def test_a_clinic_can_not_inherit_a_permission(administrator, upstream):
    response = administrator.post(CLINIC, {"allow_export": "inherit"})
    assert response.status_code == 422
    assert sent(upstream) == []


@pytest.mark.req("ER-29", "ER-34", "ER-33")
@pytest.mark.parametrize("path", [CLINIC, USER])
@pytest.mark.parametrize(
    ("status", "code", "expected_status"), [(500, 10000, 502), (409, 13010, 409), (422, 10002, 422)]
)
def test_a_refusal_keeps_the_choices_and_is_reported(administrator, upstream, path, status, code, expected_status):
    for call in (CLINIC_CALL, USER_CALL):
        upstream.answers("PUT", call, factories.refusal(code), status=status)
    response = administrator.post(path, dict.fromkeys(NAMES, "off") | {"version": "2"})
    html = response.content.decode()
    assert response.status_code == expected_status
    assert "Failed to update the permissions." in html
    assert "raw words" not in html
    assert html.count('value="off" checked') == 5, "what was chosen stays"
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("ER-29")
def test_the_island_gets_the_state_in_force_with_the_refusal(administrator, upstream):
    upstream.answers("PUT", CLINIC_CALL, factories.refusal(10000), status=500)
    response = administrator.post(
        CLINIC, {"allow_export": "off", "version": "2"}, headers={"Accept": "application/json"}
    )
    answer = response.json()
    assert (response.status_code, answer["ok"]) == (502, False)
    assert answer["message"] == "Failed to update the permissions."
    assert {t["name"]: t["value"] for t in answer["item"]["toggles"]}["allow_export"] is True


@pytest.mark.req("ER-34")
def test_a_change_is_not_reported_as_failed_if_the_read_after_it_fails(administrator, upstream):
    form = {"allow_export": "off", "version": "2", "proof": get_proof(administrator)}
    upstream.answers("GET", CLINIC_CALL, factories.refusal(10000), status=500)
    response = administrator.post(CLINIC, form, headers={"Accept": "application/json"})
    answer = response.json()
    assert (response.status_code, answer["ok"], answer["message"]) == (200, True, "Permissions updated.")
    assert {t["name"]: t["value"] for t in answer["item"]["toggles"]}["allow_export"] is False
    assert answer["item"]["version"] == 3, "the version that the service told with the change"


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("proof", ["", "forged", "of the user"])
def test_a_switch_without_the_proof_of_its_page_reads_the_owner_first(administrator, upstream, proof):
    proof = get_proof(administrator, USER) if proof == "of the user" else proof
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(organizationId="o-2"))
    form = {"allow_export": "off", "version": "2", "proof": proof}
    assert administrator.post(CLINIC, form, headers={"Accept": "application/json"}).status_code == 404
    assert sent(upstream) == []


def plain(text):
    """Return a text without the isolation marks around names."""
    return re.sub("[\u2066-\u2069]", "", text)


def get_proof(administrator, path=CLINIC):
    """Return the proof that a page of permissions sends."""
    return re.findall(r'name="proof" value="([^"]+)"', administrator.get(path).content.decode())[0]


def checked(html):
    return dict(re.findall(r'type="radio" name="(\w+)" value="(\w+)" checked', html))


def page_form(html):
    """Return the values that the form of a page sends when no switch is pressed."""
    return checked(html) | dict(re.findall(r'name="(proof|version)" value="([^"]+)"', html))


def open_form(administrator, path=CLINIC):
    """Open a page, and return the values that its form sends."""
    return page_form(administrator.get(path).content.decode())


@pytest.mark.req("LS-17", "PM-12")
def test_only_changed_permissions_are_sent(administrator, upstream):
    administrator.post(CLINIC, open_form(administrator) | {"allow_export": "off"})
    assert sent(upstream) == [{"allowExport": False}]


@pytest.mark.req("LS-17")
def test_a_stale_form_shows_the_changes_of_others_and_asks_about_its_own(administrator, upstream):
    form = open_form(administrator) | {"allow_export": "off"}
    upstream.remove("GET", CLINIC_CALL)
    upstream.remove("PUT", CLINIC_CALL)
    upstream.answers_in_order("PUT", CLINIC_CALL, (412, factories.refusal(10005)), (200, {"version": 10}))
    newest = factories.permissions(version=9, allowDownload=False)
    upstream.answers("GET", CLINIC_CALL, newest)
    response = administrator.post(CLINIC, form)
    html = response.content.decode()
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    assert response.headers["X-Request-ID"] in html
    assert 'name="version" value="9"' in html
    assert checked(html) == {**dict.fromkeys(NAMES, "on"), "allow_export": "off", "allow_download": "off"}
    administrator.post(CLINIC, page_form(html))
    assert sent(upstream)[-1] == {"allowExport": False}, "what the other one switched off stays off"


@pytest.mark.req("LS-17", "PM-19")
def test_a_stale_form_of_a_user_shows_both_values(administrator, upstream):
    form = open_form(administrator, USER) | {"allow_export": "on"}
    upstream.remove("GET", USER_CALL)
    upstream.answers("PUT", USER_CALL, factories.refusal(10005), status=412)
    newest = factories.permissions(version=9, owner="USER", source="MAIN_GROUP")
    newest["permissions"]["allowExport"] = {"value": False, "source": "OWN"}
    upstream.answers("GET", USER_CALL, newest)
    html = administrator.post(USER, form).content.decode()
    conflict = html.split('class="facts conflict"')[1].split("</dl>")[0]
    assert re.findall("<bdi translate=no>(.+?)</bdi>", conflict) == ["On", "Off"]
    assert checked(html)["allow_export"] == "on"


@pytest.mark.req("LS-17")
def test_a_stale_form_is_still_stale_after_another_failure(administrator, upstream):
    form = open_form(administrator, USER) | {"allow_export": "on"}
    upstream.remove("PUT", USER_CALL)
    upstream.answers_in_order("PUT", USER_CALL, (500, factories.refusal(10000)), (412, factories.refusal(10005)))
    newest = factories.permissions(version=9, owner="USER", source="MAIN_GROUP")
    newest["permissions"]["allowExport"] = {"value": False, "source": "OWN"}
    upstream.answers("GET", USER_CALL, newest)
    html = administrator.post(USER, form).content.decode()
    administrator.post(USER, page_form(html))
    assert [call.headers["If-Match"] for call in upstream.calls("PUT", USER_CALL)] == ['"2"', '"2"']


@pytest.mark.req("LS-17")
def test_a_stale_form_is_reported_even_if_the_newest_value_is_unknown(administrator, upstream):
    form = open_form(administrator) | {"allow_export": "off"}
    newest = factories.permissions(version=9)
    del newest["permissions"]["allowExport"]
    upstream.answers("GET", CLINIC_CALL, newest)
    upstream.answers("PUT", CLINIC_CALL, factories.refusal(10005), status=412)
    response = administrator.post(CLINIC, form)
    conflict = response.content.decode().split('class="facts conflict"')[1].split("</dl>")[0]
    assert re.findall("<bdi translate=no>(.+?)</bdi>", conflict) == ["Off", "–"]


@pytest.mark.req("LS-17")
def test_a_stale_switch_gets_the_newest_state_and_the_reason(administrator, upstream):
    upstream.remove("GET", CLINIC_CALL)
    newest = factories.permissions(version=9, allowDownload=False)
    upstream.answers("GET", CLINIC_CALL, newest)
    upstream.answers("PUT", CLINIC_CALL, factories.refusal(10005), status=412)
    response = administrator.post(
        CLINIC, {"allow_export": "off", "version": "2"}, headers={"Accept": "application/json"}
    )
    answer = response.json()
    assert (response.status_code, answer["ok"]) == (412, False)
    assert answer["message"] == "Someone else changed this in the meantime."
    values = {t["name"]: t["value"] for t in answer["item"]["toggles"]}
    assert values == {**dict.fromkeys(NAMES, True), "allow_download": False}
    assert answer["item"]["version"] == 9
    assert len(sent(upstream)) == 1


@pytest.mark.req("LS-18")
def test_a_switch_that_is_pressed_again_within_a_minute_makes_a_new_change(administrator, upstream):
    for _ in range(2):
        form = {"allow_export": "off", "version": "2"}
        assert administrator.post(CLINIC, form, headers={"Accept": "application/json"}).json()["ok"]
    assert len(sent(upstream)) == 2


@pytest.mark.req("LS-18")
def test_a_form_that_is_sent_twice_is_saved_once(administrator, upstream):
    page = administrator.get(CLINIC).content.decode().split('class="card permissions"')[1]
    form_id = re.findall(r'name="form_id" value="([^"]+)"', page)[0]
    form = page_form(page) | {"allow_export": "off", "form_id": form_id}
    first, second = administrator.post(CLINIC, form), administrator.post(CLINIC, form)
    assert (first.status_code, second.status_code) == (303, 303)
    assert len(sent(upstream)) == 1


@pytest.mark.req("PM-12")
@pytest.mark.parametrize("path", [CLINIC, USER])
def test_a_permission_that_the_service_leaves_out_is_shown_as_unknown(administrator, upstream, path):
    for call in (CLINIC_CALL, USER_CALL):
        current = factories.permissions()
        del current["permissions"]["allowExport"]
        upstream.remove("GET", call)
        upstream.answers("GET", call, current)
    html = administrator.get(path).content.decode()
    assert "The service doesn&#39;t report whether this is on." in html
    assert "Off (own setting)" not in html
    assert checked(html).keys() == set(NAMES) - {"allow_export"}, "neither on nor off is made up"
    assert "data-island=" not in html, "a switch can only be on or off"
    assert "data-unsaved" not in html
    administrator.post(path, page_form(html) | {"allow_export": "off"})
    assert sent(upstream, CLINIC_CALL if path == CLINIC else USER_CALL) == [{"allowExport": False}]


@pytest.mark.req("ER-05")
@pytest.mark.parametrize("status", [524])
def test_a_change_without_an_answer_may_have_been_made(administrator, upstream, status):
    upstream.answers("PUT", CLINIC_CALL, {}, status=status)
    response = administrator.post(CLINIC, {"allow_export": "off", "version": "2"})
    assert response.status_code == 504
    assert is_unconfirmed(response.content.decode(), "Change permissions")


@pytest.mark.req("ST-12", "ST-14")
def test_a_change_is_replayed_as_it_was_after_a_520(administrator, upstream):
    upstream.remove("PUT", CLINIC_CALL)
    upstream.answers_in_order("PUT", CLINIC_CALL, (520, {}), (200, {"version": 3}))
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    assert administrator.post(CLINIC, {"allow_export": "off", "version": "2"}).status_code == 303
    first, second = upstream.calls("PUT", CLINIC_CALL)
    assert (first.url, first.body) == (second.url, second.body)
    for name in ("service-id", "If-Match", "Content-Type"):
        assert first.headers[name] == second.headers[name]


@pytest.mark.parametrize(
    "form", [{"allow_export": "maybe"}, {"version": "x"}, {"version": "-2"}, {"version": "9" * 400}]
)
def test_a_forged_form_is_refused_without_a_call(administrator, upstream, form):
    assert administrator.post(CLINIC, form).status_code == 422
    assert sent(upstream) == []


def test_a_form_without_any_change_makes_no_call(administrator, upstream, visit):
    assert administrator.post(CLINIC, {"version": "2"}).status_code == 303
    assert sent(upstream) == []
    page = visit(CLINIC)
    assert page.messages == ["No permissions changed."]
    assert page.one("#messages .alert").attributes["data-tone"] == "info"


def recorded():
    """Return the changes of the newest entry."""
    return Content.decrypt(Activity.objects.latest("id").content).changes


@pytest.mark.req("DM-45", "SEC-112")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("claim", [{"was": "inherit"}, {"was": "off"}, {"was": "=1+1"}, {"saw": "on"}, {"saw": "x"}])
def test_the_old_value_of_an_entry_is_the_one_that_the_server_showed(administrator, claim, name):
    """The value that the browser claims doesn't count."""
    claims = {"saw": claim["saw"]} if "saw" in claim else {f"was_{name}": claim["was"]}
    administrator.post(CLINIC, open_form(administrator) | {name: "off"} | claims)
    assert recorded() == [Change(name, "on", "off")]


@pytest.mark.req("DM-45", "SEC-112")
@pytest.mark.parametrize("proof", [None, "", "x", "of another page", "of another version", "an hour old"])
def test_without_a_usable_proof_the_old_value_is_read(administrator, upstream, monkeypatch, proof):
    form = open_form(administrator) | {"allow_export": "off"}
    if proof is None:
        del form["proof"]
    elif proof == "of another page":
        form["proof"] = open_form(administrator, USER)["proof"]
    elif proof == "of another version":
        upstream.answers("GET", CLINIC_CALL, factories.permissions(version=3, allowExport=False))
        form = open_form(administrator) | {"allow_export": "off", "version": "2"}
        upstream.answers("GET", CLINIC_CALL, factories.permissions())
    elif proof == "an hour old":
        later = time.time() + 3601
        monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    else:
        form["proof"] = proof
    assert administrator.post(CLINIC, form).status_code == 303
    assert Change("allow_export", "on", "off") in recorded()
    assert len(recorded()) == 1


@pytest.mark.req("LS-17")
def test_an_old_page_of_a_service_without_versions_reverts_nothing(administrator, upstream, monkeypatch):
    upstream.answers("GET", CLINIC_CALL, factories.permissions() | {"version": None})
    form = open_form(administrator) | {"allow_export": "off"}
    upstream.answers("GET", CLINIC_CALL, factories.permissions(allowOrder=False) | {"version": None})
    later = time.time() + 3601
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    response = administrator.post(CLINIC, form)
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in response.content.decode()
    assert sent(upstream) == []
    assert administrator.post(CLINIC, open_form(administrator) | {"allow_export": "off"}).status_code == 303
    assert sent(upstream) == [{"allowExport": False}]


@pytest.mark.req("SEC-30")
@pytest.mark.parametrize(("seconds", "status"), [(0, 200), (3590, 200), (3601, 404), (86400, 404)])
def test_a_page_proves_for_an_hour_whose_user_it_showed(administrator, upstream, monkeypatch, seconds, status):
    form = {"allow_export": "off", "version": "2", "proof": open_form(administrator, USER)["proof"]}
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(mainGroupId="g-2"))
    later = time.time() + seconds
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    answer = administrator.post(USER, form, headers={"Accept": "application/json"})
    assert answer.status_code == status
    assert len(sent(upstream, USER_CALL)) == (status == 200)


@pytest.mark.req("DM-45", "PM-12")
@pytest.mark.parametrize("is_readable", [True, False])
def test_a_switch_that_is_pressed_twice_is_recorded_both_times(administrator, upstream, is_readable):
    proof = open_form(administrator)["proof"]
    for choice, version in (("off", 2), ("on", 3), ("off", 4)):
        now = factories.permissions(version=version + 1, allowExport=choice == "on")
        upstream.answers("PUT", CLINIC_CALL, {"version": version + 1})
        upstream.answers("GET", CLINIC_CALL, now, status=200 if is_readable else 503)
        form = {"allow_export": choice, "version": str(version), "proof": proof}
        answer = administrator.post(CLINIC, form, headers={"Accept": "application/json"}).json()
        assert answer["ok"]
        proof = answer["item"]["proof"]
        assert recorded() == [Change("allow_export", "on" if choice == "off" else "off", choice)]
    assert len(sent(upstream)) == 3
