"""Invitations: one person or several at once, sent again, taken back."""

import json
import re
from html import unescape

import pytest

from console.testing import factories
from console.testing.reading import as_read

LIST = "/user-manage/clinic/g-1/user"
INVITE = f"{LIST}/new"
RESEND = f"{LIST}/u-1/invitation/resend"
CANCEL = f"{LIST}/u-1/invitation/cancel"
CALL = "/v1/bizUsers"
FORM_ID = "0f6f2f1e-6f5e-4f0e-9d59-5a5b7e1d0a11"


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("POST", CALL, {"id": "u-9"}, status=201)
    waiting = factories.user(status="INVITED", lastLoginDate=None, invitationExpiresDate="2026-11-25T08:30:00Z")
    upstream.answers("GET", f"{CALL}/u-1", waiting)
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", {"invitationExpiresDate": "2026-11-28T08:30:00Z"})
    upstream.answers("DELETE", f"{CALL}/u-1/invitation")
    return admin_client


def rows(*people, **more):
    """A form with a row for each of these people: name, e-mail."""
    form = {"row": [str(n) for n in range(len(people))], "form_id": FORM_ID, **more}
    for n, (name, email) in enumerate(people):
        form |= {
            f"row-{n}-name": name,
            f"row-{n}-email": email,
            f"row-{n}-user_type": "STAFF",
            f"row-{n}-team_id": "t-1",
        }
    return form


def sent(upstream):
    return [json.loads(call.body) for call in upstream.calls("POST", CALL)]


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-43", "EN-44", "DM-19")
def test_one_person_is_invited_in_the_readers_language(administrator, upstream, visit):
    visit(INVITE)
    response = administrator.post(INVITE, rows((" Ada ", "Ada@clinic.example")), headers={"Accept-Language": "ko-KR"})
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    assert sent(upstream) == [
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
    assert f'Invitation sent to <a href="{LIST}/u-9"><bdi>Ada</bdi></a>' in html
    assert "Invitation sent to \u2068Ada\u2069 (\u2068Ada@clinic.example\u2069)." in as_read(html)


def test_one_person_whose_id_is_not_known_is_told_without_an_address(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=201)
    administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), form_id="n-1"))
    assert "Invitation sent to <bdi>Ada</bdi>" in administrator.get(LIST).content.decode()


@pytest.mark.req("DM-41", "DM-19")
@pytest.mark.parametrize(
    ("people", "told"),
    [
        (["Ada", "Ada"], "Invitations sent to [Ada (0@a.example)] and [Ada (1@a.example)]."),
        (
            ["Ada", "Bob", "Cy"],
            "Invitations sent to [Ada (0@a.example)], [Bob (1@a.example)], and [Cy (2@a.example)].",
        ),
        (
            ["<Ada>", "Bob", "Cy", "Di", "Ed"],
            "Invitations sent to [&lt;Ada&gt; (0@a.example)], [Bob (1@a.example)], [Cy (2@a.example)], and 2 more.",
        ),
    ],
)
def test_several_people_are_told_by_their_names_with_links(administrator, people, told):
    administrator.post(INVITE, rows(*[(name, f"{number}@a.example") for number, name in enumerate(people)]))
    html = administrator.get(LIST).content.decode()
    message = re.findall(r'<div class="alert-text">(Invitations sent.*?)</div>', html)[0]
    message = re.sub(rf'<a href="{LIST}/u-9"><bdi>(.*?)</bdi></a>', r"[\1]", message)
    assert re.sub("[\u2068\u2069]", "", message) == told


def test_a_row_more_is_had_without_javascript_and_nothing_typed_is_lost(administrator, upstream, visit):
    response = administrator.post(INVITE, rows(("Ada", "half an addr"), add_row="1"))
    html = response.content.decode()
    assert response.status_code == 200
    for text in ('value="Ada"', 'value="half an addr"', 'name="row" value="1"', 'name="row-1-name"'):
        assert text in html
    assert '<option value="STAFF" selected>' in html
    assert "Invalid email" not in html
    assert sent(upstream) == []


