"""Bulk decisions about scanners: the plan, the result, and concurrent changes."""

import json
import re
from html import unescape

import pytest

from console.audit.content import Change, Content
from console.models import Activity
from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, get_list_query, has_rows, next_step
from tests.support.page import Page

pytestmark = pytest.mark.sql

LIST, CALL = "/scanner-manage", "/v1/bizScanners"


def has(upstream, count, **values):
    has_rows(upstream, CALL, [factories.scanner(n, **values) for n in range(1, count + 1)])


def plan(client, decision, **sent):
    return unescape(client.post(f"{LIST}/bulk/{decision}", sent).content.decode())


def result(client, decision, planned, **more):
    return unescape(client.post(f"{LIST}/bulk/{decision}", next_step(planned) | more, follow=True).content.decode())


@pytest.mark.req("DM-35", "LS-06")
@pytest.mark.parametrize(
    ("query", "offered"),
    [
        ("", ["/approve", "/disapprove", "/cancel-approval"]),
        ("?status=PENDING", ["/approve", "/disapprove"]),
        ("?status=APPROVED", ["/cancel-approval"]),
        ("?status=DISAPPROVED", ["/approve"]),
        ("?status=APPROVAL_CANCELLED&status=APPROVED", ["/approve", "/cancel-approval"]),
    ],
)
def test_the_bar_offers_only_decisions_that_some_row_allows(administrator, upstream, query, offered):
    has(upstream, 1)
    html = administrator.get(LIST + query).content.decode()
    buttons = re.findall(r'data-of-row="([^"]+)"( hidden)?', html)
    assert [path for path, hidden in buttons if not hidden] == offered
    assert len(buttons) == 3, "the others are shown by a script, where a selected row has them"
    view = administrator.get(LIST + query, headers={"Accept": "application/json"}).json()["item"]["list"]
    assert view["selection_fits"].split() == offered


@pytest.mark.req("DM-35", "LS-06", "LS-08", "LS-09")
@pytest.mark.parametrize(
    ("decision", "call", "note", "button", "done"),
    [
        ("approve", "bulkApprove", "in this organization only", "Approve 3 scanners", "3 scanners approved."),
        ("disapprove", "bulkDisapprove", "block the scanners", "Disapprove 3 scanners", "3 scanners disapproved."),
    ],
)
def test_all_matching_scanners_are_decided_after_a_plan_that_says_what_it_means(
    administrator, upstream, decision, call, note, button, done
):
    has(upstream, 3)
    answer_bulk_call(upstream, f"{CALL}/{call}")
    planned = plan(administrator, decision, all="1", query=get_list_query(administrator, f"{LIST}?status=PENDING"))
    assert note in planned
    assert button in planned
    assert "This can't be undone." not in planned
    assert done in result(administrator, decision, planned)
    assert bodies(upstream, f"{CALL}/{call}") == [{"ids": ["s-1", "s-2", "s-3"]}]


@pytest.mark.req("DM-35", "LS-08")
def test_the_plan_lists_scanners_that_are_not_allowed_and_why(administrator, upstream):
    states = ["PENDING", "APPROVED", "DISAPPROVED", "APPROVAL_CANCELLED", "SOLD"]
    rows = [factories.scanner(n, status=state) for n, state in enumerate(states, 1)]
    has_rows(upstream, CALL, [*rows, factories.scanner(6, allowedActions=[])])
    planned = plan(administrator, "disapprove", ids="s-1 s-2 s-3 s-4 s-5 s-6")
    assert "5 scanners can't be disapproved. The other one can." in planned
    for why in ("It's now approved.", "It's now disapproved.", "Its approval is now canceled."):
        assert planned.count(why) == 1
    assert planned.count("This isn't possible with the scanner's current status.") == 2
    assert 'href="/scanner-manage/s-2"' in planned


@pytest.mark.req("DM-35", "LS-15")
@pytest.mark.parametrize(("count", "number"), [(5, ""), (6, "6"), (7, "7")])
def test_the_approval_of_more_than_five_is_canceled_by_typing_their_number(administrator, upstream, count, number):
    has(upstream, count, status="APPROVED")
    answer_bulk_call(upstream, f"{CALL}/bulkCancelApproval")
    planned = plan(administrator, "cancel-approval", ids=" ".join(f"s-{n}" for n in range(1, count + 1)))
    assert ">Keep approvals</a>" in planned
    assert ('name="typed"' in planned) == bool(number)
    if number:
        refused = result(administrator, "cancel-approval", planned, typed="5")
        assert f"This doesn't match. Type “{count}” to confirm." in refused
        assert bodies(upstream, f"{CALL}/bulkCancelApproval") == []
    html = result(administrator, "cancel-approval", planned, typed=number)
    assert f"Approval canceled for {count} scanners." in html


def test_many_are_approved_without_typing_a_number(administrator, upstream):
    has(upstream, 60)
    query = get_list_query(administrator, LIST)
    assert 'name="typed"' not in plan(administrator, "approve", all="1", query=query)


