"""One user: edited and deleted, and the reasons that block it."""

from html import unescape

import pytest

from tests.support import factories
from tests.support.reading import as_read

LIST = "/user-manage/clinic/g-1/user"
EDIT = f"{LIST}/u-1/edit"
DELETE = f"{LIST}/u-1/delete"
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


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-44")
def test_the_form_shows_the_stored_values(administrator, visit):
    html = visit(EDIT).response.content.decode()
    assert 'value="User 1"' in html
    for chosen in ("DOCTOR", "g-1", "t-1"):
        assert f'<option value="{chosen}" selected>' in html
    assert 'name="version" value="1"' in html


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-44", "DM-19")
def test_the_input_is_saved_and_reported(administrator, upstream):
    response = administrator.post(EDIT, {**FORM, "name": "  Ada  ", "user_type": "STAFF", "team_id": ""})
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    assert upstream.bodies("PUT", CALL) == [{"name": "Ada", "userType": "STAFF", "subGroupId": None}]
    assert upstream.calls("PUT", CALL)[0].headers["If-Match"] == '"1"'
    html = administrator.get(LIST).content.decode()
    assert "\u2068Ada\u2069 (\u2068user1@clinic.example\u2069) was updated.<" in as_read(html)
    assert f'<a href="{LIST}/u-1"><bdi translate=no>Ada</bdi></a>' in html


@pytest.mark.req("DM-19")
def test_a_script_gets_the_new_name_once(administrator):
    answer = administrator.post(EDIT, {**FORM, "name": "Ada"}, headers={"Accept": "application/json"}).json()
    assert answer["message"] == "\u2068Ada\u2069 (\u2068user1@clinic.example\u2069) was updated."


@pytest.mark.req("LS-13", "DM-11")
def test_the_page_returns_to_the_list_as_it_was(administrator):
    back = f"{LIST}?status=ACTIVE&page=2"
    html = administrator.get(EDIT, headers={"Referer": f"http://testserver{back}"}).content.decode()
    assert f'name="back" value="{back.replace("&", "&amp;")}"' in html
    assert administrator.post(EDIT, {**FORM, "back": back}).headers["Location"] == back


@pytest.mark.req("VA-35")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "   "}, "Enter name"),
        ({"name": "a\x00b"}, "Invalid name"),
        ({"name": "x" * 101}, "100"),
        ({"user_type": "OWNER"}, "Select a valid choice"),
        ({"team_id": "t-9"}, "This team doesn&#39;t belong to the chosen clinic."),
    ],
)
def test_invalid_input_is_reported_at_its_field_and_not_sent(administrator, upstream, change, message):
    response = administrator.post(EDIT, {**FORM, **change})
    assert response.status_code == 422
    assert message in response.content.decode()
    assert upstream.bodies("PUT", CALL) == []


@pytest.mark.req("LS-17")
def test_a_stale_edit_shows_both_values_and_asks(administrator, upstream):
    upstream.remove("GET", CALL)
    newest = factories.user(name="Their name", userType="STAFF", version=7)
    upstream.answers_in_order("GET", CALL, (200, factories.user()), (200, newest))
    upstream.answers("PUT", CALL, factories.refusal(10005), status=412)
    response = administrator.post(EDIT, {**FORM, "name": "My name"})
    html = response.content.decode()
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    for text in ("My name", "Their name", "Doctor", "Staff", 'name="version" value="7"'):
        assert text in html
    assert len(upstream.bodies("PUT", CALL)) == 1


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(
    ("status", "code", "expected_status"), [(500, 10000, 502), (422, 10002, 422), (404, 10004, 409)]
)
def test_a_refused_edit_keeps_the_input(administrator, upstream, status, code, expected_status):
    upstream.answers("PUT", CALL, factories.refusal(code), status=status)
    response = administrator.post(EDIT, {**FORM, "name": "Typed"})
    html = response.content.decode()
    assert response.status_code == expected_status
    assert "Failed to update the user." in html
    assert 'value="Typed"' in html
    assert "raw words" not in html


