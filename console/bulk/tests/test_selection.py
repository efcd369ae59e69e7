"""The selected rows are exactly the planned and performed ones: rows, all matches, and all except some."""

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.http import QueryDict
from django.test import Client

from console.bulk import views
from console.bulk.action import BulkAction
from console.bulk.job import MAX_PLANNED, Matching
from console.lists.query import ListDefinition, ListQuery, SearchField
from console.sessions.models import Grant
from tests.support import factories
from tests.support.bulk import (
    ALL_USERS,
    CALL,
    USERS,
    answer_bulk_call,
    bodies,
    field,
    get_list_query,
    has_rows,
    has_users,
    next_step,
)

pytestmark = pytest.mark.sql

CLINICS = "/user-manage/clinic"
RESEND = USERS + "/bulk/resend"
SENT = CALL + "/bulkResendInvitation"
NOT_USABLE = "can&#39;t use this selection here. Select the rows again."


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 67, status="INVITED")
    answer_bulk_call(upstream, SENT)
    return administrator


def post(client, data, path=RESEND):
    return client.post(path, data, follow=True).content.decode()


def find_links(html):
    """Return the links of an error page."""
    return re.findall(r'<a class="button"[^>]* href="([^"]+)"', html.partition('class="notice-actions"')[2])


@pytest.mark.req("LS-06", "DM-03")
def test_all_that_match_are_the_same_number_in_bar_plan_and_result(administrator, upstream):
    html = administrator.get(USERS + "?keyword=user").content.decode()
    assert "Select all 67</span>" in html
    plan = post(administrator, {"all": "1", "query": field(html, "query"), "id": "u-1"})
    assert "67 users selected" in plan
    assert "has changed" not in plan
    assert "Resend 67 invitations</button>" in plan
    assert "67 invitations resent." in post(administrator, next_step(plan))
    assert len(bodies(upstream, SENT)[0]["ids"]) == 67


@pytest.mark.req("LS-06", "LS-07")
def test_all_matches_except_deselected_rows(administrator, upstream):
    html = administrator.get(USERS).content.decode()
    plan = post(administrator, {"all": "1", "query": field(html, "query"), "except": "u-2 u-40", "id": "u-1"})
    assert "65 users selected" in plan
    assert "has changed" not in plan
    assert "<bdi translate=no>User 2</bdi>" not in plan
    assert "65 invitations resent." in post(administrator, next_step(plan))
    assert set(bodies(upstream, SENT)[0]["ids"]) == {f"u-{n}" for n in range(1, 68)} - {"u-2", "u-40"}


@pytest.mark.req("LS-06")
def test_all_matches_except_all_rows_is_an_empty_selection(administrator):
    everybody = " ".join(f"u-{n}" for n in range(1, 68))
    query = get_list_query(administrator, USERS)
    response = administrator.post(RESEND, {"all": "1", "query": query, "except": everybody, "back": USERS})
    assert response.status_code == 303
    assert "Select at least one row first." in administrator.get(USERS).content.decode()


@pytest.mark.req("LS-06", "LS-13")
def test_all_that_match_are_read_by_the_signed_query_and_not_by_the_way_back(administrator, upstream):
    query = get_list_query(administrator, USERS + "?keyword=kim&status=INVITED&sort=email&order=desc&page=2&size=10")
    plan = post(administrator, {"all": "1", "query": query, "back": USERS + "?keyword=park"})
    url = upstream.calls("GET", CALL)[-1].url
    for part in ("keyword=kim", "status=INVITED", "sort=email", "order=desc", "page=1&size=100"):
        assert part in url
    assert "keyword=park" not in url
    assert field(plan, "back") == USERS + "?keyword=park"


@pytest.mark.req("LS-06")
@pytest.mark.parametrize(
    "forged",
    [
        {},
        {"query": ""},
        {"query": "67?#"},
        {"query": "67?keyword=user#:0000"},
        {"back": USERS + "?keyword=user"},
    ],
)
def test_without_a_signed_query_all_is_never_the_whole_list(administrator, upstream, forged):
    response = administrator.post(RESEND, {"all": "1", **forged})
    assert response.status_code == 422
    assert NOT_USABLE in response.content.decode()
    assert not upstream.calls("GET", CALL)


