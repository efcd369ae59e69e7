"""One user moved to another team or clinic, and the reasons that block it."""

import json
import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.reading import as_read, one_line

LIST = "/user-manage/clinic/g-1/user"
EDIT = f"{LIST}/u-1/edit"
MOVE = f"{LIST}/u-1/move"
CALL = "/v1/bizUsers/u-1"
FORM = {
    "name": "User 1",
    "user_type": "DOCTOR",
    "clinic_id": "g-1",
    "team_id": "t-1",
    "teams_of": "g-1",
    "version": "1",
}


@pytest.fixture
def administrator(administrator, upstream):
    clinics = [factories.clinic(1), factories.clinic(2, name="Harbour Clinic")]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    upstream.answers("PUT", CALL, {"version": 2})
    upstream.answers("DELETE", CALL)
    return administrator


def reason(name, count=1, label="Case 7"):
    return {"reason": name, "count": count, "refs": [{"type": "CASE", "id": "c-7", "label": label}]}


@pytest.mark.req("UC-06")
def test_choosing_another_clinic_shows_its_teams_before_anything_is_saved(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(5, mainGroupId="g-2")]))
    response = administrator.post(EDIT, {**FORM, "name": "Typed", "clinic_id": "g-2"})
    html = response.content.decode()
    assert response.status_code == 200
    assert "Choose a team in \u2068Harbour Clinic\u2069, or none, then save." in html
    assert 'value="Typed"' in html
    assert '<option value="t-5">' in html
    assert "mainGroupId=g-2" in upstream.calls("GET", "/v1/bizSubGroups")[-1].url
    assert upstream.bodies("PUT", CALL) == []
    administrator.post(EDIT, {**FORM, "clinic_id": "g-2", "teams_of": "g-2", "team_id": "t-5"})
    assert upstream.bodies("PUT", CALL)[0]["mainGroupId"] == "g-2"
    assert upstream.bodies("PUT", CALL)[0]["subGroupId"] == "t-5"


@pytest.mark.req("UC-06", "DM-19", "LS-13")
def test_a_user_moves_with_one_save_after_the_teams_were_shown(administrator, upstream, visit):
    html = visit(MOVE).response.content.decode()
    assert 'name="name"' not in html
    assert 'name="user_type"' not in html
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(5, mainGroupId="g-2")]))
    form = {"clinic_id": "g-2", "team_id": "t-1", "teams_of": "g-1", "version": "1", "back": f"{LIST}?keyword=x"}
    html = administrator.post(MOVE, {**form, "show_teams": "1"}).content.decode()
    assert '<option value="g-2" selected>' in html
    assert '<option value="t-5">' in html
    assert 'name="teams_of" value="g-2"' in html
    assert upstream.bodies("PUT", CALL) == []
    response = administrator.post(MOVE, {**form, "team_id": "t-5", "teams_of": "g-2"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{LIST}?keyword=x")
    assert upstream.bodies("PUT", CALL) == [{"mainGroupId": "g-2", "subGroupId": "t-5"}]


@pytest.mark.req("DM-19")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"clinic_id": "g-2", "teams_of": "g-2", "team_id": "t-5"},
            "was moved to the “Team 5” team in Harbour Clinic.",
        ),
        ({"clinic_id": "g-2", "teams_of": "g-2", "team_id": ""}, "was moved to Harbour Clinic (no team)."),
        ({"team_id": "t-5"}, "was moved to the “Team 5” team."),
        ({"team_id": ""}, "was removed from the “Team 1” team."),
        ({}, "was updated."),
    ],
)
def test_the_message_about_a_move_names_the_clinic_and_the_team(administrator, upstream, change, message):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(5)]))
    assert administrator.post(MOVE, {**FORM, **change}).status_code == 303
    html = as_read(administrator.get(LIST).content.decode())
    assert f"User 1 (user1@clinic.example) {message}" in re.sub("[\u2068\u2069]", "", html)


