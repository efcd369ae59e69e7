"""Decisions about one scanner: availability, confirmation, row actions, and concurrent changes."""

import itertools
import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.page import Page
from tests.support.reading import as_read

LIST, ONE = "/scanner-manage", "/scanner-manage/s-1"
CALL = "/v1/bizScanners"
JSON = {"Accept": "application/json"}
CONFIRMED = {"confirmed": "1"}
"""The data of a confirmed form."""
STATES = ("PENDING", "APPROVED", "DISAPPROVED", "APPROVAL_CANCELLED")
CALLS = {"approve": "approve", "disapprove": "disapprove", "cancel-approval": "cancelApproval"}
NEXT_STATUS = {"approve": "APPROVED", "disapprove": "DISAPPROVED", "cancel-approval": "APPROVAL_CANCELLED"}
ALLOWED = {
    ("PENDING", "approve"),
    ("PENDING", "disapprove"),
    ("APPROVED", "cancel-approval"),
    ("DISAPPROVED", "approve"),
    ("APPROVAL_CANCELLED", "approve"),
}
MATRIX = list(itertools.product(STATES, CALLS))
FAILED = {
    "approve": "Failed to approve the scanner.",
    "disapprove": "Failed to disapprove the scanner.",
    "cancel-approval": "Failed to cancel the approval of the scanner.",
}


@pytest.fixture
def administrator(administrator, upstream):
    for name in CALLS.values():
        upstream.answers("PUT", f"{CALL}/s-1/{name}", {"status": "?"})
    return administrator


def has(upstream, **values):
    upstream.has_scanners(factories.scanner(**values))


def has_states(upstream, *scanners):
    """Let the scanner have another state each time it is read."""
    upstream.remove("GET", CALL)
    upstream.answers_in_order(
        "GET", CALL, *[(200, factories.listing([factories.scanner(**values)])) for values in scanners]
    )


def puts(upstream):
    return [call.url.rpartition("/")[2] for call in upstream.calls("PUT")]


@pytest.mark.req("ST-27", "ST-28", "ST-29", "ST-30", "ST-31", "ST-32", "ST-33", "ST-34", "ST-35")
@pytest.mark.parametrize(("state", "decision"), MATRIX)
def test_the_state_determines_which_decisions_are_offered(administrator, upstream, state, decision):
    has(upstream, status=state)
    allowed = (state, decision) in ALLOWED
    for page in (LIST, ONE):
        assert (f"/s-1/{decision}" in administrator.get(page).content.decode()) == allowed
    view = administrator.get(LIST, headers=JSON).json()["item"]["list"]
    offered = [view["actions"][index]["path"] for index in view["rows"][0]["actions"]]
    assert (f"/{decision}" in offered) == allowed
    assert ("</button>" in main(administrator.get(f"{ONE}/{decision}"))) == allowed


def main(response):
    return re.findall(r'<div class="form card">.*|<form class="form card".*', response.content.decode(), re.DOTALL)[
        0
    ].split("</main>")[0]


@pytest.mark.req("UC-07")
def test_the_services_allowed_actions_take_precedence_over_the_state(administrator, upstream):
    has(upstream, status="APPROVED", allowedActions=["APPROVE"])
    html = administrator.get(LIST).content.decode()
    assert "s-1/approve" in html
    assert "s-1/cancel-approval" not in html
    has(upstream, allowedActions=[])
    assert "/s-1/" not in administrator.get(LIST).content.decode()
    assert "This isn&#39;t possible with the scanner&#39;s current status." in main(administrator.get(f"{ONE}/approve"))