@pytest.mark.req("PM-20")
def test_the_query_of_another_list_is_refused(administrator, upstream):
    query = get_list_query(administrator, ALL_USERS)
    response = administrator.post(RESEND, {"all": "1", "query": query})
    assert (response.status_code, NOT_USABLE in response.content.decode()) == (422, True)
    assert administrator.post(ALL_USERS + "/bulk/resend", {"all": "1", "query": query}).status_code == 200


@pytest.mark.req("PM-20")
def test_query_and_plan_of_another_administrator_are_refused(administrator, upstream):
    query = get_list_query(administrator, USERS)
    plan = post(administrator, {"all": "1", "query": query})
    upstream.answers("POST", "/v2/oauth/requestToken", {**factories.token(), "adminId": "a-2"})
    other = Client()
    other.post("/login", {"email": "other@demo.example", "password": "Demo123!"})
    for data in ({"all": "1", "query": query}, next_step(plan)):
        response = other.post(RESEND, data)
        assert (response.status_code, NOT_USABLE in response.content.decode()) == (422, True)
    assert other.post(RESEND, {"all": "1", "query": get_list_query(other, USERS)}).status_code == 200
    assert not bodies(upstream, SENT)


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("path", [USERS + "/bulk/cancel", ALL_USERS + "/bulk/resend"])
def test_the_plan_of_another_action_or_list_is_refused(administrator, upstream, path):
    plan = post(administrator, {"id": "u-1"})
    response = administrator.post(path, next_step(plan))
    assert (response.status_code, NOT_USABLE in response.content.decode()) == (422, True)
    assert not bodies(upstream, SENT)
    assert not upstream.calls("DELETE")


@pytest.mark.parametrize("job", ["x", "a:b:c"])
def test_a_forged_plan_is_refused(administrator, upstream, job):
    response = administrator.post(RESEND, {"job": job})
    assert (response.status_code, NOT_USABLE in response.content.decode()) == (422, True)
    assert not bodies(upstream, SENT)


@pytest.mark.req("LS-06", "LS-08")
@pytest.mark.parametrize("count", [66, 68])
def test_the_plan_says_that_the_list_has_changed(administrator, upstream, count):
    query = get_list_query(administrator, USERS)
    has_users(upstream, count, status="INVITED")
    plan = post(administrator, {"all": "1", "query": query})
    assert f"{count} users selected" in plan
    assert "The list changed after you selected 67 rows. Check which rows are included now." in plan


@pytest.mark.req("LS-06", "LS-08")
def test_the_plan_says_that_a_selected_row_is_gone(administrator):
    plan = post(administrator, {"id": ["u-1", "u-99"]})
    assert "1 user selected" in plan
    assert "The list changed after you selected 2 rows. Check which rows are included now." in plan


@pytest.mark.req("LS-06")
def test_the_plan_counts_without_a_deselected_row_that_is_gone(administrator, upstream):
    query = get_list_query(administrator, USERS)
    has_users(upstream, 66, status="INVITED")
    plan = post(administrator, {"all": "1", "query": query, "except": "u-67"})
    assert "66 users selected" in plan
    assert "has changed" not in plan  # the bar showed 66, too


@pytest.mark.req("LS-07")
def test_rows_selected_on_other_pages_are_planned_too(administrator, upstream):
    has_users(upstream, 700)
    elsewhere = " ".join(f"u-{n}" for n in range(2, 701))
    assert "700 users selected" in post(administrator, {"id": "u-1", "ids": elsewhere}, USERS + "/bulk/delete")


@pytest.mark.req("LS-06", "CO-17", "DM-03")
def test_all_matches_are_performed_in_batches_of_a_hundred_with_progress(administrator, upstream):
    has_users(upstream, 240, status="INVITED")
    plan = post(administrator, {"all": "1", "query": get_list_query(administrator, USERS)})
    assert "240 users selected" in plan
    html = post(administrator, next_step(plan))
    assert "100 of 240</span> <progress" in html
    assert "Continue with the next 100 rows</button>" in html
    html = post(administrator, next_step(html))
    assert "200 of 240</span> <progress" in html
    assert "Continue with the next 40 rows</button>" in html
    assert "240 invitations resent." in post(administrator, next_step(html))
    assert [len(body["ids"]) for body in bodies(upstream, SENT)] == [100, 100, 40]


