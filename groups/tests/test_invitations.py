"""People invited, one or several at once."""

import json
import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.reading import as_read, is_unconfirmed

LIST = "/user-manage/clinic/g-1/user"
INVITE = f"{LIST}/new"
CALL = "/v1/bizUsers"
FORM_ID = "0f6f2f1e-6f5e-4f0e-9d59-5a5b7e1d0a11"


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("POST", CALL, {"id": "u-9"}, status=201)
    waiting = factories.user(status="INVITED", lastLoginDate=None, invitationExpiresDate="2026-11-25T08:30:00Z")
    upstream.answers("GET", f"{CALL}/u-1", waiting)
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", {"invitationExpiresDate": "2026-11-28T08:30:00Z"})
    upstream.answers("DELETE", f"{CALL}/u-1/invitation")
    return administrator


def rows(*people, **more):
    """Return the data of a form with a row for each of these people: name, email."""
    form = {"row": [str(n) for n in range(len(people))], "form_id": FORM_ID, **more}
    for n, (name, email) in enumerate(people):
        form |= {
            f"row-{n}-name": name,
            f"row-{n}-email": email,
            f"row-{n}-user_type": "STAFF",
            f"row-{n}-team_id": "t-1",
        }
    return form


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-43", "EN-44", "DM-19")
def test_one_person_is_invited_in_the_readers_language(administrator, upstream, visit):
    visit(INVITE)
    response = administrator.post(INVITE, rows((" Ada ", "Ada@clinic.example")), headers={"Accept-Language": "ko-KR"})
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    assert upstream.bodies("POST", CALL) == [
        {
            "mainGroupId": "g-1",
            "subGroupId": "t-1",
            "name": "Ada",
            "userType": "STAFF",
            "email": "Ada@clinic.example",
            "language": "ko-KR",
        }
    ]
    html = administrator.get(LIST).content.decode()
    assert f'Invitation sent to <a href="{LIST}/u-9"><bdi translate=no>Ada</bdi></a>' in html
    assert "Invitation sent to \u2068Ada\u2069 (\u2068Ada@clinic.example\u2069)." in as_read(html)


def test_an_invited_person_without_a_known_id_is_named_without_a_link(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=201)
    administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), form_id="n-1"))
    assert "Invitation sent to <bdi translate=no>Ada</bdi>" in administrator.get(LIST).content.decode()


@pytest.mark.req("DM-41", "DM-19")
@pytest.mark.parametrize(
    ("people", "expected"),
    [
        (["<Ada>"], f'Invitation sent to <a href="{LIST}/u-9"><bdi translate=no>&lt;Ada&gt;</bdi></a> (0@a.example).'),
        (["Ada", "Bob", "Cy"], "3 invitations sent."),
    ],
)
def test_the_message_names_the_only_invited_user_and_counts_several(administrator, people, expected):
    administrator.post(INVITE, rows(*[(name, f"{number}@a.example") for number, name in enumerate(people)]))
    html = administrator.get(LIST).content.decode()
    message = re.findall(r'<div class="alert-text">(.*?)</div>', html)[0]
    assert re.sub("[\u2068\u2069]", "", message) == expected


@pytest.mark.req("UC-06", "DM-41")
def test_one_user_and_several_have_a_page_each(administrator):
    one = administrator.get(f"{INVITE}?back={LIST}%3Fkeyword%3Dx").content.decode()
    assert 'name="row-0-name"' in one
    assert 'name="people"' not in one
    assert "Send invitation</button>" in one
    several = unescape(re.findall(r'href="([^"]*several=1)"', one)[0])
    html = administrator.get(several).content.decode()
    assert 'name="people"' in html
    assert 'name="row"' not in html
    assert "Send invitation" not in html
    assert f'name="back" value="{LIST}?keyword=x"' in html
    html = administrator.post(INVITE, {"several": "1", "add_row": "1"}).content.decode()
    assert re.findall(r'name="row" value="(\d+)"', html) == ["0"]
    assert re.search(r'<input[^>]*name="row-0-name"[^>]* autofocus', html)
    assert "Send 1 invitation</button>" in html


