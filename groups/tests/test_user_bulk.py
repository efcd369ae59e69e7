"""Many users at once: planned, executed, reported row by row, and failed rows retried; without JavaScript."""

import re

import pytest

from groups.labels import PERMISSIONS
from tests.support import factories
from tests.support.bulk import (
    ALL_USERS,
    CALL,
    USERS,
    answer_bulk_call,
    bodies,
    field,
    get_list_query,
    has_users,
    next_step,
)
from tests.support.page import Page

BULK = USERS + "/bulk/"
ONGOING = {"reason": "ONGOING_ORDERED_CASE", "count": 1}


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 3)
    return administrator


def post(client, action, data):
    return client.post(BULK + action, data, follow=True).content.decode()


@pytest.mark.req("LS-08", "LS-09", "DM-18", "VA-33")
def test_the_plan_shows_for_each_row_what_will_happen(administrator, upstream):
    blocker = {**ONGOING, "count": 2, "refs": [{"type": "CASE", "id": "c-1", "label": "Case 88"}]}
    has_users(upstream, 3, deleteBlockers=[blocker])
    html = post(administrator, "delete", {"id": ["u-1", "u-2", "u-3"]})
    assert "3 users selected" in html
    assert "User 1" in html
    assert "1 user can't be deleted. The other 2 can." in html.replace("&#39;", "'")
    assert "Will be deleted" in html
    assert "Delete 2 users</button>" in html
    assert "2 ordered cases are still in progress: \u2068Case 88\u2069" in html
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.req("LS-08", "LS-09", "DM-01", "DM-02", "ER-22")
def test_blocked_rows_are_not_sent_again_but_link_to_a_solution_and_can_be_checked_again(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete", ["u-2"], reasons=[ONGOING])
    html = post(administrator, "delete", next_step(post(administrator, "delete", {"id": ["u-1", "u-2"]})))
    assert "1 user wasn&#39;t deleted." in html
    assert f'<a href="{USERS}/u-2">1 ordered case is still in progress.</a>' in html
    assert 'name="retry"' not in html
    retried = post(
        administrator, "delete", {"job": field(html, "job"), "form_id": field(html, "form_id"), "retry": "1"}
    )
    assert "1 user wasn&#39;t deleted." in retried
    assert len(bodies(upstream, CALL + "/bulkDelete")) == 1
    checked = post(administrator, "delete", {"job": field(html, "job"), "check": field(html, "check")})
    assert "Delete 1 user</button>" in checked


@pytest.mark.req("LS-08", "DM-02")
def test_a_blocked_row_of_all_users_links_to_the_user_in_the_clinic(administrator, upstream):
    has_users(upstream, 2, deleteBlockers=[ONGOING])
    html = administrator.post("/user-manage/user/bulk/delete", {"id": "u-2"}).content.decode()
    assert f'<a href="{USERS}/u-2?back=%2Fuser-manage%2Fuser">1 ordered case is still in progress.</a>' in html


@pytest.mark.req("LS-08", "LS-09", "DM-01", "DM-02", "ER-22")
def test_the_result_reports_each_row_and_offers_to_retry_failed_ones(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete", ["u-2"], code=10008)
    html = post(administrator, "delete", next_step(post(administrator, "delete", {"id": ["u-1", "u-2", "u-3"]})))
    assert "2 users deleted." in html
    assert "1 user wasn&#39;t deleted." in html
    assert "Too many requests. Try again in a moment." in html
    assert 'form="check-again"' not in html
    upstream.remove("POST", CALL + "/bulkDelete")
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    retried = post(administrator, "delete", next_step(html))
    assert bodies(upstream, CALL + "/bulkDelete")[-1] == {"ids": ["u-2"]}
    assert "1 user deleted." in retried
    assert "wasn&#39;t deleted" not in retried


@pytest.mark.req("LS-18")
def test_a_repeated_submit_acts_once(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    step = next_step(post(administrator, "delete", {"id": ["u-1"]}))
    first = administrator.post(BULK + "delete", step)
    second = administrator.post(BULK + "delete", step)
    assert first.content == second.content
    assert len(upstream.calls("POST", CALL + "/bulkDelete")) == 1


@pytest.mark.req("LS-15", "DM-17")
@pytest.mark.parametrize(("confirmation", "status"), [("", 422), ("5", 422), ("6", 303), ("٦", 303)])
def test_more_than_five_users_need_their_number_typed(administrator, upstream, confirmation, status):
    has_users(upstream, 6)
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    plan = post(administrator, "delete", {"id": [f"u-{n}" for n in range(1, 7)]})
    assert "Type “6” to confirm" in plan
    response = administrator.post(BULK + "delete", {**next_step(plan), "typed": confirmation})
    assert response.status_code == status
    assert len(upstream.calls("POST", CALL + "/bulkDelete")) == (status == 303)


@pytest.mark.req("LS-15", "DM-17")
def test_five_users_need_no_typed_confirmation(administrator, upstream):
    has_users(upstream, 5)
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    plan = post(administrator, "delete", {"id": [f"u-{n}" for n in range(1, 6)]})
    assert 'name="typed"' not in plan
    assert "5 users deleted." in post(administrator, "delete", next_step(plan))


@pytest.mark.req("VA-33", "LS-08")
def test_if_nothing_can_be_done_nothing_is_offered(administrator, upstream):
    has_users(upstream, 2, deleteBlockers=[ONGOING])
    html = post(administrator, "delete", {"id": "u-2"}).replace("&#39;", "'")
    assert "1 user can't be deleted." in html
    assert "other" not in html.split("1 user can't be deleted.")[1].split("</p>")[0]
    assert "1 ordered case is still in progress." in html
    assert "</button>" not in html.split('class="card form bulk-plan"')[1].split("</main>")[0]
    assert 'name="job"' not in html


@pytest.mark.req("LS-08")
def test_blocked_rows_are_not_sent(administrator, upstream):
    has_users(upstream, 2, deleteBlockers=[ONGOING])
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    html = post(administrator, "delete", next_step(post(administrator, "delete", {"id": ["u-1", "u-2"]})))
    assert bodies(upstream, CALL + "/bulkDelete") == [{"ids": ["u-1"]}]
    assert "1 user deleted." in html
    assert "1 user wasn&#39;t deleted." in html
    assert "1 ordered case is still in progress." in html
    post(administrator, "delete", next_step(html))
    assert len(bodies(upstream, CALL + "/bulkDelete")) == 1


@pytest.mark.req("DM-01")
@pytest.mark.parametrize(
    ("action", "options", "call", "sent", "button", "message"),
    [
        (
            "move",
            {"team": "t-1"},
            "Update",
            {"ids": ["u-1"], "set": {"subGroupId": "t-1"}},
            "Move 1 user",
            "1 user moved to \u2068Team 1\u2069.",
        ),
        (
            "move",
            {"team": "-"},
            "Update",
            {"ids": ["u-1"], "set": {"subGroupId": None}},
            "Move 1 user",
            "1 user moved.",
        ),
        (
            "move-to-clinic",
            {"clinic": "g-2"},
            "Update",
            {"ids": ["u-1"], "set": {"mainGroupId": "g-2"}},
            "Move 1 user",
            "1 user moved to \u2068Clinic 2\u2069.",
        ),
        (
            "type",
            {"user_type": "STAFF"},
            "Update",
            {"ids": ["u-1"], "set": {"userType": "STAFF"}},
            "Change type for 1 user",
            "Type changed for 1 user.",
        ),
        (
            "permissions",
            {"allow_export": "off", "allow_download": "inherit"},
            "Permissions",
            {"ids": ["u-1"], "permissions": {"allowExport": False, "allowDownload": None}},
            "Change permissions for 1 user",
            "Permissions changed for 1 user.",
        ),
        ("resend", {}, "ResendInvitation", {"ids": ["u-1"]}, "Resend 1 invitation", "1 invitation resent."),
    ],
)
def test_each_action_makes_its_call_with_its_options(
    administrator, upstream, action, options, call, sent, button, message
):
    answer_bulk_call(upstream, f"{CALL}/bulk{call}")
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(1), factories.clinic(2)]))
    has_users(upstream, 1, status="INVITED" if action == "resend" else "ACTIVE")
    plan = post(administrator, action, {"id": "u-1"})
    assert f"{button}</button>" in plan
    assert message in post(administrator, action, {**next_step(plan), **options})
    assert bodies(upstream, f"{CALL}/bulk{call}") == [sent]