@pytest.mark.req("ER-20")
def test_an_island_gets_the_refusal_by_field(administrator, upstream):
    answer = administrator.post(EDIT, {**FORM, "name": ""}, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["errors"] == {"name": ["Enter name"]}


@pytest.mark.req("LS-18")
def test_a_repeated_submit_makes_one_call(administrator, upstream):
    form = {**FORM, "form_id": "0f6f2f1e-6f5e-4f0e-9d59-5a5b7e1d0a11"}
    first, second = administrator.post(EDIT, form), administrator.post(EDIT, form)
    assert (first.status_code, second.status_code) == (303, 303)
    assert first.headers["Location"] == second.headers["Location"]
    assert len(upstream.bodies("PUT", CALL)) == 1


@pytest.mark.req("LS-15", "EN-41")
def test_the_confirmation_of_a_deletion_names_the_user(administrator, upstream, visit):
    html = visit(DELETE).response.content.decode()
    assert "Delete \u2068User 1\u2069?" in html
    assert "user1@clinic.example" in html.replace("<wbr>", "")
    assert not upstream.calls("DELETE")


@pytest.mark.req("LS-16", "DM-19", "LS-13")
def test_a_user_is_deleted_and_the_list_is_as_it_was(administrator, upstream):
    response = administrator.post(DELETE, {"back": f"{LIST}?status=ACTIVE", "version": "1"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{LIST}?status=ACTIVE")
    assert len(upstream.calls("DELETE", CALL)) == 1
    assert "\u2068User 1\u2069 (\u2068user1@clinic.example\u2069) was deleted." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("LS-17")
def test_a_user_who_was_changed_by_another_request_is_shown_before_the_deletion(administrator, upstream):
    upstream.remove("GET", CALL)
    upstream.answers_in_order(
        "GET", CALL, (200, factories.user()), (200, factories.user(name="Ada Newname", version=7))
    )
    upstream.answers("DELETE", CALL, factories.refusal(10005), status=412)
    response = administrator.post(DELETE, {"version": "1"})
    html = response.content.decode()
    assert upstream.calls("DELETE", CALL)[0].headers["If-Match"] == '"1"'
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    assert "Ada Newname" in html
    assert 'name="version" value="7"' in html


@pytest.mark.req("LS-17", "ER-34")
def test_a_user_who_was_deleted_by_another_request_is_reported_and_the_input_stays(administrator, upstream):
    upstream.answers("PUT", CALL, factories.refusal(10004), status=404)
    upstream.remove("GET", CALL)
    upstream.answers_in_order("GET", CALL, (200, factories.user()), (404, factories.refusal(10004)))
    html = administrator.post(EDIT, {**FORM, "name": "Ada Typed"}).content.decode()
    assert "This item no longer exists." in html
    assert "The clinic or team no longer exists." not in html
    assert 'value="Ada Typed"' in html


SENTENCES = {
    "ONGOING_ORDERED_CASE": ("1 ordered case is still in progress.", 13002),
    "PARTNER_WITH_LAB": ("The user has a partnership with 1 lab.", 13003),
    "PENDING_ORDERED_CASE_WITH_LAB": ("1 order is pending at the lab.", 13004),
    "CLINIC_HAS_PARTNER": ("End the clinic&#39;s 1 partnership first.", 13001),
}


@pytest.mark.req("VA-33", "DM-18")
@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("path", [DELETE, f"{LIST}/u-1"])
def test_blockers_are_shown_beforehand_instead_of_the_form(administrator, upstream, visit, name, path):
    upstream.answers("GET", CALL, factories.user(canDelete=False, deleteBlockers=[reason(name)]))
    html = visit(path).response.content.decode()
    assert "You can't delete this user yet." in unescape(html)
    assert SENTENCES[name][0] in html
    assert "<bdi translate=no>Case 7</bdi>" in html
    assert "Delete user</button>" not in html
    assert "Delete user</a>" not in html
    assert ("Ask the clinic to complete or cancel its open orders and requests." in html) == ("ORDERED_CASE" in name)


@pytest.mark.req("DM-18", "LS-13")
@pytest.mark.parametrize("path", [DELETE, f"{LIST}/u-1"])
def test_a_partnership_that_blocks_is_ended_from_the_page_which_is_returned_to(administrator, upstream, visit, path):
    lab = {"reason": "PARTNER_WITH_LAB", "count": 1, "refs": [{"type": "PARTNERSHIP", "id": "p-1", "label": "Lab A"}]}
    upstream.answers("GET", CALL, factories.user(canDelete=False, deleteBlockers=[lab]))
    upstream.answers("GET", "/v1/bizPartnerships/p-1", factories.partnership(status="ACCEPTED"))
    page = f"{path}?back=%2Fuser-manage%2Fuser%3Fkeyword%3Dx"
    assert visit(visit(page).links["Lab A"]).links["Cancel"] == page


@pytest.mark.req("VA-30", "VA-31", "ER-20", "ER-22", "ER-23", "ER-25")
@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("has_reasons", [True, False])
def test_a_refused_deletion_shows_the_reason_from_the_answer(administrator, upstream, name, has_reasons):
    text, code = SENTENCES[name]
    details = {"reasons": [reason(name)]} if has_reasons else {}
    upstream.answers("DELETE", CALL, factories.refusal(code, **details), status=409)
    response = administrator.post(DELETE, {"version": "1"})
    html = response.content.decode()
    assert response.status_code == 409
    assert "Failed to delete the user." in html
    assert text in html
    clinic_link = 'href="/user-manage/clinic/g-1/partner">View the clinic&#39;s partners</a>'
    user_link = 'href="/partner-manage/list/partners?keyword=User+1">View in Partners</a>'
    assert [clinic_link in html, user_link in html] == [name == "CLINIC_HAS_PARTNER", name == "PARTNER_WITH_LAB"]
    assert "Delete user</button>" not in html, "it can be tried again once the page was read anew"


@pytest.mark.req("ER-22", "ER-23", "ER-25")
def test_all_of_several_reasons_are_reported(administrator, upstream):
    reasons = [reason("ONGOING_ORDERED_CASE", 2), reason("PARTNER_WITH_LAB", 3)]
    upstream.answers("DELETE", CALL, factories.refusal(13006, reasons=reasons), status=409)
    answer = administrator.post(DELETE, {"version": "1"}, headers={"Accept": "application/json"}).json()
    assert "2 ordered cases are still in progress: " in answer["message"]
    assert "The user has partnerships with 3 labs: " in answer["message"]


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("path", [EDIT, DELETE, f"{LIST}/u-1", f"{LIST}/u-1/invitation/resend"])
def test_a_user_of_another_clinic_is_not_there(administrator, upstream, path):
    upstream.answers("GET", CALL, factories.user(mainGroupId="g-2", name="Someone else"))
    response = administrator.get(path)
    assert response.status_code == 404
    assert "Someone else" not in response.content.decode()