@pytest.mark.req("UC-06", "DM-41")
def test_the_paste_box_is_closed_once_there_are_rows_and_the_button_has_their_number(administrator):
    form = {"several": "1", "people": "Ada\tada@a.example\nBob\tbob@a.example", "add_people": "1"}
    html = administrator.post(INVITE, form).content.decode()
    assert "Send 2 invitations</button>" in html
    assert '<details class="paste-more">' in html
    assert 'name="several" value="1"' in html


@pytest.mark.req("VA-35", "DM-41")
def test_an_email_address_in_the_name_is_refused_and_the_summary_says_whose(administrator, upstream):
    for number, name in enumerate(["Kim kim@a.example", "Kim kim(at)a.example", "Kim ( AT ) x", "Kim＠x"]):
        form = rows((name, "kim@a.example"), form_id=f"n-{number}")
        html = administrator.post(INVITE, form).content.decode()
        message = "A name can&#39;t contain “@” or “(at)”. Enter the email address in its own field."
        assert f"\u2068{name}\u2069: {message}" in html
        assert "Fix 1 problem:" in html
    form = rows(("Kat (Attila) Park", "half an address"), form_id="n-9")
    html = administrator.post(INVITE, form).content.decode()
    assert "\u2068Kat (Attila) Park\u2069: Invalid email</a>" in html
    assert "A name can" not in html
    assert upstream.bodies("POST", CALL) == []


def test_a_row_is_added_without_javascript_and_no_input_is_lost(administrator, upstream, visit):
    response = administrator.post(INVITE, rows(("Ada", "half an addr"), add_row="1"))
    html = response.content.decode()
    assert response.status_code == 200
    for text in ('value="Ada"', 'value="half an addr"', 'name="row" value="1"', 'name="row-1-name"'):
        assert text in html
    assert '<option value="STAFF" selected>' in html
    assert ">Invalid email<" not in html
    assert upstream.bodies("POST", CALL) == []


def test_a_row_is_removed_without_javascript_and_no_other_input_is_lost(administrator, upstream):
    people = ("Ada", "half an addr"), ("Bob", "bob@clinic.example"), ("Cy", "cy@clinic.example")
    html = administrator.post(INVITE, rows(*people, remove="1")).content.decode()
    for text in ('value="Ada"', 'value="half an addr"', 'value="Cy"', 'name="row" value="0"', 'name="row" value="2"'):
        assert text in html
    assert 'value="Bob"' not in html
    assert html.count('name="row"') == 2
    assert ">Invalid email<" not in html
    assert re.search(r'<input[^>]*name="row-2-name"[^>]* autofocus', html), "the one that took its place"
    assert html.count('name="remove"') == 2
    first = administrator.post(INVITE, rows(*people, remove="0")).content.decode()
    assert 'value="Ada"' not in first
    assert re.search(r'<input[^>]*name="row-1-name"[^>]* autofocus', first)
    assert upstream.bodies("POST", CALL) == []


def test_enter_in_a_field_sends_the_form_and_removes_no_row(administrator):
    html = administrator.post(INVITE, rows(("Ada", ""), add_row="1")).content.decode()
    form = html[html.index('<form class="form card"') :]
    assert 'name="remove" value="1"' in form
    first = re.search(r"<button[^>]*>", form)
    assert first
    assert 'type="submit"' in first[0]
    assert "name=" not in first[0]


@pytest.mark.req("AX-02")
def test_an_added_row_gets_the_focus(administrator):
    assert re.search(r'<input[^>]*name="row-0-name"[^>]* autofocus', administrator.get(INVITE).content.decode())
    html = administrator.post(INVITE, rows(("Ada", ""), add_row="1")).content.decode()
    assert re.search(r'<input[^>]*name="row-1-name"[^>]* autofocus', html)