@pytest.mark.parametrize("path", [EDIT, MOVE])
def test_a_script_gets_the_teams_of_the_clinic_that_was_chosen(administrator, upstream, path):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(5, mainGroupId="g-2")]))
    form = {**FORM, "name": "", "clinic_id": "g-2", "show_teams": "1"}
    answer = administrator.post(path, form, headers={"Accept": "application/json"})
    assert answer.status_code == 200
    assert answer.json()["item"] == [["", "No team"], ["t-5", "Team 5"]]
    assert answer.json()["message"] == "Choose a team in \u2068Harbour Clinic\u2069, or none."
    assert upstream.bodies("PUT", CALL) == []


def test_a_team_of_the_previous_clinic_is_not_saved_in_the_new_one(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(5, mainGroupId="g-2")]))
    response = administrator.post(MOVE, {**FORM, "clinic_id": "g-2", "teams_of": "g-2", "team_id": "t-1"})
    assert response.status_code == 422
    assert "This team doesn&#39;t belong to the chosen clinic." in response.content.decode()
    assert upstream.bodies("PUT", CALL) == []


@pytest.mark.req("VA-30", "VA-33")
def test_reasons_that_keep_a_user_in_the_clinic_are_shown_before_the_move(administrator, upstream):
    stays = factories.user(deleteBlockers=[reason("ONGOING_ORDERED_CASE"), reason("PARTNER_WITH_LAB")])
    upstream.answers("GET", CALL, stays)
    message = "You can't move this user to another clinic yet."
    html = unescape(administrator.get(MOVE).content.decode())
    assert message in html
    assert "1 ordered case is still in progress." in html
    assert "partnership with" not in html
    assert 'name="team_id"' in html, "another team is possible"
    for path in (MOVE, EDIT):
        html = unescape(administrator.get(path).content.decode())
        assert '<option value="g-1" selected>' in html
        assert 'value="g-2"' not in html, "what can't be done is not offered"
        assert 'name="show_teams"' not in html
    assert "1 ordered case is still in progress: \u2068Case 7\u2069" in html


@pytest.mark.req("VA-30", "VA-33")
@pytest.mark.parametrize("path", [EDIT, MOVE])
def test_a_user_who_must_stay_is_not_moved_by_a_page_that_was_rendered_before(administrator, upstream, path):
    upstream.answers("GET", CALL, factories.user(deleteBlockers=[reason("ONGOING_ORDERED_CASE")]))
    response = administrator.post(path, {**FORM, "clinic_id": "g-2", "teams_of": "g-2"})
    html = one_line(response.content.decode())
    assert response.status_code == 422
    assert re.search(r'id="id_clinic_id_error">.*?1 ordered case is still in progress', html)
    assert '<option value="t-1" selected>' in html, "the teams are those of the clinic"
    assert upstream.bodies("PUT", CALL) == []
    administrator.post(path, {**FORM, "team_id": ""})
    assert upstream.bodies("PUT", CALL)[0]["subGroupId"] is None, "another team is possible"


@pytest.mark.req("VA-30", "ER-22")
@pytest.mark.parametrize("status", ["ACTIVE", "LOCKED", "INVITED", "INVITATION_EXPIRED"])
def test_the_reason_why_a_user_can_not_be_moved_is_reported_at_the_clinic(administrator, upstream, status):
    upstream.answers("GET", CALL, factories.user(status=status))
    assert 'value="g-2"' in administrator.get(MOVE).content.decode(), "no state of itself keeps anybody in a clinic"
    upstream.answers("PUT", CALL, factories.refusal(13011), status=409)
    response = administrator.post(MOVE, {**FORM, "clinic_id": "g-2", "teams_of": "g-2"})
    message = "This isn't possible with the user's current status."
    field = re.search(r'id="id_clinic_id_error">.*?</p>', one_line(response.content.decode()))
    assert field
    assert message in unescape(field[0])


