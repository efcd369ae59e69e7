"""Notifications: their texts, and how they are filtered, opened and marked."""

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from tests.support import factories
from tests.support.factories import notification
from tests.support.reading import as_read, is_unconfirmed

LIST = "/notifications"
CALL = "/v1/bizNotifications"
KINDS = (
    *("SCANNER_PENDING", "SCANNER_REFUSED_ELSEWHERE", "PARTNERSHIP_REQUESTED", "PARTNERSHIP_ACCEPTED"),
    *("PARTNERSHIP_REJECTED", "PARTNERSHIP_CANCELLED", "PARTNERSHIP_ENDED", "INVITATION_EXPIRED"),
    *("EMAIL_CHANGED", "PASSWORD_CHANGED", "MAINTENANCE_PLANNED", "NOTICE"),
)


@pytest.fixture
def has(upstream):
    def answer(*rows, **more):
        upstream.answers("GET", CALL, {**factories.listing(list(rows)), **more})

    return answer


@pytest.fixture
def administrator(administrator, upstream, has):
    has(notification())
    for path in ("n-1/read", "n-1/unread"):
        upstream.answers("PUT", f"{CALL}/{path}")
    upstream.answers("PUT", f"{CALL}/readAll", {"resultCount": 2})
    return administrator


def page(client, path=LIST):
    response = client.get(path)
    assert response.status_code == 200
    return unescape(response.content.decode())


def last_query(upstream):
    return upstream.calls("GET", CALL)[-1].params


@pytest.mark.req("UC-13", "EN-71", "RT-27")
def test_the_sentence_is_written_by_the_console(administrator, visit):
    html = as_read(visit(LIST).response.content.decode())
    assert "The invitation for \u2068Hana Park\u2069 (\u2068hana@demo.example\u2069) expired." in html


@pytest.mark.parametrize(
    ("title", "text"), [("Order forms", "Order forms: The shade comes first."), ("", "The shade comes first.")]
)
def test_a_notice_in_the_words_of_the_service_is_read_in_its_direction(administrator, has, title, text):
    has(notification(type="NOTICE", params={}, target=None, title=title, body="The shade comes first."))
    assert f"\u2068{text}\u2069" in as_read(page(administrator))


def test_a_scanner_that_another_organization_tried_to_connect_is_named_with_our_clinic(administrator, has):
    has(notification(type="SCANNER_REFUSED_ELSEWHERE", params={"serialNumber": "EA1-1", "clinic": "Tulip"}))
    sentence = "tried to connect scanner \u2068EA1-1\u2069, which belongs to \u2068Tulip\u2069, and was blocked."
    assert f"Another organization {sentence}" in as_read(page(administrator))


@pytest.mark.req("EN-71")
@pytest.mark.parametrize("kind", [*KINDS, "SOMETHING_NEW", "", None, 7])
@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        [],
        {"serialNumber": None, "lab": 5, "clinic": ["x"], "startDate": "soon", "endDate": {}},
        {"serialNumber": "%(lab)s %s", "lab": "<b>", "clinic": "x" * 5000, "startDate": "0001-01-01T00:00:00+14:00"},
    ],
)
def test_missing_and_odd_params_never_break_the_list(administrator, has, visit, kind, params):
    has(notification(type=kind, params=params), notification(2, target=None))
    html = as_read(visit(LIST).response.content.decode())
    assert "%(" not in html.replace("%(lab)s %s", "").replace("%(count)s", "")
    assert html.count("Hana Park") >= 1


def test_a_notice_is_shown_as_the_service_sent_it_in_plain_text(administrator, has):
    has(notification(type="NOTICE", params={}, target=None, title="<b>New</b>", body="Look & see"))
    html = administrator.get(LIST).content.decode()
    assert "&lt;b&gt;New&lt;/b&gt;" in html
    assert "Look &amp; see" in html


