"""Labs are added to and removed from the partner list: one with undo, many at once, and refusals."""

import json
from html import unescape

import pytest

from tests.support import factories
from tests.support.factories import lab
from tests.support.reading import is_unconfirmed

SEARCH = "/partner-manage/search"
ADD, REMOVE = "/partner-manage/lab/l-1/add", "/partner-manage/lab/l-1/remove"
LAB, LIST, ONE = "/v1/bizLabs/l-1", "/v1/bizPartnerLists", "/v1/bizPartnerLists/l-1"
JSON = {"Accept": "application/json"}


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.answers("GET", LAB, lab())
    upstream.answers("GET", "/v1/bizLabs", factories.listing([lab()]))
    upstream.answers("POST", LIST)
    upstream.answers("DELETE", ONE)
    return admin_client


def listed(upstream, **values):
    rows = [{"lab": lab(inPartnerList=True, **values), "addedDate": "2026-01-05T08:30:00Z"}]
    upstream.answers("GET", LIST, factories.listing(rows))
    upstream.answers("GET", LAB, lab(inPartnerList=True, **values))


@pytest.mark.req("UC-09", "DM-40", "ST-42")
def test_a_lab_is_added_and_the_page_offers_to_undo_it(administrator, upstream):
    answer = administrator.post(ADD, {"back": f"{SEARCH}?country=KR"})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{SEARCH}?country=KR")
    (call,) = upstream.calls("POST", LIST)
    assert json.loads(call.body) == {"organizationId": "o-1", "labId": "l-1"}
    assert call.headers["Idempotency-Key"]
    html = administrator.get(f"{SEARCH}?country=KR").content.decode()
    assert "was added to your partner list." in html
    form = html.partition(f'<form method="post" action="{REMOVE}">')[2].partition("</form>")[0]
    assert ">Undo</button>" in form
    assert f'name="back" value="{SEARCH}?country=KR"' in form
    assert "Undo" not in administrator.get(SEARCH).content.decode(), "it is told once"


@pytest.mark.req("UC-09", "DM-40", "ST-43")
def test_a_lab_is_removed_and_the_page_offers_to_undo_it(administrator, upstream):
    listed(upstream)
    assert administrator.post(REMOVE, {"back": SEARCH}).status_code == 303
    (call,) = upstream.calls("DELETE", ONE)
    assert "organizationId=o-1" in call.url
    html = administrator.get(SEARCH).content.decode()
    assert "was removed from your partner list." in html
    assert f'<form method="post" action="{ADD}">' in html


@pytest.mark.req("UC-09", "DM-40")
@pytest.mark.parametrize(("path", "back"), [(ADD, REMOVE), (REMOVE, ADD)])
def test_json_contains_the_undo_url_and_no_redirect(administrator, upstream, path, back):
    listed(upstream)
    answer = administrator.post(path, {"back": SEARCH}, headers=JSON).json()
    assert (answer["ok"], answer["undo"], answer["goto"]) == (True, back, "")
    assert answer["item"] == {"id": "l-1", "is_stale": False}


@pytest.mark.req("UC-09", "ER-26")
@pytest.mark.parametrize("headers", [{}, JSON])
@pytest.mark.parametrize(
    ("method", "call", "path", "code", "sentences"),
    [
        (
            "POST",
            LIST,
            ADD,
            16001,
            ("Failed to add the lab to the partner list.", "This lab is already on your partner list."),
        ),
        ("POST", LIST, ADD, 16009, ("Failed to add the lab to the partner list.", "This lab is no longer available.")),
        ("POST", LIST, ADD, 10000, ("Failed to add the lab to the partner list.",)),
        (
            "DELETE",
            ONE,
            REMOVE,
            16002,
            ("Failed to remove the lab from the partner list.", "This lab isn't on your partner list."),
        ),
        (
            "DELETE",
            ONE,
            REMOVE,
            16003,
            (
                "Failed to remove the lab from the partner list.",
                "There's a pending request or a partnership with this lab.",
            ),
        ),
        ("DELETE", ONE, REMOVE, 77777, ("Failed to remove the lab from the partner list.",)),
    ],
)
def test_a_refusal_says_what_failed_and_why(administrator, upstream, headers, method, call, path, code, sentences):
    listed(upstream)
    upstream.answers("GET", LAB, lab(inPartnerList=path == REMOVE))
    upstream.answers(method, call, factories.refusal(code), status=409)
    answer = administrator.post(path, {"back": SEARCH}, headers=headers)
    assert answer.status_code in (409, 422)
    text = answer.content.decode()
    for sentence in sentences:
        assert sentence in unescape(text)
    assert "raw words" not in text


@pytest.mark.req("UC-09", "ST-44")
def test_a_refused_removal_shows_what_is_open(administrator, upstream):
    listed(upstream)
    reasons = [
        {"reason": "ACCEPTED", "count": 2},
        {"reason": "PENDING", "count": 1},
        {"reason": "REQUEST_SENT", "count": 1},
    ]
    upstream.answers("DELETE", ONE, factories.refusal(16003, reasons=reasons), status=409)
    html = administrator.post(REMOVE, {"back": SEARCH}).content.decode()
    for sentence in ("2 partnerships are active", "1 request from the lab is pending", "1 request is pending"):
        assert sentence in html