@pytest.mark.parametrize(
    ("action", "options", "text"),
    [
        ("move", {}, "Choose a team"),
        ("move", {"team": "t-99"}, "Select a valid choice"),
        ("move-to-clinic", {}, "Choose a clinic"),
        ("move-to-clinic", {"clinic": "g-1"}, "Select a valid choice"),
        ("type", {}, "Choose a type"),
        ("permissions", {}, "Choose at least one permission to change."),
    ],
)
def test_a_missing_option_is_reported_and_nothing_is_done(administrator, upstream, action, options, text):
    plan = post(administrator, action, {"id": ["u-1", "u-2"]})
    response = administrator.post(BULK + action, {**next_step(plan), **options})
    html = response.content.decode()
    assert response.status_code == 422
    assert f"<span>{text}" in html
    page = Page(html)
    assert page.one(".error-summary a").attributes["href"] in [f"#{node.id}" for node in page.all("form [id]")]
    assert "2 users selected" in html
    assert not [c for c in upstream.calls("POST") if "bulk" in c.url]


@pytest.mark.req("LS-18")
def test_a_corrected_plan_is_executed(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkUpdate")
    plan = post(administrator, "type", next_step(post(administrator, "type", {"id": "u-1"})))
    assert "Type changed for 1 user." in post(administrator, "type", {**next_step(plan), "user_type": "STAFF"})


@pytest.mark.req("LS-08", "VA-33")
def test_a_user_with_an_ongoing_case_stays_in_the_clinic_and_the_plan_says_so(administrator, upstream):
    has_users(upstream, 2, deleteBlockers=[{"reason": "PARTNER_WITH_LAB", "count": 1}, ONGOING])
    html = post(administrator, "move-to-clinic", {"id": ["u-1", "u-2"]}).replace("&#39;", "'")
    assert "1 user can't be moved. The other one can." in html
    assert "1 ordered case is still in progress." in html
    assert "partnership with" not in html


@pytest.mark.req("LS-08")
def test_the_plan_of_a_move_names_the_team_that_each_user_leaves(administrator, upstream):
    has_users(upstream, 2, subGroupId=None, subGroupName=None)
    html = post(administrator, "move-to-clinic", {"id": ["u-1", "u-2"]})
    assert re.findall(r'dir="ltr">([^<]+)</bdi>', html.partition('class="bulk-rows"')[2]) == [
        "user1@clinic.example · \u2068Team: \u2068Team 1\u2069\u2069",
        "user2@clinic.example",
    ]


@pytest.mark.req("LS-08")
def test_the_result_of_a_move_names_the_team_of_users_who_did_not_leave_it(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(1), factories.clinic(2)]))
    answer_bulk_call(upstream, CALL + "/bulkUpdate", ["u-2"], code=10008)
    plan = post(administrator, "move-to-clinic", {"id": ["u-1", "u-2"]})
    html = post(administrator, "move-to-clinic", {**next_step(plan), "clinic": "g-2"})
    assert re.findall(r'dir="ltr">([^<]+)</bdi>', html.partition('class="bulk-rows"')[2]) == [
        "user2@clinic.example · \u2068Team: \u2068Team 1\u2069\u2069",
        "user1@clinic.example",
    ]