@pytest.mark.req("UC-13", "RT-27", "DM-33")
@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("filter=unread", {"read": "false"}),
        ("kind=NOTICE", {"type": "NOTICE"}),
        ("filter=unread&kind=NOTICE&page=1", {"read": "false", "type": "NOTICE"}),
    ],
)
def test_the_list_is_filtered_by_unread_and_kind(administrator, upstream, query, sent):
    page(administrator, f"{LIST}?{query}")
    assert {name: value for name, value in last_query(upstream).items() if name in ("read", "type")} == sent
    assert last_query(upstream)["adminId"] == "a-1"


@pytest.mark.req("LS-01")
def test_the_list_is_searched_sorted_and_paged(administrator, upstream):
    page(administrator, f"{LIST}?keyword=EA&sort=created_date&order=asc&page=2&size=10")
    sent = last_query(upstream)
    assert (sent["keyword"], sent["sort"], sent["order"], sent["page"], sent["size"]) == (
        *("EA", "createdDate", "asc"),
        *("2", "10"),
    )


@pytest.mark.req("DM-33", "DM-50")
def test_loading_the_list_marks_nothing(administrator, upstream):
    page(administrator)
    page(administrator, f"{LIST}?filter=unread")
    assert upstream.calls("PUT") == []


@pytest.mark.req("UC-13", "EN-71", "DM-33")
def test_opening_marks_as_read_and_redirects_to_the_target(administrator, upstream):
    assert 'formaction="notifications/n-1/open"' in page(administrator)
    assert administrator.get(f"{LIST}/n-1/open").status_code == 200
    assert upstream.calls("PUT") == []
    response = administrator.post(f"{LIST}/n-1/open")
    assert (response.status_code, response["Location"]) == (303, "/user-manage/clinic/g-1/user/u-1")
    assert len(upstream.calls("PUT", f"{CALL}/n-1/read")) == 1


def test_opening_with_a_script_returns_the_target_url(administrator):
    answer = json.loads(administrator.post(f"{LIST}/n-1/open", headers={"Accept": "application/json"}).content)
    assert (answer["ok"], answer["goto"]) == (True, "/user-manage/clinic/g-1/user/u-1")


def test_a_missing_target_is_reported(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.refusal(10004), status=404)
    response = administrator.post(f"{LIST}/n-1/open")
    assert (response.status_code, response["Location"]) == (303, LIST)
    assert "The item this notification refers to no longer exists." in page(administrator)


@pytest.mark.parametrize("target", [None, {"type": "CASE", "id": "c-1"}, {"type": "USER", "id": None}])
def test_a_notification_without_a_target_page_can_only_be_marked(administrator, has, target):
    has(notification(target=target))
    html = page(administrator)
    assert "/open" not in html
    assert 'formaction="notifications/n-1/read"' in html


@pytest.mark.req("DM-33")
def test_one_is_marked_and_unmarked_and_the_filter_stays(administrator, upstream, has):
    response = administrator.post(f"{LIST}/n-1/read", {"back": f"{LIST}?filter=unread"})
    assert (response.status_code, response["Location"]) == (303, f"{LIST}?filter=unread")
    has(notification(read=True))
    assert 'formaction="notifications/n-1/unread"' in page(administrator)
    assert administrator.post(f"{LIST}/n-1/unread").status_code == 303
    assert len(upstream.calls("PUT", f"{CALL}/n-1/unread")) == 1


@pytest.mark.req("DM-40", "DM-33")
@pytest.mark.parametrize(("mark", "undo"), [("read", "unread"), ("unread", "read")])
def test_a_mark_can_be_undone(administrator, upstream, mark, undo):
    answer = administrator.post(f"{LIST}/n-1/{mark}", headers={"Accept": "application/json"}).json()
    assert answer["undo"] == f"{LIST}/n-1/{undo}"
    administrator.post(f"{LIST}/n-1/{mark}")
    assert f'<form method="post" action="{LIST}/n-1/{undo}">' in page(administrator)


def test_a_missing_notification_is_not_found(administrator):
    assert administrator.post(f"{LIST}/n-2/read").status_code == 404