@pytest.mark.req("UC-07", "LS-13")
@pytest.mark.parametrize(
    ("decision", "state", "title", "note", "message"),
    [
        (
            "approve",
            "PENDING",
            "Approve \u2068EA1-1001\u2069?",
            "It can be used in this organization only.",
            "was approved.",
        ),
        (
            "disapprove",
            "PENDING",
            "Disapprove \u2068EA1-1001\u2069?",
            "This doesn't block the scanner. You'll be asked to approve it again the next time it connects.",
            "was disapproved.",
        ),
        (
            "cancel-approval",
            "APPROVED",
            "Cancel the approval of \u2068EA1-1001\u2069?",
            "Other organizations will be able to use it. You'll be asked again the next time it connects here.",
            "The approval of \u2068EA1-1001\u2069 was canceled.",
        ),
    ],
)
def test_the_confirmation_says_what_the_decision_means_for_people(
    administrator, upstream, visit, decision, state, title, note, message
):
    has(upstream, status=state)
    html = unescape(visit(f"{ONE}/{decision}").response.content.decode())
    assert title in html
    assert note in html
    assert (">Keep approval</a>" in html) == (decision == "cancel-approval")
    assert upstream.calls("PUT") == []
    back = f"{LIST}?status={state}"
    response = administrator.post(f"{ONE}/{decision}", {"back": back, **CONFIRMED})
    assert (response.status_code, response.headers["Location"]) == (303, back)
    assert puts(upstream) == [CALLS[decision]]
    assert message in as_read(administrator.get(LIST).content.decode())


@pytest.mark.req("UC-07")
def test_approving_is_a_row_action_and_stays_in_the_list(administrator, upstream):
    view = administrator.get(LIST, headers=JSON).json()["item"]["list"]
    assert [(action["label"], action["is_act"]) for action in view["actions"]] == [
        ("Approve", True),
        ("Disapprove", False),
        ("Cancel approval", False),
    ]
    answer = administrator.post(f"{ONE}/approve", {"back": LIST}, headers=JSON).json()
    assert (answer["ok"], answer["item"], answer["goto"]) == (True, {"id": "s-1", "is_stale": False}, "")
    assert answer["message"] == "\u2068EA1-1001\u2069 was approved."


@pytest.mark.req("LS-13")
def test_a_decision_on_the_page_returns_there_and_the_page_to_the_list(administrator, upstream):
    html = administrator.get(f"{ONE}?back=/scanner-manage%3Fstatus%3DPENDING").content.decode()
    (href,) = re.findall(r'href="([^"]*disapprove[^"]*)"', html)
    question = administrator.get(unescape(href)).content.decode()
    (back,) = re.findall(r'name="back" value="([^"]*)"', question)
    response = administrator.post(f"{ONE}/disapprove", {"back": unescape(back)})
    assert response.headers["Location"] == f"{ONE}?back=%2Fscanner-manage%3Fstatus%3DPENDING"
    page = administrator.get(response.headers["Location"]).content.decode()
    assert '<a class="back" href="/scanner-manage?status=PENDING">' in page
    for elsewhere in ("https://evil.example/", "//evil.example", "/scanner-manage/s-1/approve", "/logout"):
        assert administrator.post(f"{ONE}/disapprove", {"back": elsewhere}).headers["Location"] == LIST


NOW = {
    "PENDING": "It's now pending.",
    "APPROVED": "It's now approved.",
    "DISAPPROVED": "It's now disapproved.",
    "APPROVAL_CANCELLED": "Its approval is now canceled.",
}


@pytest.mark.req("ER-21", "UC-07", "LS-17", "ST-35")
@pytest.mark.parametrize("now", [*STATES, "SOLD"])
@pytest.mark.parametrize("decision", CALLS)
def test_a_late_decision_is_refused_with_the_current_state(administrator, upstream, decision, now):
    before = next(state for state, what in ALLOWED if what == decision)
    upstream.answers("PUT", f"{CALL}/s-1/{CALLS[decision]}", factories.refusal(14001), status=409)
    state_text = NOW.get(now, "This isn't possible with the scanner's current status.")
    has_states(upstream, {"status": before}, {"status": now})
    answer = administrator.post(f"{ONE}/{decision}", headers=JSON)
    assert answer.status_code == 409
    assert answer.json()["message"] == f"{FAILED[decision]} {state_text}"
    assert answer.json()["item"] == {"id": "s-1", "is_stale": True}
    has_states(upstream, {"status": before}, {"status": now})
    html = unescape(administrator.post(f"{ONE}/{decision}", CONFIRMED).content.decode())
    assert FAILED[decision] in html
    assert state_text in html
    assert "raw words" not in html