@pytest.mark.parametrize("action", ["resend", "cancel"])
def test_a_user_without_a_pending_invitation_is_blocked(administrator, upstream, action):
    html = post(administrator, action, {"id": "u-1"})
    assert "1 invitation can" in html
    assert "This user has no pending invitation." in html


@pytest.mark.req("DM-16", "ST-53")
def test_invitations_are_canceled_one_by_one_as_there_is_no_call_for_many(administrator, upstream):
    has_users(upstream, 2, status="INVITED")
    upstream.answers("DELETE", CALL + "/u-1/invitation")
    upstream.answers("DELETE", CALL + "/u-2/invitation", factories.refusal(13009), status=409)
    html = post(administrator, "cancel", next_step(post(administrator, "cancel", {"id": ["u-1", "u-2"]})))
    assert "1 invitation canceled." in html
    assert "1 invitation wasn&#39;t canceled." in html
    assert "This user has no pending invitation." in html


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("chosen", [{"id": ["u-1", "u-2"]}, {"all": "1"}])
def test_users_of_another_clinic_are_left_out_of_the_plan(administrator, upstream, chosen):
    has_users(upstream, 3, mainGroupId="g-9", name="Somebody else")
    html = post(administrator, "delete", {**chosen, "query": get_list_query(administrator, USERS)})
    assert "User 1" in html
    assert "Somebody else" not in html


