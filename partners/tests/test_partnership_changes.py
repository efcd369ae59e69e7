"""Requests are accepted, rejected and canceled, and partnerships ended: one at a time, with and without a script."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.support import factories
from tests.support.reading import as_read

LIST = "/partner-manage/list"
ONE = "/partner-manage/partnership/p-1"
CALL = "/v1/bizPartnerships/p-1"
JSON = {"Accept": "application/json"}
FORM_ID = "11111111-1111-4111-8111-111111111111"
CONFIRMED = {"confirmed": "1"}
"""The data of a confirmed form."""
GONE = {"labLeftDate": "2026-01-01T00:00:00Z"}

ACTIONS = {
    # action: initial state, next status, start of the failure message, code of a refusal
    "accept": ({}, "ACCEPTED", "Failed to accept the partnership request.", 16006),
    "reject": ({}, "REJECTED", "Failed to reject the partnership request.", 16006),
    "cancel": ({"requestedBy": "ORGANIZATION"}, "CANCELLED", "Failed to cancel the partnership request.", 16005),
}
EACH = pytest.mark.parametrize("action", ACTIONS)


@pytest.fixture
def administrator(administrator, upstream):
    is_stored(upstream)
    return administrator


def is_stored(upstream, **values):
    row = factories.partnership(**values)
    upstream.answers("GET", CALL, row)
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([row]))


@pytest.mark.req("UC-10", "UC-11", "DM-28")
@EACH
def test_a_change_is_made_after_a_confirmation_and_redirects(administrator, upstream, visit, action):
    fits = ACTIONS[action][0]
    is_stored(upstream, **fits)
    html = visit(f"{ONE}/{action}").response.content.decode()
    assert "Smile Lab" in html
    assert upstream.calls("PUT") == []
    upstream.answers("PUT", f"{CALL}/{action}", {"version": 4})
    answer = administrator.post(f"{ONE}/{action}", {"back": f"{LIST}/sent?keyword=kim", **CONFIRMED})
    assert answer.status_code == 303
    to = answer.headers["Location"]
    if action == "accept":
        assert to.startswith("/partner-manage/ordering?id=p-1&back=")
    else:
        assert to == f"{LIST}/sent?keyword=kim"
    assert len(upstream.calls("PUT", f"{CALL}/{action}")) == 1


def test_the_way_back_from_canceling_a_request_keeps_it(administrator, upstream):
    is_stored(upstream, requestedBy="ORGANIZATION")
    html = administrator.get(f"{ONE}/cancel").content.decode()
    assert ">Keep request</a>" in html
    assert ">Cancel</a>" not in html


@pytest.mark.req("LS-13")
def test_after_an_end_one_is_where_one_came_from_or_at_the_partners(administrator, upstream):
    is_partner(upstream)
    for referer, back in (("sent?keyword=x", f"{LIST}/sent?keyword=x"), ("", f"{LIST}/partners")):
        headers = {"Referer": f"http://testserver{LIST}/{referer}"} if referer else {}
        html = administrator.get(ONE, headers=headers).content.decode()
        (end,) = re.findall(r'href="(/partner-manage/partnership/p-1/end[^"]*)"', html)
        assert f'name="back" value="{back}"' in administrator.get(end).content.decode()


@pytest.mark.req("UC-10", "UC-11")
@EACH
def test_with_a_script_the_browser_stays_in_the_list(administrator, upstream, action):
    upstream.answers("PUT", f"{CALL}/{action}", {})
    answer = administrator.post(f"{ONE}/{action}", {"back": LIST}, headers=JSON).json()
    assert (answer["ok"], answer["goto"], answer["item"]["id"]) == (True, "", "p-1")


@pytest.mark.req("UC-11")
def test_with_a_script_an_acceptance_links_to_who_can_order(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/accept", {})
    answer = administrator.post(f"{ONE}/accept", {"back": LIST}, headers=JSON).json()
    assert answer["item"]["next"]["href"].startswith("/partner-manage/ordering?id=p-1")
    assert "⁨Smile Lab⁩ is now a partner of ⁨Clinic 1⁩." in answer["message"]


@pytest.mark.req("UC-11")
def test_an_acceptance_for_a_user_asks_for_no_clinic_that_can_order(administrator, upstream):
    is_stored(upstream, owner={"type": "USER", "id": "u-7", "name": "Doctor Kim"})
    upstream.answers("PUT", f"{CALL}/accept", {})
    answer = administrator.post(f"{ONE}/accept", {"back": LIST}, headers=JSON).json()
    assert (answer["ok"], answer["item"].get("next")) == (True, None)
    answer = administrator.post(f"{ONE}/accept", {"confirmed": "1", "form_id": FORM_ID, "back": LIST})
    assert (answer.status_code, answer.headers["Location"]) == (303, LIST)


@pytest.mark.req("UC-11", "LS-09")
@pytest.mark.parametrize("action", ["accept", "reject"])
@pytest.mark.parametrize("back", [f"{LIST}?keyword=kim", "/decisions"])
def test_without_a_script_a_row_action_asks_first(administrator, upstream, visit, action, back):
    upstream.answers("PUT", f"{CALL}/{action}", {})
    answer = administrator.post(f"{ONE}/{action}", {"form_id": FORM_ID, "back": back})
    assert answer.status_code == 303
    assert upstream.calls("PUT") == []
    hidden = visit(answer.headers["Location"]).all("main form input[type=hidden]")
    fields = {field.attributes["name"]: field.attributes["value"] for field in hidden}
    assert fields["back"] == back
    assert administrator.post(f"{ONE}/{action}", fields).status_code == 303
    assert len(upstream.calls("PUT", f"{CALL}/{action}")) == 1


@pytest.mark.req("UC-10", "DM-40")
@pytest.mark.parametrize("headers", [{}, JSON])
def test_a_canceled_request_can_be_sent_again_with_the_same_message(administrator, upstream, headers):
    upstream.answers("PUT", f"{CALL}/cancel", {})
    answer = administrator.post(f"{ONE}/cancel", {"back": f"{LIST}/sent"}, headers=headers)
    undo = f"{ONE}/send-again"
    if headers:
        assert answer.json()["undo"] == undo
    else:
        html = administrator.get(f"{LIST}/sent").content.decode()
        assert f'<form method="post" action="{undo}">' in html
    is_stored(upstream, status="CANCELLED", requestedBy="ORGANIZATION", message="Hello\nyou")
    upstream.answers("POST", "/v1/bizPartnerships", {"id": "p-2"})
    assert administrator.post(undo, {"form_id": FORM_ID, "back": f"{LIST}/sent"}).status_code == 303
    (call,) = upstream.calls("POST", "/v1/bizPartnerships")
    assert json.loads(call.body) == {
        "labId": "l-1",
        "owner": {"type": "MAIN_GROUP", "id": "g-1"},
        "message": "Hello\nyou",
    }


@pytest.mark.req("ER-27", "ER-32")
@pytest.mark.parametrize("headers", [{}, JSON])
@EACH
def test_a_definite_failure_is_reported_as_failed(administrator, upstream, action, headers):
    fits, _becomes, failed, _code = ACTIONS[action]
    is_stored(upstream, **fits)
    upstream.answers("PUT", f"{CALL}/{action}", factories.refusal(10000), status=500)
    answer = administrator.post(f"{ONE}/{action}", CONFIRMED, headers=headers)
    assert answer.status_code == 502
    assert failed in answer.content.decode()
    assert "raw words" not in answer.content.decode()


@pytest.mark.req("ER-27", "ER-32")
@EACH
def test_a_lost_response_is_not_called_a_failure_and_the_stored_state_decides(administrator, upstream, action):
    fits, becomes, failed, _code = ACTIONS[action]
    upstream.answers("PUT", f"{CALL}/{action}", {}, status=524)
    is_stored(upstream, **fits)
    answer = administrator.post(f"{ONE}/{action}", CONFIRMED).content.decode()
    assert failed not in answer
    assert "t confirm whether this worked." in answer
    is_stored(upstream, status=becomes)
    assert administrator.post(f"{ONE}/{action}", {"form_id": FORM_ID, **CONFIRMED}).status_code == 303


@pytest.mark.req("UC-11")
@pytest.mark.parametrize("headers", [{}, JSON])
@EACH
def test_a_late_change_is_refused_with_the_new_state(administrator, upstream, action, headers):
    _fits, _becomes, failed, code = ACTIONS[action]
    is_stored(upstream, status="ENDED")
    upstream.answers("PUT", f"{CALL}/{action}", factories.refusal(code), status=409)
    answer = administrator.post(f"{ONE}/{action}", CONFIRMED, headers=headers)
    text = json.loads(answer.content)["message"] if headers else as_read(answer.content.decode())
    assert answer.status_code == 409
    for part in (failed, "Current status: Ended."):
        assert part in text
    if headers:
        assert answer.json()["item"]["is_stale"] is True, "the row in the list is read again"


@EACH
def test_a_change_that_the_state_does_not_allow_is_reported_without_a_form(administrator, upstream, visit, action):
    for values, message in (
        ({"status": "ENDED"}, "Current status: Ended."),
        (GONE, "This lab is no longer available."),
    ):
        is_stored(upstream, **values)
        html = as_read(visit(f"{ONE}/{action}").response.content.decode())
        assert message in html
        assert 'name="form_id"' not in html


@pytest.mark.parametrize("action", [*ACTIONS, "end", "send-again"])
def test_a_partnership_of_another_organization_is_not_changed(administrator, upstream, action):
    is_stored(upstream, organizationId="o-2")
    assert administrator.post(f"{ONE}/{action}", CONFIRMED).status_code == 404
    assert upstream.calls("PUT") == upstream.calls("POST", "/v1/bizPartnerships") == []


def is_partner(upstream, **values):
    is_stored(upstream, status="ACCEPTED", contractDate="2026-03-01T00:00:00Z", **values)


@pytest.mark.req("UC-12", "VA-32")
def test_a_partnership_ends_after_the_labs_name_is_typed(administrator, upstream, visit):
    is_partner(upstream)
    html = visit(f"{ONE}/end").response.content.decode()
    assert "Enter the lab name to end the partnership" in html
    upstream.answers("PUT", f"{CALL}/end", {"version": 4})
    for entered, message in (("", "Enter the lab name"), ("Smile", "The name doesn't match")):
        answer = administrator.post(f"{ONE}/end", {"version": 3, "typed_name": entered})
        assert (answer.status_code, message in unescape(answer.content.decode())) == (422, True)
    assert upstream.calls("PUT") == []
    answer = administrator.post(f"{ONE}/end", {"version": 3, "typed_name": " smile  lab", "back": f"{LIST}/partners"})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{LIST}/partners")
    (call,) = upstream.calls("PUT", f"{CALL}/end")
    assert call.headers["If-Match"] == '"3"'


@pytest.mark.req("UC-12")
@pytest.mark.parametrize(("kind", "subject"), [("MAIN_GROUP", "Users in this clinic"), ("USER", "This user")])
def test_the_end_of_a_partnership_names_the_clinic_or_user_that_loses_the_lab(administrator, upstream, kind, subject):
    is_partner(upstream, owner={"type": kind, "id": "x-7", "name": "Kim"})
    html = administrator.get(f"{ONE}/end").content.decode()
    sentence = "will no longer be able to order from this lab. You can send a new request later."
    assert re.findall(rf"<p>(.*) {re.escape(sentence)}</p>", html) == [subject]


ONGOING = {"reason": "ONGOING_ORDERED_CASE", "count": 2, "refs": [{"type": "CASE", "id": "c-1", "label": "Case 1"}]}


@pytest.mark.req("UC-12", "VA-32", "DM-18")
def test_known_orders_are_shown_instead_of_the_form(administrator, upstream, visit):
    is_partner(upstream, endBlockers=[ONGOING])
    html = visit(f"{ONE}/end").response.content.decode()
    for part in ("You can&#39;t end this partnership yet.", "2 ordered cases are still in progress", "Case 1"):
        assert part in html
    assert 'name="typed_name"' not in html
    assert "You can&#39;t end this partnership yet." in visit(ONE).response.content.decode()


@pytest.mark.req("LS-13")
@pytest.mark.parametrize(
    ("back", "label"),
    [
        (f"{LIST}/partners?keyword=kim", "Back to list"),
        ("/user-manage/clinic/g-1/partner", "Back to list"),
        ("/decisions", "Back to list"),
        ("/user-manage/clinic/g-1/delete", "Back"),
        ("/user-manage/clinic/g-1/user/u-1", "Back"),
        ("/partner-manage/lab/l-1", "Back"),
    ],
)
def test_only_a_list_is_called_one_in_the_link_back(administrator, upstream, visit, back, label):
    query = urlencode({"back": back})
    is_partner(upstream, endBlockers=[ONGOING])
    assert visit(f"{ONE}?{query}").links[label] == back
    assert visit(f"{ONE}/end?{query}").links[label] == back, "blocked"
    is_stored(upstream, status="ENDED")
    assert visit(f"{ONE}/end?{query}").links[label] == back, "not possible"
    assert visit(f"{ONE}/reject?{query}").links[label] == back


@pytest.mark.req("UC-12", "VA-32", "ER-28")
@pytest.mark.parametrize(
    ("code", "reasons", "message"),
    [
        (16007, [ONGOING], "2 ordered cases are still in progress"),
        (16007, [], "An order with the lab is in progress."),
        (16008, [], "An order is pending at the lab."),
    ],
)
def test_orders_in_a_refusal_are_shown_after_it(administrator, upstream, code, reasons, message):
    is_partner(upstream)
    details = {"reasons": reasons} if reasons else {}
    upstream.answers("PUT", f"{CALL}/end", factories.refusal(code, **details), status=409)
    answer = administrator.post(f"{ONE}/end", {"version": 3, "typed_name": "Smile Lab"})
    html = as_read(answer.content.decode())
    assert answer.status_code == 409
    assert "Failed to end the partnership." in html
    assert message in html


@pytest.mark.req("ER-28")
@pytest.mark.parametrize(
    ("status", "code", "message"),
    [(500, 10000, "Failed to end the partnership."), (524, 0, "t confirm whether this worked.")],
)
def test_a_definite_failure_to_end_has_failed_and_a_lost_response_has_not(
    administrator, upstream, status, code, message
):
    is_partner(upstream)
    upstream.answers("PUT", f"{CALL}/end", factories.refusal(code), status=status)
    answer = administrator.post(f"{ONE}/end", {"version": 3, "typed_name": "Smile Lab"})
    assert message in as_read(answer.content.decode())


def test_a_partnership_that_another_administrator_ended_has_ended(administrator, upstream):
    upstream.remove("GET", CALL)
    upstream.answers_in_order(
        "GET", CALL, (200, factories.partnership(status="ACCEPTED")), (200, factories.partnership(status="ENDED"))
    )
    upstream.answers("PUT", f"{CALL}/end", factories.refusal(10004), status=404)
    answer = administrator.post(f"{ONE}/end", {"version": 3, "typed_name": "Smile Lab"})
    assert answer.status_code == 409
    assert "This partnership no longer exists. Current status: Ended." in " ".join(get_messages(answer))


def get_messages(answer):
    """Return the sentences of the alert."""
    return re.findall(r"<p>([^<]*)</p>", answer.content.decode())


def test_an_end_with_a_stale_version_is_asked_again(administrator, upstream):
    is_partner(upstream)
    assert administrator.post(f"{ONE}/end", {"typed_name": "Smile Lab"}).status_code == 412
    assert upstream.calls("PUT") == []


@pytest.mark.req("UC-11")
def test_after_an_acceptance_the_page_asks_who_can_order(administrator, upstream, visit):
    rows = [
        factories.partnership(1, status="ACCEPTED"),
        factories.partnership(2, status="ACCEPTED", labId="l-2", labName="Other Lab"),
        factories.partnership(3, status="ACCEPTED", owner={"type": "USER", "id": "u-7", "name": "Doctor Kim"}),
        factories.partnership(4, status="ENDED", labName="Past Lab"),
    ]
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing(rows))
    labs = [{"labId": "l-1", "labName": "Smile Lab", "status": "ACCEPTED", "allowed": False}]
    upstream.answers("GET", "/v1/bizMainGroups/g-1/permissions", {**factories.permissions(), "orderLabs": labs})
    page = f"/partner-manage/ordering?id=p-1&id=p-2&id=p-3&id=p-4&id=p-9&back={LIST}%2Fpartners"
    html = visit(page).response.content.decode()
    for part in (
        "Who can order from these labs?",
        "No one can order yet",
        "Other Lab",
        "Doctor Kim",
        f'href="{LIST}/partners"',
    ):
        assert part in html
    assert "Past Lab" not in html
    assert html.count("Edit labs for this clinic") == 2
    assert re.findall(r'aria-label="([^"]*)">View user</a>', html) == ["View user: \u2068Doctor Kim\u2069"]
    assert html.count("/user-manage/clinic/g-1/permissions?back=%2Fpartner-manage%2Fordering") == 2
    assert len(upstream.calls("GET", "/v1/bizMainGroups/g-1/permissions")) == 1


def test_the_page_about_ordering_is_shown_if_permissions_can_not_be_read(administrator, upstream, visit):
    is_partner(upstream)
    upstream.answers("GET", "/v1/bizMainGroups/g-1/permissions", {}, status=500)
    assert "Edit labs for this clinic" in visit("/partner-manage/ordering?id=p-1").response.content.decode()
    for odd in ("", "?id=", "?id=%2F..&id=<b>", "?back=//evil.example"):
        assert "No partnership is selected" in visit(f"/partner-manage/ordering{odd}").response.content.decode()


@pytest.mark.req("UC-11")
def test_the_labs_of_a_clinic_return_to_the_page_about_ordering(administrator, upstream, visit):
    back = "/partner-manage/ordering?id=p-1"
    html = visit(f"/user-manage/clinic/g-1/permissions?back={back}").response.content.decode()
    assert f'<a class="back" href="{back}">' in html


@pytest.mark.req("UC-12", "RT-17")
@pytest.mark.parametrize(
    ("values", "called"),
    [
        ({"labName": ""}, "l-1"),
        ({"labName": " \u200b "}, "l-1"),
        ({"labName": "", "labId": ""}, "Unnamed lab"),
    ],
)
def test_a_partnership_with_a_lab_without_a_name_has_a_heading_and_can_be_ended(
    administrator, upstream, visit, values, called
):
    is_stored(upstream, status="ACCEPTED", owner={"type": "MAIN_GROUP"}, **values)
    html = visit(ONE).response.content.decode()
    assert f"<bdi translate=no>{called}</bdi></h1>" in html
    assert "Unnamed clinic" in html
    assert called in visit(f"{ONE}/end").response.content.decode()
    upstream.answers("PUT", f"{CALL}/end", {"version": 4})
    ended = administrator.post(f"{ONE}/end", {"back": f"{LIST}/partners", "typed_name": called, "version": "3"})
    assert ended.status_code == 303
    assert len(upstream.calls("PUT", f"{CALL}/end")) == 1
