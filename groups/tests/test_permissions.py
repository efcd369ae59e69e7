"""The five permissions of a clinic and of a user: shown with their effects, changed one by one or all at once."""

import json

import pytest

from console.testing import factories

CLINIC = "/user-manage/clinic/g-1/permissions"
USER = "/user-manage/clinic/g-1/user/u-1/permissions"
CLINIC_CALL = "/v1/bizMainGroups/g-1/permissions"
USER_CALL = "/v1/bizUsers/u-1/permissions"
NAMES = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    for path in (CLINIC_CALL, USER_CALL):
        upstream.answers("PUT", path, {"version": 3})
    return admin_client


def sent(upstream, path=CLINIC_CALL):
    return [json.loads(call.body)["permissions"] for call in upstream.calls("PUT", path)]


@pytest.mark.req(
    "PM-07", "PM-08", "PM-09", "PM-10", "PM-11", "PM-12", "EN-72", "EN-73", "EN-74", "EN-75", "EN-76", "EN-77"
)
@pytest.mark.parametrize("path", [CLINIC, USER])
def test_all_five_are_shown(administrator, visit, path):
    page = visit(path)
    html = page.response.content.decode()
    for label in ("order to listed labs", "export", "case converting", "case talk", "download"):
        assert f"Allow {label}" in html
    assert {c.get("name") for c in page.controls} | set(NAMES) >= set(NAMES)


@pytest.mark.req("PM-13", "PM-14", "PM-15", "PM-16", "PM-17", "PM-18")
def test_when_a_change_takes_effect_stands_beside_it(administrator):
    answer = administrator.get(CLINIC).content.decode()
    assert answer.count("Takes effect after the user logs in again to the desktop program") >= 3
    assert "and at once in the web version." in answer
    assert "Works at once in the web version." in answer
    assert "Other labs can&#x27;t be chosen." in answer


@pytest.mark.req("PM-08", "UC-04")
def test_the_form_without_javascript_saves_what_was_chosen(administrator, upstream):
    form = dict.fromkeys(NAMES, "on") | {"allow_export": "off", "version": "2"}
    response = administrator.post(CLINIC, form)
    assert (response.status_code, response.headers["Location"]) == (303, CLINIC)
    (change,) = sent(upstream)
    assert change["allowExport"] is False
    assert change["allowOrder"] is True
    assert upstream.calls("PUT")[0].headers["If-Match"] == '"2"'
    assert "Permissions updated." in administrator.get(CLINIC).content.decode()


@pytest.mark.req("PM-12", "EN-77")
def test_the_island_changes_one_and_gets_what_is_in_force(administrator, upstream):
    upstream.forget("GET", CLINIC_CALL)
    after = factories.permissions(version=3, allowExport=False)
    upstream.in_turn("GET", CLINIC_CALL, (200, factories.permissions()), (200, after))
    response = administrator.post(
        CLINIC, {"allow_export": "off", "version": "2"}, headers={"Accept": "application/json"}
    )
    answer = response.json()
    assert (response.status_code, answer["ok"], answer["message"]) == (200, True, "Permissions updated.")
    assert sent(upstream) == [{"allowExport": False}]
    assert answer["item"]["version"] == 3
    assert {t["name"]: t["value"] for t in answer["item"]["toggles"]}["allow_export"] is False


@pytest.mark.req("PM-19")
def test_a_users_value_tells_its_source_and_can_be_put_back_to_the_clinics(administrator, upstream):
    assert "From the clinic: on." in administrator.get(USER).content.decode()
    administrator.post(USER, {"allow_export": "inherit", "version": "2"})
    assert sent(upstream, USER_CALL) == [{"allowExport": None}]


def test_a_clinic_has_nobody_to_inherit_from(administrator, upstream):
    response = administrator.post(CLINIC, {"allow_export": "inherit"})
    assert response.status_code == 422
    assert sent(upstream) == []