def test_a_row_is_taken_out_without_javascript_and_nothing_else_typed_is_lost(administrator, upstream):
    people = ("Ada", "half an addr"), ("Bob", "bob@clinic.example"), ("Cy", "cy@clinic.example")
    html = administrator.post(INVITE, rows(*people, remove="1")).content.decode()
    for text in ('value="Ada"', 'value="half an addr"', 'value="Cy"', 'name="row" value="0"', 'name="row" value="2"'):
        assert text in html
    assert "Bob" not in html
    assert html.count('name="row"') == 2
    assert "Invalid email" not in html
    assert re.search(r'<input[^>]*name="row-2-name"[^>]* autofocus', html), "the one that took its place"
    assert html.count('name="remove"') == 2
    first = administrator.post(INVITE, rows(*people, remove="0")).content.decode()
    assert 'value="Ada"' not in first
    assert re.search(r'<input[^>]*name="row-1-name"[^>]* autofocus', first)
    assert sent(upstream) == []


def test_enter_in_a_field_sends_and_takes_nothing_out(administrator):
    html = administrator.post(INVITE, rows(("Ada", ""), add_row="1")).content.decode()
    form = html[html.index('<form class="form card"') :]
    assert 'name="remove" value="1"' in form
    first = re.search(r"<button[^>]*>", form)
    assert first
    assert 'type="submit"' in first[0]
    assert "name=" not in first[0]


@pytest.mark.req("AX-02")
def test_the_row_that_was_added_is_typed_into_at_once(administrator):
    assert not re.search(r'name="row-[^>]* autofocus', administrator.get(INVITE).content.decode())
    html = administrator.post(INVITE, rows(("Ada", ""), add_row="1")).content.decode()
    assert re.search(r'<input[^>]*name="row-1-name"[^>]* autofocus', html)


@pytest.mark.parametrize("remove", ["0", "7", "x", ""])
def test_a_forged_row_takes_nothing_else_out(administrator, upstream, remove):
    html = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), remove=remove)).content.decode()
    assert html.count('name="row"') == 1
    assert sent(upstream) == []


def test_there_is_an_end_to_rows(administrator):
    html = administrator.post(INVITE, rows(*[("", "")] * 20, add_row="1")).content.decode()
    assert html.count('name="row"') == 20
    assert "Add row" not in html


@pytest.mark.req("ER-20", "ER-35")
def test_one_address_that_is_taken_is_told_above_and_at_its_field_only(administrator, upstream):
    refused = factories.refusal(13008, fields=[{"field": "email", "code": 13008}])
    upstream.forget("POST", CALL)
    upstream.answers("POST", CALL, refused, status=409)
    html = administrator.post(INVITE, rows(("Bob", "bob@clinic.example"))).content.decode()
    assert html.count("Failed to send the invitation.") == 1
    assert html.count("This email is already in use") == 2
    assert "Fix this problem:" not in html
    assert "could not be invited" not in html

    two = rows(("Bob", "bob@clinic.example"), ("Cy", "cy@clinic.example"), form_id=FORM_ID.replace("0", "1"))
    html = administrator.post(INVITE, two).content.decode()
    assert html.count("These users could not be invited.") == 1
    assert "Failed to send the invitation." not in html
    assert html.count("This email is already in use") == 4
    assert "\u2068Bob\u2069: This email is already in use" in html


@pytest.mark.parametrize("row", [[], ["x"], ["-1"], ["0", "0"], ["9" * 50], ["٣"]])
def test_forged_row_numbers_make_no_error(administrator, row):
    assert administrator.post(INVITE, {"row": row, "add_row": "1"}).status_code == 200
    assert administrator.post(INVITE, {"row": row}).status_code == 422


