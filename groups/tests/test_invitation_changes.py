"""Pending invitations: shown in the list, resent, and canceled."""

import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.reading import as_read, is_unconfirmed

LIST = "/user-manage/clinic/g-1/user"
RESEND = f"{LIST}/u-1/invitation/resend"
CANCEL = f"{LIST}/u-1/invitation/cancel"
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


@pytest.mark.req("DM-16", "ST-53")
@pytest.mark.parametrize(
    ("status", "text"), [("INVITED", "Expires Nov 25, 2026"), ("INVITATION_EXPIRED", "Expired Nov 25, 2026")]
)
def test_the_list_shows_when_an_invitation_expires_and_offers_matching_actions(administrator, upstream, status, text):
    waiting = factories.user(status=status, lastLoginDate=None, invitationExpiresDate="2026-11-25T08:30:00Z")
    upstream.answers("GET", CALL, factories.listing([waiting, factories.user(2)]))
    html = administrator.get(LIST).content.decode()
    assert text in html
    for path in ("u-1/invitation/cancel", "u-2/delete"):
        assert f' href="user/{path}"' in html
    assert 'form="act-users" formaction="user/u-1/invitation/resend"' in html
    assert "u-2/invitation" not in html


@pytest.mark.req("DM-15", "ST-53")
@pytest.mark.parametrize(("form", "goto"), [({}, LIST), ({"stay": "1"}, f"{LIST}/u-1")])
def test_an_invitation_is_resent(administrator, upstream, visit, form, goto):
    assert "Resend the invitation to \u2068User 1\u2069?" in visit(RESEND).response.content.decode()
    response = administrator.post(RESEND, form)
    assert (response.status_code, response.headers["Location"]) == (303, goto)
    assert len(upstream.calls("PUT", "/invitation/resend")) == 1
    assert (
        "Invitation sent to \u2068User 1\u2069 (\u2068user1@clinic.example\u2069). It expires on November 28, 2026."
        in as_read(administrator.get(goto).content.decode())
    )


@pytest.mark.req("SEC-53")
def test_an_invitation_whose_answer_was_lost_is_resent_with_the_same_key(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", {}, status=524)
    html = administrator.post(RESEND, {"form_id": FORM_ID}).content.decode()
    assert is_unconfirmed(html, "Resend invitation")
    assert f'href="{LIST}" target="_blank"' in html
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", {"invitationExpiresDate": "2026-11-28T08:30:00Z"})
    assert administrator.post(RESEND, {"form_id": FORM_ID, "sent_before": "1"}).status_code == 303
    first, second = [call.headers["Idempotency-Key"] for call in upstream.calls("PUT", "/invitation/resend")]
    assert first == second


def row_action_form(administrator, upstream, address, **user):
    """Return the values of the hidden form that the actions of all rows of a list send."""
    upstream.answers("GET", CALL, factories.listing([factories.user(status="INVITED", **user), factories.user(2)]))
    html = administrator.get(address).content.decode()
    (form,) = re.findall(r'<form id="act-users" method="post" action="[^"]*" hidden>(.*?)</form>', html, re.DOTALL)
    return {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="(.*?)"', form)}


@pytest.mark.req("DM-15", "DM-19", "LS-13")
@pytest.mark.parametrize("address", [f"{LIST}?status=INVITED&sort=name", "/user-manage/user?status=INVITED"])
def test_an_invitation_is_resent_from_its_row_without_confirmation(administrator, upstream, address):
    form = row_action_form(administrator, upstream, address)
    assert sorted(form) == ["back", "csrfmiddlewaretoken", "form_id", "sender"]
    response = administrator.post(RESEND, form)
    assert (response.status_code, response.headers["Location"]) == (303, address)
    assert len(upstream.calls("PUT", "/invitation/resend")) == 1
    assert (
        "Invitation sent to \u2068User 1\u2069 (\u2068user1@clinic.example\u2069). It expires on November 28, 2026."
        in as_read(administrator.get(address).content.decode())
    )


@pytest.mark.req("DM-15", "LS-18")
def test_a_script_that_repeats_a_form_learns_that_nothing_was_repeated(administrator, upstream):
    form = row_action_form(administrator, upstream, LIST)
    json_please = {"Accept": "application/json"}
    resubmitted = "This form was already submitted, so it wasn't processed again. Result of the first submission: "
    for beginning in ("", resubmitted):
        answer = administrator.post(RESEND, form, headers=json_please).json()
        message = (
            "Invitation sent to \u2068User 1\u2069 (\u2068user1@clinic.example\u2069). It expires on November 28, 2026."
        )
        assert answer["message"] == beginning + message
        assert (answer["ok"], answer["item"], answer["goto"]) == (True, {"id": "u-1", "is_stale": False}, "")
    assert len(upstream.calls("PUT", "/invitation/resend")) == 1, "the same form is not carried out twice"
    assert "Invitation sent" not in administrator.get(LIST).content.decode()
    administrator.post(RESEND, form | {"form_id": FORM_ID.replace("-", "")}, headers=json_please)
    assert len(upstream.calls("PUT", "/invitation/resend")) == 2


@pytest.mark.req("ER-20", "ST-53")
def test_a_script_gets_the_reason_why_an_invitation_was_not_sent(administrator, upstream):
    form = row_action_form(administrator, upstream, LIST)
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", factories.refusal(13009), status=409)
    response = administrator.post(RESEND, form, headers={"Accept": "application/json"})
    message = "Failed to send the invitation. This user has no pending invitation."
    assert (response.status_code, response.json()["ok"], response.json()["message"]) == (409, False, message)


def test_a_list_whose_rows_have_no_actions_has_no_form_for_them(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([]))
    assert 'id="act-' not in administrator.get("/user-manage/clinic/g-1/team").content.decode()


@pytest.mark.req("DM-16", "ST-53")
def test_an_invitation_is_canceled_after_confirmation(administrator, upstream, visit):
    html = visit(CANCEL).response.content.decode()
    assert "Cancel the invitation for \u2068User 1\u2069?" in html
    assert ">Keep invitation</a>" in html
    assert ">Cancel</a>" not in html
    assert not upstream.calls("DELETE")
    response = administrator.post(CANCEL, {"back": f"{LIST}?status=INVITED"})
    assert response.headers["Location"] == f"{LIST}?status=INVITED"
    assert len(upstream.calls("DELETE", "/invitation")) == 1
    assert "Invitation for \u2068User 1\u2069 (\u2068user1@clinic.example\u2069) canceled." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("ST-53")
@pytest.mark.parametrize(("path", "method"), [(RESEND, "PUT"), (CANCEL, "DELETE")])
def test_a_user_who_has_accepted_by_now_is_reported(administrator, upstream, path, method):
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
def test_an_accepted_invitation_can_not_be_resent_or_canceled(administrator, upstream, visit, path, status):
    upstream.answers("GET", f"{CALL}/u-1", factories.user(status=status))
    assert "\u2068User 1\u2069 has already accepted the invitation." in visit(path).response.content.decode()


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(
    ("path", "message"),
    [(RESEND, "Failed to send the invitation."), (CANCEL, "Failed to cancel the invitation.")],
)
def test_a_failure_is_reported_and_can_be_retried(administrator, upstream, path, message):
    upstream.answers("PUT", f"{CALL}/u-1/invitation/resend", factories.refusal(10000), status=500)
    upstream.answers("DELETE", f"{CALL}/u-1/invitation", factories.refusal(10000), status=500)
    response = administrator.post(path, {})
    html = response.content.decode()
    assert response.status_code == 502
    assert message in html
    assert f'action="{path}"' in html