@pytest.fixture
def plan_limit(monkeypatch):
    """Plan 200 rows at once instead of 5,000."""
    monkeypatch.setattr(views, "MAX_PLANNED", 200)
    return 200


def select_more_than_two_plans(administrator, upstream, selection, limit):
    """Perform two full plans and 50 more rows, without two of them, and check that each row is sent once."""
    total = 2 * limit + 50
    excluded = {f"u-{limit - 7}", f"u-{2 * limit - 7}"}
    ids = {f"u-{n}" for n in range(1, total + 1)} - excluded
    has_users(upstream, total, status="INVITED")
    selected = (
        {"all": "1", "query": get_list_query(administrator, USERS), "except": " ".join(excluded)}
        if selection == "all"
        else {"ids": " ".join(sorted(ids))}
    )
    html, remaining = post(administrator, selected), len(ids)
    while True:
        planned = min(remaining, limit)
        after = remaining - planned
        follows = f"These are the first {limit:,}. After them, you can continue with the remaining {after:,}."
        assert f"{remaining:,} users selected" in html
        assert "has changed" not in html
        assert (follows in html) == (remaining > planned)
        for _ in range(-(-planned // 100)):
            assert 'name="rest"' not in html
            html = post(administrator, next_step(html))
        remaining -= planned
        assert ('data-selection-done=""' in html) == (remaining > 0), "the rest is still selected in the list"
        if not remaining:
            break
        assert f"Continue with the rest ({remaining:,})</button>" in html
        html = post(administrator, {**next_step(html), "rest": "1"})
    assert 'name="rest"' not in html
    sent = [id for body in bodies(upstream, SENT) for id in body["ids"]]
    assert (len(sent), set(sent)) == (total - 2, ids)


@pytest.mark.req("LS-06", "CO-17")
@pytest.mark.parametrize("selection", ["all", "ids"])
def test_rows_beyond_the_limit_are_performed_plan_by_plan_each_once(administrator, upstream, plan_limit, selection):
    select_more_than_two_plans(administrator, upstream, selection, plan_limit)


@pytest.mark.slow
@pytest.mark.req("LS-06", "CO-17")
@pytest.mark.parametrize("selection", ["all", "ids"])
def test_more_than_five_thousand_rows_are_performed_plan_by_plan_each_once(administrator, upstream, selection):
    assert MAX_PLANNED == 5000
    select_more_than_two_plans(administrator, upstream, selection, MAX_PLANNED)


@pytest.mark.req("LS-06", "CO-17")
def test_the_remaining_rows_exclude_those_that_were_deleted_or_failed_before(administrator, upstream, plan_limit):
    has_users(upstream, 301)
    answer_bulk_call(upstream, CALL + "/bulkDelete", refused=["u-7"])
    data = {"all": "1", "query": get_list_query(administrator, USERS)}
    html = post(administrator, data, USERS + "/bulk/delete")
    html = post(administrator, {**next_step(html), "typed": "200"}, USERS + "/bulk/delete")
    html = post(administrator, next_step(html), USERS + "/bulk/delete")
    assert 'form="check-again"' in html, "those that were refused can still be checked again"
    sent = {name: field(html, name) for name in ("job", "form_id", "back")}
    has_rows(upstream, CALL, [factories.user(n) for n in (7, *range(201, 302))])
    html = post(administrator, {**sent, "rest": "1"}, USERS + "/bulk/delete")
    assert "101 users selected" in html
    assert "<bdi translate=no>User 7</bdi>" not in html
    rechecked = post(administrator, {**sent, "check": "1"}, USERS + "/bulk/delete")
    assert "<bdi translate=no>User 7</bdi>" in rechecked
    assert "This is the first one. After it, you can continue with the remaining 101." in rechecked


@pytest.mark.req("LS-06", "CO-17")
def test_the_remaining_rows_are_reached_if_all_of_the_first_are_blocked(administrator, upstream, plan_limit):
    has_users(upstream, 202)
    path = USERS + "/bulk/resend"
    html = post(administrator, {"all": "1", "query": get_list_query(administrator, USERS)}, path)
    assert 'value="Resend' not in html
    assert "Continue with the rest (2)</button>" in html
    sent = {name: field(html, name) for name in ("job", "form_id", "back")}
    html = post(administrator, {**sent, "rest": "1"}, path)
    assert "2 users selected" in html
    assert "<bdi translate=no>User 202</bdi>" in html


@pytest.mark.req("LS-06", "CO-17")
def test_a_selection_beyond_the_limit_is_reported_from_the_start(administrator, upstream):
    has_users(upstream, 20_001)
    html = post(administrator, {"all": "1", "query": get_list_query(administrator, USERS)}, USERS + "/bulk/type")
    assert "You can select up to 20,000 rows at a time" in html


@pytest.mark.req("LS-06", "CO-17")
def test_the_remaining_rows_are_planned_with_the_chosen_options(administrator, upstream, plan_limit):
    has_users(upstream, 201)
    answer_bulk_call(upstream, CALL + "/bulkUpdate")
    path = USERS + "/bulk/type"
    html = post(administrator, {"all": "1", "query": get_list_query(administrator, USERS)}, path)
    html = post(administrator, {**next_step(html), "user_type": "STAFF"}, path)
    html = post(administrator, next_step(html), path)
    html = post(administrator, {**next_step(html), "rest": "1"}, path)
    assert "1 user selected" in html
    assert re.search(r'<option value="STAFF" selected', html)


@pytest.mark.req("CO-17", "LS-07")
def test_too_many_excluded_rows_are_refused_before_anything_is_read(administrator, upstream):
    data = {
        "all": "1",
        "query": get_list_query(administrator, USERS),
        "except": " ".join(f"u-{n}" for n in range(15_001)),
    }
    before = len(upstream.calls("GET", CALL))
    response = administrator.post(RESEND, {**data, "back": USERS + "?page=2"})
    html = response.content.decode()
    assert (response.status_code, "Too many rows selected" in html) == (422, True)
    assert find_links(html) == [USERS + "?page=2", "/"]
    assert len(upstream.calls("GET", CALL)) == before


@pytest.mark.req("LS-07", "DM-18", "ER-05")
@pytest.mark.parametrize("status", [None, 400, 403, 404, 409, 429, 500, 503, 524])
@pytest.mark.parametrize("path", [USERS, ALL_USERS, CLINICS])
def test_every_error_page_of_every_action_links_to_its_list(admin_client, upstream, path, status):
    """The list is on a later page. The browser still has the selection, which only a result ends."""
    upstream.has_clinic()
    has_users(upstream, 3)
    html = admin_client.get(path).content.decode()
    query, back = field(html, "query"), path + "?page=3"
    actions = set(re.findall(r'formaction="[^"]*/bulk/(\w+)"', html))
    assert len(actions) >= 2
    call = "/v1/bizMainGroups" if path == CLINICS else CALL
    wrong: list[dict[str, str]] = [{"job": "x"}, {"all": "1", "query": "x"}, {"all": "1", "query": query[:-1] + "!"}]
    if status:
        wrong = [{"id": "u-1"}, {"all": "1", "query": query}]
        upstream.remove("GET", call)
        upstream.answers("GET", call, {}, status=status)
    for action in actions:
        for data in wrong:
            response = admin_client.post(f"{path}/bulk/{action}", {**data, "back": back})
            html = response.content.decode()
            assert response.status_code >= 400
            assert (action, find_links(html)) == (action, [back, "/"])
            assert "data-selection-done" not in html
        response = admin_client.get(f"{path}/bulk/{action}?back={back}")
        assert response.status_code == 302


@pytest.mark.req("VA-21")
def test_an_invalid_keyword_selects_no_one(administrator, upstream):
    definition = ListDefinition("users", (SearchField("all", ""), SearchField("email", "")), (), ("name",), "name")
    signer = SimpleNamespace(admin=SimpleNamespace(identity=Grant.objects.get().admin_id_hash))
    query = ListQuery.read(definition, QueryDict("searchField=email&keyword=half"))
    response = administrator.post(RESEND, {"all": "1", "query": Matching(query, 0).sign(cast(Any, signer), USERS)})
    assert response.status_code == 303
    assert not upstream.calls("GET", CALL)


@pytest.mark.req("VA-21")
def test_an_email_that_only_the_service_refuses_is_reported_and_selects_no_one(administrator, upstream):
    query = get_list_query(administrator, USERS + "?searchField=email&keyword=a%40b.example")
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, factories.refusal(10002, fields=[{"field": "keyword", "code": 10002}]), status=422)
    response = administrator.post(RESEND, {"all": "1", "query": query})
    assert response.status_code == 422
    html = response.content.decode()
    assert "use this selection</" in html
    assert "Invalid email" in html


@pytest.mark.req("LS-06", "LS-07")
@pytest.mark.parametrize("path", [USERS, ALL_USERS])
def test_a_list_sent_as_json_has_its_own_query(administrator, path):
    address = path + "?keyword=kim"
    view = administrator.get(address, headers={"Accept": "application/json"}).json()["item"]["list"]
    assert view["selection_query"] == get_list_query(administrator, address)
    assert view["selection_query"].startswith("67?keyword=kim#:")


@pytest.mark.req("LS-07")
def test_the_bar_counts_in_the_plural_forms_of_the_language(administrator):
    html = administrator.get(USERS, headers={"Accept-Language": "en-US"}).content.decode()
    assert 'data-one="%(count)s user selected" data-other="%(count)s users selected"' in html
    korean = administrator.get(USERS + "?lng=ko-KR").content.decode()
    bar = korean[korean.index('class="bulk-count"') :].partition(">")[0]
    assert "data-other=" in bar
    assert "data-one=" not in bar


@pytest.mark.req("LS-07", "DM-18")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"job": "x"}, "You can&#39;t use this selection here. Select the rows again."),
        ({"all": "1", "query": "x"}, "You can&#39;t use this selection here. Select the rows again."),
    ],
)
def test_an_error_of_an_action_links_to_its_list(administrator, data, text):
    """The list is on a later page, where the browser still has the selection."""
    back = USERS + "?keyword=user&page=3"
    html = administrator.post(RESEND, {**data, "back": back}).content.decode()
    assert text in html
    assert find_links(html) == [back.replace("&", "&amp;"), "/"]