@pytest.mark.req("UC-06")
def test_move_is_in_the_menu_of_a_row_and_on_the_page_of_the_user(administrator):
    assert 'href="user/u-1/move"' in administrator.get(LIST).content.decode()
    assert f'href="{MOVE}"' in administrator.get(f"{LIST}/u-1").content.decode()


def test_the_users_own_team_is_offered_for_any_number_of_teams(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(2)], total=300))
    assert '<option value="t-1" selected>Team 1</option>' in administrator.get(EDIT).content.decode()
    administrator.post(EDIT, {**FORM, "name": "Ada"})
    assert upstream.bodies("PUT", CALL)[0]["subGroupId"] == "t-1"


@pytest.mark.req("PM-20", "VA-30")
@pytest.mark.parametrize("more", [{}, {"show_teams": "1"}, {"teams_of": "g-1"}], ids=["save", "teams", "without teams"])
@pytest.mark.parametrize("clinic", ["g-9", "g" * 5000, "g 9", "../g-2"])
@pytest.mark.parametrize("path", [EDIT, MOVE])
def test_a_user_can_not_be_moved_to_a_clinic_that_was_not_offered(administrator, upstream, path, clinic, more):
    def teams(request):
        if "mainGroupId=g-1" in request.url:
            return 200, {}, json.dumps(factories.listing([factories.team()]))
        return 404, {}, json.dumps(factories.refusal(10004))

    upstream.remove("GET", "/v1/bizSubGroups")
    upstream.callback("GET", "/v1/bizSubGroups", teams)
    form_data = {**FORM, "clinic_id": clinic, "teams_of": clinic, **more}
    response = administrator.post(path, form_data)
    assert response.status_code == 422
    assert "Choose a clinic" in response.content.decode()
    assert [
        fragment for fragment in (f'"{clinic}"', f"/{clinic}", f"={clinic}") if fragment in response.content.decode()
    ] == []
    answer = administrator.post(path, form_data, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["errors"]["clinic_id"]) == (422, ["Choose a clinic"])
    assert upstream.bodies("PUT", CALL) == []
    calls = upstream.calls("GET", "/v1/bizSubGroups")
    assert all(len(call.url) < 500 for call in calls)


@pytest.mark.req("PM-20")
def test_the_teams_of_another_organization_are_not_offered(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(name="Their team")]))
    response = administrator.post(EDIT, {**FORM, "clinic_id": "g-9", "teams_of": "g-9"})
    assert response.status_code == 422
    assert "Their team" not in response.content.decode()


@pytest.mark.req("VA-30", "ER-22")
def test_a_move_with_an_ongoing_case_is_refused_with_the_reason(administrator, upstream):
    refusal = factories.refusal(13002, reasons=[reason("ONGOING_ORDERED_CASE")])
    upstream.answers("PUT", CALL, refusal, status=409)
    response = administrator.post(EDIT, {**FORM, "clinic_id": "g-2", "teams_of": "g-2"})
    html = one_line(response.content.decode())
    assert response.status_code == 409
    assert "Failed to update the user." in html
    assert "You can't move this user to another clinic yet." in unescape(html)
    assert re.search(r"1 ordered case is still in progress\..*Case 7", html, re.S)
    assert re.search(r'id="id_clinic_id_error">.*?1 ordered case is still in progress', html)
    assert '<option value="g-2" selected>' in html


@pytest.mark.req("LS-17", "PM-20")
def test_a_user_who_was_moved_by_another_request_is_reported_and_the_input_stays(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-2", factories.clinic(2))
    upstream.answers("GET", CALL, factories.user(mainGroupId="g-2", subGroupId=None, version=5))
    response = administrator.post(EDIT, {**FORM, "name": "Ada Typed"})
    html = response.content.decode()
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    assert 'value="Ada Typed"' in html
    conflict = html.split('class="facts conflict"')[1].split("</dl>")[0]
    assert "<bdi translate=no>Clinic 1</bdi>" in conflict
    assert "<bdi translate=no>Harbour Clinic</bdi>" in conflict
    assert 'name="version" value="5"' in html
    assert upstream.calls("PUT") == []