@pytest.mark.req("DM-35", "ER-21", "LS-17")
def test_a_concurrent_decision_is_reported_with_the_current_state(administrator, upstream):
    has(upstream, 3)
    planned = plan(administrator, "approve", ids="s-1 s-2 s-3")
    has_rows(upstream, CALL, [factories.scanner(2, status="DISAPPROVED"), factories.scanner(3, status="APPROVED")])
    answers: dict[str, dict[str, object]] = {
        "s-1": {"ok": True},
        "s-2": {"ok": False, "code": 14001},
        "s-3": {"ok": False, "code": 14002},
    }
    body = {"resultCount": 3, "okCount": 1, "results": [{"id": id, **row} for id, row in answers.items()]}
    upstream.answers("POST", f"{CALL}/bulkApprove", body)
    html = result(administrator, "approve", planned)
    assert "1 scanner approved." in html
    assert "2 scanners weren't approved." in html
    assert "It's now disapproved." in html
    assert "Another organization has approved this scanner." in html
    assert 'name="retry"' not in html, "to try again would be refused again"


@pytest.mark.req("LS-08")
def test_a_service_without_bulk_calls_gets_single_ones(administrator, upstream):
    has(upstream, 2)
    planned = plan(administrator, "approve", ids="s-1 s-2")
    upstream.answers("POST", f"{CALL}/bulkApprove", status=404)
    upstream.answers("PUT", f"{CALL}/s-1/approve", {"status": "APPROVED"})
    upstream.answers("PUT", f"{CALL}/s-2/approve", factories.refusal(14001), status=409)
    html = result(administrator, "approve", planned)
    assert "1 scanner approved." in html
    assert "It's now pending." in html


def test_a_missing_scanner_is_reported(administrator, upstream):
    has(upstream, 1)
    planned = plan(administrator, "approve", ids="s-1")
    body = {"results": [{"id": "s-1", "ok": False, "code": 10004}]}
    upstream.answers("POST", f"{CALL}/bulkApprove", body)
    assert "This item no longer exists." in result(administrator, "approve", planned)


def test_an_unknown_decision_is_not_found(administrator):
    assert administrator.post(f"{LIST}/bulk/sell", {"ids": "s-1"}).status_code == 404


def test_only_the_organizations_scanners_are_read_for_a_plan(administrator, upstream):
    has(upstream, 1)
    plan(administrator, "approve", ids="s-1 s-9")
    call = upstream.calls("GET", CALL)[-1]
    assert (call.params["organizationId"], call.params["ids"]) == ("o-1", ["s-1", "s-9"])
    assert json.dumps(bodies(upstream, f"{CALL}/bulkApprove")) == "[]"


def get_undo(client, html):
    """Return the answer to the button that a message or a result page offers."""
    form = next(form for form in Page(html).forms if form.action == f"{LIST}/bulk/cancel-approval")
    return unescape(client.post(form.action, form.values).content.decode())


@pytest.mark.sql
@pytest.mark.req("DM-35", "DM-40", "LS-08")
def test_the_message_of_an_approval_leads_to_the_plan_that_cancels_it(administrator, upstream):
    has(upstream, 4)
    for call in ("bulkApprove", "bulkCancelApproval"):
        answer_bulk_call(upstream, f"{CALL}/{call}")
    back = f"{LIST}?status=PENDING"
    message = result(administrator, "approve", plan(administrator, "approve", ids="s-1 s-2 s-3", back=back))
    assert "3 scanners approved." in message
    has(upstream, 4, status="APPROVED")
    planned = get_undo(administrator, message)
    assert bodies(upstream, f"{CALL}/bulkCancelApproval") == []
    assert "Other organizations will then be able to use these scanners." in planned
    assert f'href="{back}">Keep approvals</a>' in planned
    assert "Approval canceled for 3 scanners." in result(administrator, "cancel-approval", planned)
    assert bodies(upstream, f"{CALL}/bulkCancelApproval") == [{"ids": ["s-1", "s-2", "s-3"]}]
    entry = Activity.objects.exclude(parent="").latest("id")
    assert Content.decrypt(entry.content).changes == [Change("status", "APPROVED", "APPROVAL_CANCELLED")]


@pytest.mark.req("DM-35", "DM-40", "LS-08", "LS-18")
def test_the_result_of_an_approval_leads_to_the_plan_until_it_is_canceled(administrator, upstream):
    has(upstream, 3)
    answer_bulk_call(upstream, f"{CALL}/bulkApprove", ["s-2"])
    answer_bulk_call(upstream, f"{CALL}/bulkCancelApproval")
    step = next_step(plan(administrator, "approve", ids="s-1 s-2 s-3"))
    address = administrator.post(f"{LIST}/bulk/approve", step)["Location"]
    has_rows(upstream, CALL, [factories.scanner(n, status="APPROVED") for n in (1, 2)])
    planned = get_undo(administrator, administrator.get(address).content.decode())
    assert "The list changed after you selected 2 rows." in planned
    planned = get_undo(administrator, administrator.get(address).content.decode())
    assert bodies(upstream, f"{CALL}/bulkCancelApproval") == []
    result(administrator, "cancel-approval", planned)
    assert bodies(upstream, f"{CALL}/bulkCancelApproval") == [{"ids": ["s-1"]}]
    assert "Cancel approval" not in administrator.get(address).content.decode()


@pytest.mark.req("DM-35", "DM-40", "LS-08")
def test_the_plan_names_scanners_whose_approval_someone_else_canceled(administrator, upstream):
    has(upstream, 2)
    answer_bulk_call(upstream, f"{CALL}/bulkApprove")
    message = result(administrator, "approve", plan(administrator, "approve", ids="s-1 s-2"))
    has_rows(upstream, CALL, [factories.scanner(1, status="APPROVED"), factories.scanner(2, status="DISAPPROVED")])
    planned = get_undo(administrator, message)
    assert "Approval can't be canceled for 1 scanner. The other one can." in planned
    assert "It's now disapproved." in planned