@pytest.mark.req("PM-20")
def test_the_users_of_a_clinic_of_another_organization_are_not_found(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(organizationId="o-2"))
    assert administrator.post(BULK + "delete", {"id": "u-1"}).status_code == 404


@pytest.mark.parametrize("query", ["", "?lng=ko-KR"])
def test_a_get_of_a_bulk_page_redirects_to_the_list(administrator, query):
    response = administrator.get(BULK + "delete" + query)
    assert (response.status_code, response.headers["Location"]) == (302, USERS + query)
    assert "Select the rows again." in administrator.get(USERS).content.decode()


@pytest.mark.parametrize(
    ("chosen", "message"),
    [({}, "Select at least one row first."), ({"id": "u-99"}, "The selected rows no longer exist.")],
)
def test_without_a_selection_it_returns_to_the_list_and_says_why(administrator, chosen, message):
    response = administrator.post(BULK + "delete", {"back": USERS + "?page=2", **chosen})
    assert (response.status_code, response.headers["Location"]) == (303, USERS + "?page=2")
    assert message in administrator.get(USERS).content.decode()


@pytest.mark.req("LS-13")
def test_the_return_url_is_the_list_as_it_was_without_the_side_panel(administrator):
    html = post(administrator, "delete", {"id": "u-1", "back": USERS + "?keyword=user&user=u-1"})
    assert f'href="{USERS}?keyword=user">Cancel' in html


def test_an_unknown_action_is_not_found(administrator):
    assert administrator.post(BULK + "explode", {"id": "u-1"}).status_code == 404


def test_users_of_all_clinics_have_no_team_in_common(administrator):
    assert administrator.post(ALL_USERS + "/bulk/move", {"id": "u-1"}).status_code == 404
    assert "/bulk/move-to-clinic" in administrator.get(ALL_USERS).content.decode()
    assert f'formaction="{ALL_USERS}/bulk/move"' not in administrator.get(ALL_USERS).content.decode()


@pytest.mark.req("LS-06", "LS-09")
def test_the_list_has_check_boxes_named_after_their_rows(administrator, visit):
    page = visit(USERS)
    boxes = [box.attributes for box in page.all("[name=id]")]
    assert [(b["value"], b["aria-label"], b["form"]) for b in boxes][:2] == [
        ("u-1", "Select User 1", "bulk-users"),
        ("u-2", "Select User 2", "bulk-users"),
    ]


def test_the_bar_is_rendered_without_a_call(administrator, upstream):
    before = len(upstream.calls())
    administrator.get(ALL_USERS)
    paths = sorted(call.url.partition("?")[0].rpartition("/")[2] for call in upstream.calls()[before:])
    assert paths == ["bizMainGroups", "bizUsers", "summary"], "the rows, the clinics of the filter, and what waits"


def test_the_first_permission_to_change_has_the_focus(administrator):
    plan = Page.from_response(administrator.post(f"{ALL_USERS}/bulk/permissions", {"id": "u-1"}, follow=True))
    button = plan.one("main form.form [autofocus]").attributes
    assert (button["name"], button["type"], button["value"]) == (next(iter(PERMISSIONS)), "radio", "")


@pytest.mark.req("DM-01")
@pytest.mark.parametrize(("count", "has_finder"), [(26, False), (27, True)])
def test_a_clinic_among_many_is_found_by_typing(administrator, upstream, count, has_finder):
    clinics = [factories.clinic(n) for n in range(1, count + 1)]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    plan = post(administrator, "move-to-clinic", {"id": "u-1"})
    assert ('data-find-option="id_clinic" aria-label="Find a clinic"' in plan) == has_finder
    note = plan.index("Users who are in a team will be removed from it.")
    assert note < plan.index('class="bulk-rows"'), "the consequences come before the rows"
    assert Page(plan).one("main form.form [autofocus]").attributes["name"] == "clinic"