@pytest.mark.req("ER-21")
def test_a_scanner_approved_by_another_organization_says_so(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/s-1/approve", factories.refusal(14002), status=409)
    answer = administrator.post(f"{ONE}/approve", headers=JSON).json()
    assert answer["message"] == "Failed to approve the scanner. Another organization has approved this scanner."
    assert "Another organization has approved this scanner." in administrator.post(f"{ONE}/approve").content.decode()


@pytest.mark.req("ER-21")
@pytest.mark.parametrize("decision", CALLS)
def test_a_failure_of_the_service_is_reported_correctly(administrator, upstream, decision):
    before = next(state for state, what in ALLOWED if what == decision)
    has(upstream, status=before)
    upstream.answers("PUT", f"{CALL}/s-1/{CALLS[decision]}", factories.refusal(10000), status=500)
    html = administrator.post(f"{ONE}/{decision}", CONFIRMED).content.decode()
    assert FAILED[decision] in html
    upstream.answers("PUT", f"{CALL}/s-1/{CALLS[decision]}", None, status=502)
    html = administrator.post(f"{ONE}/{decision}", CONFIRMED | {"form_id": "1" * 32}).content.decode()
    assert FAILED[decision] not in html
    assert "t confirm whether this worked." in html
    has_states(upstream, {"status": before}, {"status": NEXT_STATUS[decision]})
    response = administrator.post(f"{ONE}/{decision}", CONFIRMED | {"form_id": "2" * 32})
    assert response.status_code == 303, "what is stored decides"


@pytest.mark.req("LS-18")
def test_the_same_form_sent_twice_decides_once(administrator, upstream):
    for _ in range(2):
        assert administrator.post(f"{ONE}/approve", {"form_id": "3" * 32}).status_code == 303
    assert puts(upstream) == ["approve"]


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("page", ["", *(f"/{decision}" for decision in CALLS)])
def test_a_scanner_of_another_organization_is_not_found(administrator, upstream, visit, page):
    upstream.has_scanners(factories.scanner(2))
    visit(ONE + page, status=404)
    if page:
        assert administrator.post(ONE + page).status_code == 404
    assert upstream.calls("PUT") == []


@pytest.mark.parametrize("serial", ["", "\u202e", "x" * 400, "<b>"])
def test_a_serial_number_may_be_anything(administrator, upstream, visit, serial):
    has(upstream, serialNumber=serial)
    for page in ("", "/approve", "/disapprove"):
        visit(ONE + page)
    assert administrator.post(f"{ONE}/approve").status_code == 303
    assert " was approved." in administrator.get(LIST).content.decode()


@pytest.mark.req("DM-40")
def test_an_approval_in_the_list_is_canceled_at_once(administrator, upstream):
    answer = administrator.post(f"{ONE}/approve", headers=JSON).json()
    assert (answer["undo"], answer["undoLabel"]) == (f"{ONE}/cancel-approval", "Cancel approval")
    has(upstream, status="APPROVED")
    assert administrator.post(answer["undo"], headers=JSON).json()["ok"]
    assert puts(upstream) == ["approve", "cancelApproval"]


@pytest.mark.req("DM-40")
@pytest.mark.parametrize("page", [LIST, f"{LIST}?status=APPROVED", ONE])
def test_the_message_of_an_approval_leads_to_the_question_before_it_is_canceled(administrator, upstream, page):
    administrator.post(f"{ONE}/approve", {"back": page})
    has(upstream, status="APPROVED")
    (offered,) = [
        form for form in Page.from_response(administrator.get(page)).forms if form.action.endswith("cancel-approval")
    ]
    question = Page.from_response(administrator.post(offered.action, offered.values, follow=True))
    assert puts(upstream) == ["approve"]
    assert question.one("main a.button").attributes["href"] == page
    (form,) = [form for form in question.forms if form.action == f"{ONE}/cancel-approval"]
    assert administrator.post(form.action, form.values)["Location"] == page
    assert puts(upstream) == ["approve", "cancelApproval"]