@pytest.mark.parametrize("remove", ["0", "7", "x", ""])
def test_a_forged_row_removes_no_other_row(administrator, upstream, remove):
    html = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), remove=remove)).content.decode()
    assert html.count('name="row"') == 1
    assert upstream.bodies("POST", CALL) == []


def test_the_number_of_rows_is_limited(administrator):
    html = administrator.post(INVITE, rows(*[("", "")] * 20, add_row="1")).content.decode()
    assert html.count('name="row"') == 20
    assert "Add row" not in html


@pytest.mark.req("ER-20", "ER-35")
def test_an_address_in_use_is_reported_above_the_form_and_at_its_field_only(administrator, upstream):
    refused = factories.refusal(13008, fields=[{"field": "email", "code": 13008}])
    upstream.remove("POST", CALL)
    upstream.answers("POST", CALL, refused, status=409)
    html = administrator.post(INVITE, rows(("Bob", "bob@clinic.example"))).content.decode()
    assert html.count("Failed to send the invitation.") == 1
    assert html.count("This email is already in use") == 2
    assert "Fix 1 problem:" not in html
    assert "couldn&#39;t be invited" not in html

    two = rows(("Bob", "bob@clinic.example"), ("Cy", "cy@clinic.example"), form_id=FORM_ID.replace("0", "1"))
    html = administrator.post(INVITE, two).content.decode()
    assert html.count("These users couldn&#39;t be invited.") == 1
    assert "Failed to send the invitation." not in html
    assert html.count("This email is already in use") == 4
    assert "\u2068Bob\u2069: This email is already in use" in html


@pytest.mark.parametrize("row", [[], ["x"], ["-1"], ["0", "0"], ["9" * 50], ["٣"]])
def test_forged_row_numbers_make_no_error(administrator, row):
    assert administrator.post(INVITE, {"row": row, "add_row": "1"}).status_code == 200
    assert administrator.post(INVITE, {"row": row}).status_code == 422


def test_a_forged_row_without_its_fields_has_no_name_in_the_summary(administrator):
    html = administrator.post(INVITE, {"row": "0"}).content.decode()
    assert "Enter name" in html
    assert "None" not in html


@pytest.mark.req("VA-34", "VA-35")
def test_missing_or_invalid_values_are_reported_in_each_row_and_no_one_is_invited(administrator, upstream, visit):
    response = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), ("", "no address"), ("", "")))
    html = response.content.decode()
    assert response.status_code == 422
    assert html.count("Enter name") == 2, "at the field and in the summary"
    assert len(re.findall('(?<!data-error=")Invalid email', html)) == 2
    assert html.count('name="row"') == 2, "the empty row is left out"
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("ER-20", "DM-02")
def test_a_refused_row_stays_with_its_reason_and_the_others_are_invited(administrator, upstream):
    def answer(call):
        if b"bob@" in call.body:
            return 409, {}, json.dumps(factories.refusal(13008, fields=[{"field": "email", "code": 13008}]))
        return 201, {}, '{"id": "u-9"}'

    upstream.remove("POST", CALL)
    upstream.callback("POST", CALL, answer)
    people = ("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example"), ("Cy", "cy@clinic.example")
    response = administrator.post(INVITE, rows(*people))
    html = response.content.decode()
    assert response.status_code == 409
    assert "2 invitations sent." in html
    assert '<bdi translate=no dir="ltr">cy@clinic.example</bdi>' in html
    assert "Failed to send the invitation." in html
    assert "This email is already in use" in html
    assert 'value="Bob"' in html
    assert 'value="Ada"' not in html
    assert len(upstream.bodies("POST", CALL)) == 3