@pytest.mark.req("VA-34", "VA-35")
def test_what_is_missing_or_wrong_is_told_in_each_row_and_nobody_is_invited(administrator, upstream, visit):
    response = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), ("", "no address"), ("", "")))
    html = response.content.decode()
    assert response.status_code == 422
    assert html.count("Enter name") == 2, "at the field and in the summary"
    assert html.count("Invalid email") == 2
    assert html.count('name="row"') == 2, "the empty row is left out"
    assert sent(upstream) == []


@pytest.mark.req("ER-20", "DM-02")
def test_a_row_that_is_refused_stays_with_its_reason_and_stops_nobody_else(administrator, upstream):
    def answer(call):
        if b"bob@" in call.body:
            return 409, {}, json.dumps(factories.refusal(13008, fields=[{"field": "email", "code": 13008}]))
        return 201, {}, '{"id": "u-9"}'

    upstream.forget("POST", CALL)
    upstream.callback("POST", CALL, answer)
    people = ("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example"), ("Cy", "cy@clinic.example")
    response = administrator.post(INVITE, rows(*people))
    html = response.content.decode()
    assert response.status_code == 409
    assert "2 invitations sent." in html
    assert '<bdi dir="ltr">cy@clinic.example</bdi>' in html
    assert "Failed to send the invitation." in html
    assert "This email is already in use" in html
    assert 'value="Bob"' in html
    assert 'value="Ada"' not in html
    assert len(sent(upstream)) == 3


@pytest.mark.req("LS-18")
def test_each_row_has_its_own_key_which_it_keeps_when_it_is_sent_again(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=524)
    administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example")))
    again = rows(("", ""), ("Bob", "bob@clinic.example")) | {"row": ["1"]}
    assert "It is not known whether the invitation was sent." in administrator.post(INVITE, again).content.decode()
    ada, bob, bob_again = [call.headers["Idempotency-Key"] for call in upstream.calls("POST", CALL)]
    assert ada != bob
    assert bob == bob_again


@pytest.mark.req("LS-18")
def test_a_repeated_submit_invites_once(administrator, upstream):
    form = rows(("Ada", "ada@clinic.example"))
    first, second = administrator.post(INVITE, form), administrator.post(INVITE, form)
    assert first.headers["Location"] == second.headers["Location"]
    assert len(sent(upstream)) == 1


@pytest.mark.req("DM-11")
def test_the_next_one_starts_with_the_same_team_and_type(administrator, visit):
    back = f"{LIST}?status=INVITED"
    response = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), another="1", back=back))
    html = visit(response.headers["Location"]).response.content.decode()
    assert '<option value="STAFF" selected>' in html
    assert '<option value="t-1" selected>' in html
    assert f'name="back" value="{back}"' in html
    assert "Invitation sent to <a" in html
    assert re.search(r'<input[^>]*name="row-0-name"[^>]* autofocus', html)


@pytest.mark.req("DM-16", "ST-53")
@pytest.mark.parametrize(
    ("status", "told"), [("INVITED", "Expires Nov 25, 2026"), ("INVITATION_EXPIRED", "Expired Nov 25, 2026")]
)
def test_the_list_tells_when_an_invitation_ends_and_offers_what_fits(administrator, upstream, status, told):
    waiting = factories.user(status=status, lastLoginDate=None, invitationExpiresDate="2026-11-25T08:30:00Z")
    upstream.answers("GET", CALL, factories.listing([waiting, factories.user(2)]))
    html = administrator.get(LIST).content.decode()
    assert told in html
    for path in ("u-1/invitation/cancel", "u-2/delete"):
        assert f' href="user/{path}"' in html
    assert 'form="act-users" formaction="user/u-1/invitation/resend"' in html
    assert "u-2/invitation" not in html