def test_a_lost_response_is_reported_as_unknown(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/n-1/read", {}, status=504)
    html = unescape(administrator.post(f"{LIST}/n-1/read").content.decode())
    assert is_unconfirmed(html, "Mark as read")
    assert "Failed" not in html


@pytest.mark.req("DM-33", "DM-50")
def test_all_that_match_the_filter_are_marked_except_newer_ones(administrator, upstream):
    html = page(administrator, f"{LIST}?kind=NOTICE&filter=unread")
    assert f'action="{LIST}/read/20260105T083000.000000Z"' in html
    response = administrator.post(
        f"{LIST}/read/20260105T083000.000000Z",
        headers={"Referer": f"http://testserver{LIST}?kind=NOTICE&filter=unread"},
    )
    assert (response.status_code, response["Location"]) == (303, f"{LIST}?kind=NOTICE&filter=unread")
    (call,) = upstream.calls("PUT", f"{CALL}/readAll")
    expected = {"adminId": "a-1", "filter": {"type": ["NOTICE"]}, "upToDate": "2026-01-05T08:30:00Z"}
    assert json.loads(call.body) == expected
    assert "2 notifications marked as read." in page(administrator)


def undo_fields(html):
    """Return what the button that marks all as unread again sends."""
    form = html.partition(f'<form method="post" action="{LIST}/unread/again">')[2].partition("</form>")[0]
    return dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))


@pytest.mark.req("DM-40", "DM-33", "RT-47")
def test_that_all_were_marked_as_read_can_be_undone_for_those_that_were_unread(administrator, upstream, has):
    has(notification(), notification(2, createdDate="2026-01-05T09:00:00Z"))
    upstream.answers("PUT", f"{CALL}/n-1/unread", {})
    administrator.post(f"{LIST}/read/20260105T083000.000000Z")
    fields = undo_fields(page(administrator))
    response = administrator.post(f"{LIST}/unread/again", fields)
    assert (response.status_code, response["Location"]) == (303, LIST)
    assert "1 notification marked as unread." in page(administrator)
    assert len(upstream.calls("PUT", f"{CALL}/n-1/unread")) == 1


@pytest.mark.req("DM-40")
def test_more_notifications_than_one_page_are_marked_without_an_undo(administrator, upstream, has):
    has(notification(), resultCount=101)
    administrator.post(f"{LIST}/read/20260105T083000.000000Z")
    html = page(administrator)
    assert "2 notifications marked as read." in html
    assert not undo_fields(html)


@pytest.mark.parametrize(("count", "tone"), [(2, "success"), (0, "info")])
def test_that_none_had_to_be_marked_is_no_success(administrator, upstream, visit, count, tone):
    upstream.answers("PUT", f"{CALL}/readAll", {"resultCount": count})
    administrator.post(f"{LIST}/read/20260105T083000.000000Z")
    assert visit(LIST).one("#messages .alert").attributes["data-tone"] == tone


@pytest.mark.req("DM-40", "ER-05")
def test_an_undo_of_which_a_part_is_not_known_says_so(administrator, upstream, has):
    has(notification())
    upstream.answers("PUT", f"{CALL}/n-1/unread", {}, status=504)
    administrator.post(f"{LIST}/read/20260105T083000.000000Z")
    administrator.post(f"{LIST}/unread/again", undo_fields(page(administrator)))
    assert "Mark as unread: We couldn't confirm whether this worked. Check the list before you try again." in page(
        administrator
    )


@pytest.mark.parametrize("ids", ["", "n-1", '["n-1"]:x:y'])
def test_an_undo_that_was_not_offered_marks_nothing(administrator, upstream, ids):
    assert administrator.post(f"{LIST}/unread/again", {"ids": ids}).status_code == 303
    assert administrator.get(f"{LIST}/unread/again").status_code == 303
    assert upstream.calls("PUT") == []


def test_search_results_can_not_be_marked_all_at_once(administrator, upstream):
    response = administrator.post(
        f"{LIST}/read/20260105T083000.000000Z", headers={"Referer": f"http://testserver{LIST}?keyword=EA"}
    )
    assert response.status_code == 422
    assert "Clear the search first." in unescape(response.content.decode())
    assert upstream.calls("PUT") == []


@pytest.mark.parametrize("until", ["x", "2026-01-05T08:30:00", "9999999-01-01T00:00:00Z", "2026-13-01T00:00:00Z"])
def test_an_invalid_time_is_not_found(administrator, until):
    assert administrator.post(f"{LIST}/read/{until}").status_code == 404