@pytest.mark.req("UC-09")
def test_known_blockers_are_shown_before_anything_is_sent(administrator, upstream, visit):
    listed(upstream, partneredMainGroupCount=2)
    html = visit(REMOVE).response.content.decode()
    assert "2 partnerships are active." in html
    assert ">Remove from my list</button>" not in html


@pytest.mark.req("UC-09")
@pytest.mark.parametrize(("path", "question"), [(ADD, "Add "), (REMOVE, "Remove ")])
def test_a_get_asks_and_changes_nothing(administrator, upstream, visit, path, question):
    if path == REMOVE:
        listed(upstream)
    html = visit(path).response.content.decode()
    assert f"<h1>{question}" in html.replace(' tabindex="-1" data-focus', "")
    assert not upstream.calls("POST", LIST)
    assert not upstream.calls("DELETE", ONE)


@pytest.mark.req("UC-09")
def test_a_lab_that_left_the_service_can_be_removed_but_not_added(administrator, upstream):
    listed(upstream, leftDate="2026-01-05T08:30:00Z")
    upstream.answers("GET", LAB, factories.refusal(16009), status=409)
    answer = administrator.post(REMOVE, {"back": SEARCH}, headers=JSON).json()
    assert answer["ok"]
    assert "undo" not in answer
    assert administrator.post(ADD, {"back": SEARCH}).status_code == 410


@pytest.mark.req("UC-09")
def test_a_lost_response_is_settled_by_reading(administrator, upstream):
    upstream.answers("POST", LIST, {}, status=524)
    upstream.remove("GET", LAB)
    upstream.answers_in_order("GET", LAB, (200, lab()), (200, lab(inPartnerList=True)))
    assert administrator.post(ADD, {"back": SEARCH}).status_code == 303


@pytest.mark.req("UC-09")
def test_a_lost_response_with_an_unknown_outcome_is_not_called_failed(administrator, upstream):
    upstream.answers("POST", LIST, {}, status=524)
    html = administrator.post(ADD, {"back": SEARCH}).content.decode()
    assert is_unconfirmed(html, "Add to my list")
    assert "Failed to add" not in html


@pytest.mark.req("UC-09")
def test_the_same_form_sent_twice_is_carried_out_once(administrator, upstream):
    form = {"back": SEARCH, "form_id": "0" * 32}
    assert [administrator.post(ADD, form).status_code for _ in range(2)] == [303, 303]
    assert len(upstream.calls("POST", LIST)) == 1


@pytest.mark.req("UC-09")
@pytest.mark.parametrize(
    ("action", "row", "planned", "blocked"),
    [
        ("add", {}, "Will be added", "This lab is already on your partner list."),
        ("remove", {"inPartnerList": True}, "Will be removed", "This lab isn't on your partner list."),
    ],
)
def test_a_bulk_action_shows_what_can_not_be_done_and_does_the_rest(
    administrator, upstream, visit, action, row, planned, blocked
):
    other = {"inPartnerList": not row.get("inPartnerList", False)}
    upstream.answers("GET", "/v1/bizLabs", factories.listing([lab(1, **row), lab(2, **other)]))
    done = {"resultCount": 1, "okCount": 1, "results": [{"id": "l-1", "ok": True}]}
    upstream.answers("POST", f"{LIST}/bulk{action.title()}", done)
    html = administrator.post(f"{SEARCH}/bulk/{action}", {"id": ["l-1", "l-2"], "back": SEARCH}).content.decode()
    for part in (planned, blocked, "Lab 1", "Lab 2"):
        assert part in unescape(html)
    fields = dict(
        part.split('" value="')
        for part in (tag.partition('"')[0] + '" value="' + tag.partition('value="')[2].partition('"')[0]
                     for tag in html.split('type="hidden" name="')[1:])
    )  # fmt: skip
    answer = administrator.post(f"{SEARCH}/bulk/{action}", fields, follow=True)
    assert answer.status_code == 200
    (call,) = upstream.calls("POST", f"{LIST}/bulk{action.title()}")
    assert json.loads(call.body) == {"organizationId": "o-1", "labIds": ["l-1"]}


@pytest.mark.req("UC-09", "ST-44")
def test_a_lab_with_something_open_is_not_removed_in_bulk(administrator, upstream):
    open_lab = lab(1, inPartnerList=True, partneredMainGroupCount=1)
    upstream.answers("GET", "/v1/bizLabs", factories.listing([open_lab]))
    html = administrator.post(f"{SEARCH}/bulk/remove", {"id": "l-1", "back": SEARCH}).content.decode()
    assert "1 partnership is active." in html
    assert not upstream.calls("POST", "bulkRemove")