@pytest.mark.req("DM-15", "ST-53")
@pytest.mark.parametrize(("form", "goto"), [({}, LIST), ({"stay": "1"}, f"{LIST}/u-1")])
def test_an_invitation_is_sent_again(administrator, upstream, visit, form, goto):
    assert "Resend invitation to \u2068User 1\u2069?" in visit(RESEND).response.content.decode()
    response = administrator.post(RESEND, form)
    assert (response.status_code, response.headers["Location"]) == (303, goto)
    assert len(upstream.calls("PUT", "/invitation/resend")) == 1
    assert (
        "Invitation sent to \u2068User 1\u2069 (\u2068user1@clinic.example\u2069). It expires Nov 28, 2026."
        in as_read(administrator.get(goto).content.decode())
    )


@pytest.mark.req("SEC-53")
def test_an_invitation_whose_answer_was_lost_is_sent_again_with_the_same_key(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", {}, status=524)
    html = administrator.post(RESEND, {"form_id": FORM_ID}).content.decode()
    assert "It is not known whether the invitation was sent." in html
    assert f'href="{LIST}" target="_blank"' in html
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", {"invitationExpiresDate": "2026-11-28T08:30:00Z"})
    assert administrator.post(RESEND, {"form_id": FORM_ID, "sent_before": "1"}).status_code == 303
    first, again = [call.headers["Idempotency-Key"] for call in upstream.calls("PUT", "/invitation/resend")]
    assert first == again


@pytest.mark.req("SEC-52")
def test_several_people_who_may_have_been_invited_are_never_called_not_invited(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=524)
    people = ("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example")
    html = administrator.post(INVITE, rows(*people)).content.decode()
    assert "It is not known whether the invitation was sent." in html
    assert "could not be invited" not in html
    assert f'href="{LIST}" target="_blank"' in html


def act_form(administrator, upstream, address, **user):
    """What the hidden form of this list sends, for the acts of all its rows."""
    upstream.answers("GET", CALL, factories.listing([factories.user(status="INVITED", **user), factories.user(2)]))
    html = administrator.get(address).content.decode()
    (form,) = re.findall(r'<form id="act-users" method="post" action="[^"]*" hidden>(.*?)</form>', html, re.DOTALL)
    return {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="(.*?)"', form)}


@pytest.mark.req("DM-15", "DM-19", "LS-13")
@pytest.mark.parametrize("address", [f"{LIST}?status=INVITED&sort=name", "/user-manage/user?status=INVITED"])
def test_an_invitation_is_sent_again_from_its_row_without_a_question(administrator, upstream, address):
    form = act_form(administrator, upstream, address)
    assert sorted(form) == ["back", "csrfmiddlewaretoken", "form_id", "sender"]
    response = administrator.post(RESEND, form)
    assert (response.status_code, response.headers["Location"]) == (303, address)
    assert len(upstream.calls("PUT", "/invitation/resend")) == 1
    assert (
        "Invitation sent to \u2068User 1\u2069 (\u2068user1@clinic.example\u2069). It expires Nov 28, 2026."
        in as_read(administrator.get(address).content.decode())
    )


@pytest.mark.req("DM-15", "LS-18")
def test_a_script_sends_the_same_form_and_the_message_is_told_once(administrator, upstream):
    form = act_form(administrator, upstream, LIST)
    json_please = {"Accept": "application/json"}
    for _ in range(2):
        answer = administrator.post(RESEND, form, headers=json_please).json()
        told = {name: answer[name] for name in ("ok", "message", "item", "goto")}
        message = "Invitation sent to \u2068User 1\u2069 (\u2068user1@clinic.example\u2069). It expires Nov 28, 2026."
        assert told == {"ok": True, "message": message, "item": {"id": "u-1", "is_stale": False}, "goto": ""}
    assert len(upstream.calls("PUT", "/invitation/resend")) == 1, "the same form is not carried out twice"
    assert "Invitation sent" not in administrator.get(LIST).content.decode()
    administrator.post(RESEND, form | {"form_id": FORM_ID.replace("-", "")}, headers=json_please)
    assert len(upstream.calls("PUT", "/invitation/resend")) == 2


@pytest.mark.req("ER-20", "ST-53")
def test_a_script_is_told_why_an_invitation_was_not_sent(administrator, upstream):
    form = act_form(administrator, upstream, LIST)
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", factories.refusal(13009), status=409)
    response = administrator.post(RESEND, form, headers={"Accept": "application/json"})
    message = "Failed to send the invitation. This user has no pending invitation."
    assert (response.status_code, response.json()["ok"], response.json()["message"]) == (409, False, message)


def test_a_list_whose_rows_have_no_acts_has_no_form_for_them(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([]))
    assert 'id="act-' not in administrator.get("/user-manage/clinic/g-1/team").content.decode()


@pytest.mark.req("DM-16", "ST-53")
def test_an_invitation_is_taken_back_after_a_question(administrator, upstream, visit):
    html = visit(CANCEL).response.content.decode()
    assert "Cancel the invitation of \u2068User 1\u2069?" in html
    assert not upstream.calls("DELETE")
    response = administrator.post(CANCEL, {"back": f"{LIST}?status=INVITED"})
    assert response.headers["Location"] == f"{LIST}?status=INVITED"
    assert len(upstream.calls("DELETE", "/invitation")) == 1
    assert "The invitation of \u2068User 1\u2069 (\u2068user1@clinic.example\u2069) was canceled." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("ST-53")
@pytest.mark.parametrize(("path", "method"), [(RESEND, "PUT"), (CANCEL, "DELETE")])
def test_who_accepted_meanwhile_is_told(administrator, upstream, path, method):
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", factories.refusal(13009), status=409)
    upstream.answers("DELETE", f"{CALL}/u-1/invitation", factories.refusal(13009), status=409)
    response = administrator.post(path, {})
    html = response.content.decode()
    assert response.status_code == 409
    assert "\u2068User 1\u2069 has already accepted the invitation." in html
    assert f'action="{path}"' not in html, "there is nothing left to press"
    assert len(upstream.calls(method, "/invitation")) + len(upstream.calls(method, "/resend")) == 1


@pytest.mark.req("ST-53", "EN-45")
@pytest.mark.parametrize("path", [RESEND, CANCEL])
@pytest.mark.parametrize("status", ["ACTIVE", "LOCKED"])
def test_there_is_nothing_to_send_or_take_back_from_who_accepted(administrator, upstream, visit, path, status):
    upstream.answers("GET", f"{CALL}/u-1", factories.user(status=status))
    assert "\u2068User 1\u2069 has already accepted the invitation." in visit(path).response.content.decode()


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(
    ("path", "told"),
    [(RESEND, "Failed to send the invitation."), (CANCEL, "Failed to cancel the invitation.")],
)
def test_a_failure_is_told_and_can_be_tried_again(administrator, upstream, path, told):
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", factories.refusal(10000), status=500)
    upstream.answers("DELETE", f"{CALL}/u-1/invitation", factories.refusal(10000), status=500)
    response = administrator.post(path, {})
    html = response.content.decode()
    assert response.status_code == 502
    assert told in html
    assert f'action="{path}"' in html


@pytest.mark.req("VA-14", "UC-06")
def test_people_whose_addresses_are_taken_are_told_row_by_row(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers/exist", {"resultCount": 1})
    response = administrator.post(INVITE, rows(("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example")))
    html = response.content.decode()
    assert response.status_code == 422
    assert html.count("This email is already in use") >= 2
    assert 'value="Ada"' in html
    assert sent(upstream) == []


@pytest.mark.req("ER-05")
def test_a_row_that_may_have_been_invited_is_not_called_taken_when_another_was_refused(administrator, upstream):
    upstream.forget("POST", CALL)
    upstream.in_turn("POST", CALL, (524, {}), (422, factories.refusal(10002)), (200, {"id": "u-9"}))
    form = rows(("Ada", "ada@clinic.example"), ("Bob", "bob@clinic.example"))
    html = administrator.post(INVITE, form).content.decode()
    assert "It is not known whether the invitation was sent." in html
    upstream.answers("GET", "/v1/bizUsers/exist", {"resultCount": 1})
    assert administrator.post(INVITE, form).status_code == 303