def heads(html):
    return [part.split("</th>")[0].split(">")[-1] for part in html.split('class="row-heading"')[1:]]


def ago(**time):
    return (timezone.now() - timedelta(**time)).isoformat()


@pytest.mark.req("UC-13")
def test_notifications_have_their_day_as_a_heading(administrator, has):
    old = "2026-01-05T08:30:00Z"
    has(notification(createdDate=ago()), notification(2, createdDate=old), notification(3, createdDate=old))
    assert heads(page(administrator)) == ["Today", "Jan 5, 2026"]


def test_new_notifications_since_the_last_visit_have_a_heading(administrator, has):
    has(notification(createdDate=ago(hours=1)), notification(2, createdDate=ago(days=9)))
    before = int((datetime.now(UTC) - timedelta(days=1)).timestamp())
    assert "New since your last visit" not in page(administrator)
    administrator.cookies["visits"] = f".{before}"
    for _ in range(2):  # a reload is the same visit
        headings = heads(page(administrator))
        assert headings[0] == "New since your last visit"
        assert "Earlier" in headings


@pytest.mark.parametrize("cookie", ["", "x.y", "1", ".99999999999", "1.2.3"])
def test_an_invalid_cookie_of_the_last_visit_is_ignored(administrator, cookie):
    administrator.cookies["visits"] = cookie
    assert "New since" not in page(administrator)


def test_an_unread_notification_has_a_mark_and_the_tab_alone_says_that_only_these_are_listed(administrator, has):
    has(notification(), notification(2, read=True))
    view = administrator.get(LIST, {"filter": "unread"}, headers={"Accept": "application/json"}).json()["item"]["list"]
    assert [row.get("mark") for row in view["rows"]] == ["Unread", None]
    assert [column["name"] for column in view["columns"]] == ["notification", "received"]
    assert view["chips"] == []
    assert [(tab["label"], tab["is_current"]) for tab in view["tabs"]] == [("Unread", True), ("All", False)]


def test_an_empty_list_and_a_list_without_unread_ones_have_different_texts(administrator, has):
    has()
    assert "No notifications yet." in page(administrator)
    assert "No unread notifications." in page(administrator, f"{LIST}?filter=unread")
    assert "No matches." in page(administrator, f"{LIST}?filter=unread&kind=NOTICE")


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_without_notifications_says_so(administrator, upstream, visit, status):
    upstream.answers("GET", CALL, {}, status=status)
    assert "This isn't available here." in unescape(visit(LIST).response.content.decode())


@pytest.mark.req("CO-20")
def test_the_bell_has_its_number_in_words(administrator, upstream):
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(unreadNotificationCount=3))
    html = page(administrator)
    assert 'aria-label="Notifications, 3 unread"' in html
    upstream.answers("GET", f"{CALL}/unreadCount", {"resultCount": 1})
    answer = json.loads(administrator.get(f"{LIST}/unread").content)
    assert answer["item"] == {"count": "1", "label": "Notifications, 1 unread"}


@pytest.mark.parametrize("status", [404, 500, 501])
def test_without_a_count_the_bell_has_no_number(administrator, upstream, status):
    upstream.answers("GET", f"{CALL}/unreadCount", {}, status=status)
    assert json.loads(administrator.get(f"{LIST}/unread").content)["item"] is None
    upstream.answers("GET", "/v1/bizDashboards/summary", {}, status=501)
    assert 'aria-label="Notifications"' in page(administrator)


def test_a_visitor_gets_no_count(client, upstream, db):
    answer = client.get(f"{LIST}/unread").json()
    assert (answer["ok"], answer["item"], answer["goto"]) == (False, None, "")


@pytest.mark.req("EN-71")
@pytest.mark.parametrize("value", [True, False, {"x": 1}, [1], 1.5, None])
def test_params_that_are_neither_text_nor_number_are_not_filled_in(administrator, has, value):
    has(factories.notification(type="SCANNER_PENDING", params={"serialNumber": value}))
    assert "A scanner is waiting for approval." in page(administrator)