@pytest.mark.req("LS-07", "ER-05")
@pytest.mark.parametrize(("status", "expected"), [(503, 502), (524, 504), (429, 429)])
def test_a_plan_that_can_not_be_read_links_to_its_list(administrator, upstream, status, expected):
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, {}, status=status)
    response = administrator.post(RESEND, {"id": "u-1", "back": USERS + "?page=2"})
    assert (response.status_code, find_links(response.content.decode())) == (expected, [USERS + "?page=2", "/"])


@pytest.mark.req("LS-06", "CO-17", "DM-03")
def test_five_thousand_rows_are_planned_and_performed_in_batches_each_once(administrator, upstream):
    has_users(upstream, 5001, status="INVITED")
    html = post(administrator, {"all": "1", "query": get_list_query(administrator, USERS), "except": "u-4711"})
    assert "5,000 users selected" in html
    assert html.count("<li>") >= 5000
    assert len(field(html, "job")) < 400_000
    for step in range(1, 51):
        html = post(administrator, next_step(html))
        assert f"{step * 100:,} invitations resent." in html
    sent = [id for body in bodies(upstream, SENT) for id in body["ids"]]
    assert (len(sent), set(sent)) == (5000, {f"u-{n}" for n in range(1, 5002)} - {"u-4711"})


def test_rendering_a_list_with_its_bar_creates_no_action(administrator, upstream, monkeypatch):
    def fail(*_args):
        raise AssertionError("an action was made")

    monkeypatch.setattr(BulkAction, "__init__", fail)
    html = administrator.get(USERS).content.decode()
    assert 'formaction="/user-manage/clinic/g-1/user/bulk/delete"' in html