@pytest.mark.req("ER-29", "ER-34", "ER-33")
@pytest.mark.parametrize("path", [CLINIC, USER])
@pytest.mark.parametrize(("status", "code", "shown"), [(500, 10000, 502), (409, 13010, 409), (422, 10002, 422)])
def test_a_refusal_keeps_what_was_chosen_and_says_what_failed(administrator, upstream, path, status, code, shown):
    for call in (CLINIC_CALL, USER_CALL):
        upstream.answers("PUT", call, factories.refusal(code), status=status)
    response = administrator.post(path, dict.fromkeys(NAMES, "off"))
    html = response.content.decode()
    assert response.status_code == shown
    assert "Failed to update the permissions." in html
    assert "raw words" not in html
    assert html.count('value="off" checked') == 5, "what was chosen stays"
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("ER-29")
def test_the_island_gets_the_state_in_force_with_the_refusal(administrator, upstream):
    upstream.answers("PUT", CLINIC_CALL, factories.refusal(10000), status=500)
    response = administrator.post(CLINIC, {"allow_export": "off"}, headers={"Accept": "application/json"})
    answer = response.json()
    assert (response.status_code, answer["ok"]) == (502, False)
    assert answer["message"] == "Failed to update the permissions."
    assert {t["name"]: t["value"] for t in answer["item"]["toggles"]}["allow_export"] is True


@pytest.mark.req("ER-34")
def test_a_change_that_was_made_is_not_told_as_failed_when_the_look_after_it_fails(administrator, upstream):
    upstream.forget("GET", CLINIC_CALL)
    upstream.in_turn("GET", CLINIC_CALL, (200, factories.permissions()), (500, factories.refusal(10000)))
    response = administrator.post(
        CLINIC, {"allow_export": "off", "version": "2"}, headers={"Accept": "application/json"}
    )
    answer = response.json()
    assert (response.status_code, answer["ok"], answer["message"]) == (200, True, "Permissions updated.")
    assert {t["name"]: t["value"] for t in answer["item"]["toggles"]}["allow_export"] is False
    assert answer["item"]["version"] == 0, "the next change is sent without a version"


def test_a_stale_change_is_not_made_and_the_newest_state_is_shown(administrator, upstream):
    upstream.forget("GET", CLINIC_CALL)
    upstream.answers("PUT", CLINIC_CALL, factories.refusal(10005), status=412)
    newest = factories.permissions(version=9, allowDownload=False)
    upstream.in_turn("GET", CLINIC_CALL, (200, factories.permissions()), (200, newest))
    response = administrator.post(CLINIC, {"allow_export": "off", "version": "2"})
    html = response.content.decode()
    assert response.status_code == 412
    assert "Somebody else changed this meanwhile." in html
    assert 'name="version" value="9"' in html
    assert len(sent(upstream)) == 1


@pytest.mark.req("ER-05")
@pytest.mark.parametrize("status", [524])
def test_a_change_without_an_answer_may_have_been_made(administrator, upstream, status):
    upstream.answers("PUT", CLINIC_CALL, {}, status=status)
    response = administrator.post(CLINIC, {"allow_export": "off"})
    assert response.status_code == 504
    assert "The change may have been made" in response.content.decode()


@pytest.mark.req("ST-12", "ST-14")
def test_a_change_is_replayed_as_it_was_after_a_520(administrator, upstream):
    upstream.forget("PUT", CLINIC_CALL)
    upstream.in_turn("PUT", CLINIC_CALL, (520, {}), (200, {"version": 3}))
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    assert administrator.post(CLINIC, {"allow_export": "off", "version": "2"}).status_code == 303
    first, second = upstream.calls("PUT", CLINIC_CALL)
    assert (first.url, first.body) == (second.url, second.body)
    for name in ("service-id", "If-Match", "Content-Type"):
        assert first.headers[name] == second.headers[name]


@pytest.mark.parametrize(
    "form", [{"allow_export": "maybe"}, {"version": "x"}, {"version": "-1"}, {"version": "9" * 400}]
)
def test_a_forged_form_is_refused_without_a_call(administrator, upstream, form):
    assert administrator.post(CLINIC, form).status_code == 422
    assert sent(upstream) == []


def test_a_form_without_any_change_makes_no_call(administrator, upstream):
    assert administrator.post(CLINIC, {"version": "2"}).status_code == 303
    assert sent(upstream) == []
