"""Badge counts: read concurrently with a page's own reads, and never at its expense."""

import json
import socket

import pytest

from tests.support import factories
from upstream.tasks import READ, is_ready

PAGE = "/user-manage/team"
SUMMARY = "/v1/bizDashboards/summary"
UNREAD = "/v1/bizNotifications/unreadCount"


@pytest.fixture
def administrator(administrator, upstream):
    waiting = {"scannerCounts": {"PENDING": 3}, "unreadNotificationCount": 2}
    upstream.answers("GET", SUMMARY, factories.summary(**waiting))
    return administrator


def page(client, path=PAGE):
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.req("DM-44")
def test_counts_are_in_the_navigation_and_at_the_bell(administrator):
    html = page(administrator)
    assert 'Scanners<span class="count">3</span>' in html
    assert 'aria-label="Notifications, 2 unread"' in html


def test_one_call_is_made_for_a_page_and_none_for_responses_without_counts(administrator, upstream):
    page(administrator)
    assert len(upstream.calls("GET", SUMMARY)) == 1
    administrator.get(PAGE, headers={"Accept": "application/json"})
    administrator.get("/user-manage/user/export")
    administrator.post("/user-manage/clinic/g-1/user/u-1/invitation/resend")
    assert len(upstream.calls("GET", SUMMARY)) == 1


@pytest.mark.req("DM-44", "CO-20")
def test_a_list_that_is_read_again_after_an_action_includes_the_counts(administrator, upstream):
    headers = {"Accept": "application/json"}
    counts = administrator.get(f"{PAGE}?counts=1", headers=headers).json()["counts"]
    assert (counts["badges"]["/scanner-manage"], counts["badges"]["/user-manage/clinic"]) == ("3", "")
    assert counts["bell"] == {"count": "2", "label": "Notifications, 2 unread"}
    assert len(upstream.calls("GET", SUMMARY)) == 1
    assert "counts" not in administrator.get(PAGE, headers=headers).json()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_if_the_counts_can_not_be_read_the_list_has_none(administrator, upstream, status):
    page(administrator)
    upstream.answers("GET", SUMMARY, {}, status=status)
    answer = administrator.get(f"{PAGE}?counts=1", headers={"Accept": "application/json"}).json()
    assert answer["ok"]
    assert "counts" not in answer, "nor those of the page before"


def test_a_page_that_answers_a_form_shows_the_counts_of_the_previous_page(administrator, upstream):
    page(administrator)
    answer = administrator.post("/user-manage/clinic/new", {})
    assert answer.status_code == 422
    assert 'aria-label="Notifications, 2 unread"' in answer.content.decode()
    assert len(upstream.calls("GET", SUMMARY)) == 1


def test_a_page_that_answers_a_form_reads_the_counts_if_none_are_known(administrator, upstream):
    answer = administrator.post("/user-manage/clinic/new", {})
    assert answer.status_code == 422
    assert 'Scanners<span class="count">3</span>' in answer.content.decode()
    assert len(upstream.calls("GET", SUMMARY)) == 1


def test_a_page_with_the_teams_of_another_clinic_reads_the_counts_if_none_are_known(administrator, upstream):
    form = {"name": "User 1", "user_type": "DOCTOR", "clinic_id": "g-1", "show_teams": "1"}
    html = administrator.post("/user-manage/clinic/g-1/user/u-1/edit", form).content.decode()
    assert 'aria-label="Notifications, 2 unread"' in html
    assert len(upstream.calls("GET", SUMMARY)) == 1


def test_a_plan_of_a_bulk_action_has_counts_of_its_own(administrator, upstream):
    plan = administrator.post("/user-manage/clinic/g-1/user/bulk/permissions", {"id": "u-1"}).content.decode()
    assert 'Scanners<span class="count">3</span>' in plan
    assert 'aria-label="Notifications, 2 unread"' in plan


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_of_the_counts_does_not_fail_the_page(administrator, upstream, status):
    upstream.answers("GET", SUMMARY, {}, status=status)
    html = page(administrator)
    assert "Team 1" in html
    assert '<span class="count">' not in html.partition("<main")[0].replace('<span class="count"></span>', "")
    assert upstream.calls("POST", "/v2/oauth/requestToken")[1:] == [], "the session is not renewed for them"


@pytest.mark.parametrize("body", [[], {"scannerCounts": {"PENDING": "x"}}, {"unreadNotificationCount": -1}, None])
def test_odd_numbers_count_as_none(administrator, upstream, body):
    upstream.answers("GET", SUMMARY, body)
    assert "Team 1" in page(administrator)


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_without_counts_is_not_asked_again_and_the_bell_reads_its_own_number(administrator, upstream, status):
    upstream.answers("GET", SUMMARY, {}, status=status)
    page(administrator)
    upstream.answers("GET", UNREAD, {"resultCount": 4})
    html = page(administrator)
    page(administrator)
    assert 'aria-label="Notifications, 4 unread"' in html
    assert 'Scanners<span class="count">' not in html
    assert len(upstream.calls("GET", SUMMARY)) == 1


def test_a_page_does_not_wait_for_a_slow_answer(administrator, upstream):
    client_end, services = socket.socketpair()
    waits = []

    def slow(_request):
        waits.append(True)
        is_ready(client_end, READ, 10)  # as a call waits for its response
        waits.append(False)
        return 200, {}, json.dumps(factories.summary())

    upstream.callback("GET", SUMMARY, slow)
    page(administrator)  # which uses the first of the two responses
    with client_end, services:
        html = page(administrator)
        assert "Team 1" in html
        services.send(b".")
        page(administrator)
    assert waits == [True, True, False], "what was late ended with its page"


@pytest.mark.req("RT-34", "ER-07")
@pytest.mark.parametrize(("status", "code", "goto"), [(200, 15001, "/520"), (503, 18001, "/maintenance")])
def test_failures_of_the_whole_service_redirect_the_page(administrator, upstream, status, code, goto):
    upstream.answers("GET", SUMMARY, {"code": code}, status=status)
    response = administrator.get(PAGE)
    assert (response.status_code, response.headers["Location"]) == (302, goto)


@pytest.mark.req("ST-08", "ST-09", "ST-12")
@pytest.mark.parametrize(("status", "expected"), [(520, 200), (401, 302)])
def test_an_expired_token_is_renewed_for_the_counts_as_for_any_call(administrator, upstream, status, expected):
    upstream.answers("GET", SUMMARY, {}, status=status)
    assert administrator.get(PAGE).status_code == expected
    assert len(upstream.calls("POST", "/v2/oauth/requestToken")) == 1, "one renewal"
    assert len(upstream.calls("GET", SUMMARY)) == 3, "beside the page, by the page, and the replay"


def the_list_is_refused(upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.refusal(10003), status=422)
    return PAGE


def the_page_is_missing(_upstream):
    return "/notifications/read/yesterday"


@pytest.mark.req("RT-34", "ER-07", "ST-10", "SEC-40")
@pytest.mark.parametrize("prepare", [the_list_is_refused, the_page_is_missing])
@pytest.mark.parametrize(
    ("status", "body", "goto"),
    [(200, {"code": 15001}, "/520"), (503, {"code": 18001}, "/maintenance"), (401, {"code": 11002}, "/login?")],
)
def test_failures_of_the_whole_service_replace_the_error_page(administrator, upstream, prepare, status, body, goto):
    path = prepare(upstream)
    upstream.answers("GET", SUMMARY, body, status=status)
    upstream.answers("POST", "/v2/oauth/requestToken", {}, status=401)
    response = administrator.get(path)
    assert response.status_code == 302
    assert response.headers["Location"].startswith(goto)