@pytest.mark.req("LS-18")
def test_each_row_has_its_own_key_which_it_keeps_when_it_is_sent_again(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=524)
    administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example")))
    repeated = rows(("", ""), ("Bob", "bob@clinic.example")) | {"row": ["1"]}
    assert is_unconfirmed(administrator.post(INVITE, repeated).content.decode(), "Send invitation")
    ada, bob, bob_repeated = [call.headers["Idempotency-Key"] for call in upstream.calls("POST", CALL)]
    assert ada != bob
    assert bob == bob_repeated


@pytest.mark.req("LS-18")
def test_a_repeated_submit_invites_once(administrator, upstream):
    form = rows(("Ada", "ada@clinic.example"))
    first, second = administrator.post(INVITE, form), administrator.post(INVITE, form)
    assert first.headers["Location"] == second.headers["Location"]
    assert len(upstream.bodies("POST", CALL)) == 1


REPEATED = "This form was already submitted, so it wasn't processed again. Result of the first submission: %s"
AS_JSON = {"Accept": "application/json"}


@pytest.mark.req("LS-18", "ER-20")
@pytest.mark.parametrize("people", [[("Ada", "ada@a.example")], [("Ada", "ada@a.example"), ("Bob", "bob@b.example")]])
def test_a_repeated_submit_is_no_news(administrator, upstream, people):
    form = rows(*people)
    first, second, third = [administrator.post(INVITE, form, headers=AS_JSON).json() for _ in range(3)]
    assert "nvitation" in first["message"]
    assert second["message"] == third["message"] == REPEATED % first["message"]
    assert (second["ok"], second["goto"]) == (True, first["goto"])
    page = administrator.get(administrator.post(INVITE, form).headers["Location"])
    assert REPEATED[:40] in page.content.decode()
    assert len(upstream.bodies("POST", CALL)) == len(people)


@pytest.mark.req("DM-11")
def test_the_next_invitation_starts_with_the_same_team_and_type(administrator, visit):
    back = f"{LIST}?status=INVITED"
    response = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), another="1", back=back))
    html = visit(response.headers["Location"]).response.content.decode()
    assert '<option value="STAFF" selected>' in html
    assert '<option value="t-1" selected>' in html
    assert f'name="back" value="{back}"' in html
    assert "Invitation sent to <a" in html
    assert re.search(r'<input[^>]*name="row-0-name"[^>]* autofocus', html)


@pytest.mark.req("SEC-52")
def test_several_people_who_may_have_been_invited_are_never_called_not_invited(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=524)
    people = ("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example")
    html = administrator.post(INVITE, rows(*people)).content.decode()
    assert is_unconfirmed(html, "Send invitation")
    assert "couldn&#39;t be invited" not in html
    assert f'href="{LIST}" target="_blank"' in html


@pytest.mark.req("VA-14", "UC-06")
def test_people_whose_addresses_are_in_use_are_reported_row_by_row(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers/exist", {"resultCount": 1})
    response = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example")))
    html = response.content.decode()
    assert response.status_code == 422
    assert html.count("This email is already in use") >= 2
    assert 'value="Ada"' in html
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("ER-05")
def test_a_row_that_may_have_been_invited_is_not_reported_as_in_use_if_another_was_refused(administrator, upstream):
    upstream.remove("POST", CALL)
    upstream.answers_in_order("POST", CALL, (524, {}), (422, factories.refusal(10002)), (200, {"id": "u-9"}))
    form = rows(("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example"))
    html = administrator.post(INVITE, form).content.decode()
    assert is_unconfirmed(html, "Send invitation")
    upstream.answers("GET", "/v1/bizUsers/exist", {"resultCount": 1})
    assert administrator.post(INVITE, form).status_code == 303


@pytest.mark.req("UC-06")
def test_the_email_field_carries_what_a_script_needs_to_check_it(administrator, visit):
    field = visit(INVITE).one("input[type=email]")
    assert (field.attributes["data-error"], field.attributes["data-max-length"]) == ("Invalid email", "254")
    assert field.attributes["data-email"]
