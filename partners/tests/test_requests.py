"""Requests to labs: for one or several clinics, with a message, and sent again."""

from html import unescape
from urllib.parse import urlencode

import pytest

from tests.support import factories
from tests.support.bulk import field, has_rows, next_step
from tests.support.page import Page
from tests.support.reading import as_read

LAB = "/partner-manage/lab/l-1"
ASK = f"{LAB}/request"
CALL = "/v1/bizPartnerships"
JSON = {"Accept": "application/json"}


def lab(**values):
    return {"id": "l-1", "name": "Smile Lab", "inPartnerList": True, **values}


@pytest.fixture
def administrator(administrator, upstream):
    has_rows(upstream, "/v1/bizMainGroups", [factories.clinic(number) for number in range(1, 5)])
    for number in range(1, 5):
        upstream.answers("GET", f"/v1/bizMainGroups/g-{number}", factories.clinic(number))
    upstream.answers("GET", "/v1/bizLabs/l-1", lab())
    upstream.answers("GET", CALL, factories.listing([factories.partnership(status="ACCEPTED")]))
    return administrator


@pytest.mark.req("UC-10", "DM-34")
def test_each_clinic_is_listed_with_its_open_request_or_partnership(administrator, visit):
    html = visit(ASK).response.content.decode()
    for part in ("Smile Lab", "Clinic 4", "No request yet", "Accepted", 'href="/partner-manage/partnership/p-1"'):
        assert part in html
    view = administrator.get(ASK, headers=JSON).json()["item"]["list"]
    assert [len(row["actions"]) for row in view["rows"]] == [0, 1, 1, 1]


@pytest.mark.req("UC-10")
def test_a_sent_request_is_canceled_in_the_row_it_was_sent_from(administrator, upstream, visit):
    sent = factories.partnership(requestedBy="ORGANIZATION")
    upstream.answers("GET", CALL, factories.listing([sent]))
    page = visit(ASK)
    assert page.rows[0]["Status"] == "Request sent"
    (row, *_others) = administrator.get(ASK, headers=JSON).json()["item"]["list"]["rows"]
    assert row["actions"] == [1]
    upstream.answers("GET", f"{CALL}/p-1", sent)
    upstream.answers("PUT", f"{CALL}/p-1/cancel", {})
    answer = administrator.post("/partner-manage/partnership/p-1/cancel", {"back": ASK})
    assert (answer.status_code, answer.headers["Location"]) == (303, ASK)


@pytest.mark.req("UC-10", "RT-48")
def test_the_requests_to_a_lab_are_canceled_from_its_row(administrator, upstream, visit):
    search = "/partner-manage/search?keyword=smile"
    cancel = f"{LAB}/cancel?{urlencode({'back': search})}"
    one, two = (factories.partnership(n, requestedBy="ORGANIZATION") for n in (1, 2))
    upstream.answers("GET", CALL, factories.listing([one]))
    upstream.answers("GET", f"{CALL}/p-1", one)
    page = Page.from_response(administrator.get(cancel, follow=True))
    assert page.heading == "Cancel the request to Smile Lab?"
    assert page.form("main form").values["back"] == search
    upstream.answers("GET", CALL, factories.listing([one, two]))
    answer = administrator.get(cancel)
    assert answer.headers["Location"] == "/partner-manage/list/sent?lab=l-1"
    page = visit(answer.headers["Location"])
    assert len(page.rows) == 2
    assert any("labId=l-1" in call.url for call in upstream.calls("GET", CALL)[-2:])
    assert page.texts(".chips li") == ["Lab: Smile Lab"]


def test_after_the_last_cancellation_the_filter_still_names_the_lab(administrator, upstream, visit):
    upstream.answers("GET", CALL, factories.listing([]))
    assert visit("/partner-manage/list/sent?lab=l-1").texts(".chips li") == ["Lab: Smile Lab"]
    upstream.answers("GET", "/v1/bizLabs/l-1", factories.refusal(10004), status=404)
    assert visit("/partner-manage/list/sent?lab=l-1").texts(".chips li") == ["Lab: l-1"]


@pytest.mark.req("UC-10")
@pytest.mark.parametrize("page", [ASK, f"{ASK}/g-2"])
def test_the_heading_names_the_lab(administrator, visit, page):
    html = visit(page).response.content.decode()
    assert "<h1>Send request to \u2068Smile Lab\u2069</h1>" in html
    assert "<title>Send request to \u2068Smile Lab\u2069" in html


@pytest.mark.req("UC-10", "DM-39")
def test_a_request_for_one_clinic_is_sent_with_a_message(administrator, upstream, visit):
    assert "Clinic 2" in visit(f"{ASK}/g-2").response.content.decode()
    upstream.answers("POST", CALL, {"id": "p-9"})
    answer = administrator.post(f"{ASK}/g-2", {"message": " Hello,\r\nwe need crowns. ", "back": ASK})
    assert (answer.status_code, answer.headers["Location"]) == (303, ASK)
    owner = {"type": "MAIN_GROUP", "id": "g-2"}
    assert upstream.bodies("POST", CALL) == [{"labId": "l-1", "owner": owner, "message": "Hello,\nwe need crowns."}]


@pytest.mark.req("UC-10", "DM-39")
@pytest.mark.parametrize(
    ("message", "status"),
    [("", 303), ("x" * 500, 303), ("😀" * 500, 303), ("a\r\n" * 250, 303), ("x" * 501, 422), ("a\x00b", 422)],
)
def test_the_length_of_a_message_is_counted_as_the_service_does(administrator, upstream, message, status):
    upstream.answers("POST", CALL, {"id": "p-9"})
    answer = administrator.post(f"{ASK}/g-2", {"message": message})
    assert answer.status_code == status
    assert len(upstream.bodies("POST", CALL)) == (status == 303)
    if len(message) > 500 and status == 422:
        html = answer.content.decode()
        assert "The message is 1 character too long." in html
        assert message in html


@pytest.mark.req("UC-10", "ER-27")
@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (500, 10000, "Failed to send the partnership request."),
        (409, 16002, "This lab isn't on your partner list."),
        (409, 16009, "This lab is no longer available."),
        (524, 0, "t confirm whether this worked."),
    ],
)
def test_a_failed_request_is_reported_and_keeps_the_message(administrator, upstream, status, code, message):
    upstream.answers("POST", CALL, factories.refusal(code), status=status)
    html = as_read(administrator.post(f"{ASK}/g-2", {"message": "My words"}).content.decode())
    assert message in unescape(html)
    assert "My words" in html
    assert "raw words" not in html


@pytest.mark.req("UC-10")
def test_a_request_sent_concurrently_is_reported(administrator, upstream):
    upstream.answers("POST", CALL, factories.refusal(16004), status=409)
    owner = {"type": "MAIN_GROUP", "id": "g-2", "name": "Clinic 2"}
    upstream.remove("GET", CALL)
    upstream.answers_in_order(
        "GET",
        CALL,
        (200, factories.listing([])),
        (200, factories.listing([factories.partnership(owner=owner)])),
    )
    answer = administrator.post(f"{ASK}/g-2", {"message": "Hello"})
    html = as_read(answer.content.decode())
    assert answer.status_code == 409
    assert "There&#39;s already a pending request or a partnership with this lab." in html
    assert "Current status: Request received." in html


@pytest.mark.req("UC-10")
def test_nothing_is_sent_twice_by_a_double_click(administrator, upstream):
    upstream.answers("POST", CALL, {"id": "p-9"})
    form = {"message": "Hello", "form_id": "11111111-1111-4111-8111-111111111111"}
    for _ in range(2):
        assert administrator.post(f"{ASK}/g-2", form).status_code == 303
    assert len(upstream.bodies("POST", CALL)) == 1


def test_an_open_request_or_partnership_replaces_the_form(administrator, visit):
    html = visit(f"{ASK}/g-1").response.content.decode()
    assert "There&#39;s already a pending request or a partnership with this lab." in html
    assert 'name="message"' not in html


@pytest.mark.req("UC-10", "DM-39")
def test_several_requests_are_sent_at_once_and_each_result_is_shown(administrator, upstream, visit):
    html = administrator.post(f"{ASK}/bulk/send", {"id": ["g-1", "g-2", "g-3", "g-4"]}).content.decode()
    assert "1 clinic already has a pending request or a partnership." in html
    assert "Current status: Accepted." in html
    assert "Send 3 requests" in html
    assert "<bdi translate=no>Smile Lab</bdi> · 4 clinics selected" in html
    results = [
        {"index": 0, "ok": True, "id": "p-7"},
        {"index": 1, "ok": False, "code": 16004},
        {"index": 2, "ok": True},
    ]
    upstream.answers("POST", CALL, {"resultCount": 3, "okCount": 2, "results": results})
    too_long = {**next_step(html), "message": "x" * 501}
    refused = administrator.post(f"{ASK}/bulk/send", too_long)
    assert (refused.status_code, upstream.bodies("POST", CALL)) == (422, [])
    html = administrator.post(f"{ASK}/bulk/send", {**next_step(html), "message": "Hello"}, follow=True).content.decode()
    for part in (
        "2 requests sent.",
        "2 requests weren&#39;t sent.",
        "There&#39;s already a pending request or a partnership with this lab.",
    ):
        assert part in html
    (body,) = upstream.bodies("POST", CALL)
    assert (body["labId"], body["message"]) == ("l-1", "Hello")
    assert [owner["id"] for owner in body["owners"]] == ["g-2", "g-3", "g-4"]


def test_all_matching_clinics_are_selected_without_ticking_each(administrator, upstream):
    html = administrator.get(f"{ASK}?keyword=Clinic").content.decode()
    query = unescape(field(html, "query"))
    html = administrator.post(f"{ASK}/bulk/send", {"all": "1", "query": query, "except": "g-2"}).content.decode()
    assert "Send 2 requests" in html


@pytest.mark.req("UC-10", "DM-39")
@pytest.mark.parametrize("status", ["REJECTED", "CANCELLED", "ENDED"])
def test_a_request_is_sent_again_with_the_same_message_or_another(administrator, upstream, visit, status):
    resend = "/partner-manage/partnership/p-1/send-again"
    past = factories.partnership(status=status, requestedBy="ORGANIZATION", message="Old words")
    upstream.answers("GET", f"{CALL}/p-1", past)
    assert "Old words" in visit(resend).response.content.decode()
    upstream.answers("POST", CALL, {"id": "p-9"})
    assert administrator.post(resend, {"message": ""}).status_code == 303
    assert administrator.post(resend, {"message": "New words"}).status_code == 303
    assert [body.get("message") for body in upstream.bodies("POST", CALL)] == [None, "New words"]


def test_the_labs_own_message_is_not_sent_back_to_it(administrator, upstream, visit):
    upstream.answers("GET", f"{CALL}/p-1", factories.partnership(status="REJECTED", message="Words of the lab"))
    html = visit("/partner-manage/partnership/p-1/send-again").response.content.decode()
    assert "Words of the lab" not in html


@pytest.mark.req("EN-69")
def test_a_request_for_a_user_is_sent_again_for_the_user(administrator, upstream):
    owner = {"type": "USER", "id": "u-7", "name": "Doctor Kim"}
    upstream.answers("GET", f"{CALL}/p-1", factories.partnership(status="ENDED", owner=owner))
    upstream.answers("POST", CALL, {"id": "p-9"})
    administrator.post("/partner-manage/partnership/p-1/send-again", {"message": ""})
    assert upstream.bodies("POST", CALL) == [{"labId": "l-1", "owner": {"type": "USER", "id": "u-7"}}]


def test_no_request_is_sent_to_a_lab_that_left_the_service(administrator, upstream, visit):
    upstream.answers("GET", "/v1/bizLabs/l-1", factories.refusal(16009), status=409)
    for page in (ASK, f"{ASK}/g-2"):
        html = visit(page, status=410).response.content.decode()
        assert "Lab no longer available</h1>" in html
    gone = factories.partnership(status="ENDED", labLeftDate="2026-01-01T00:00:00Z")
    upstream.answers("GET", f"{CALL}/p-1", gone)
    assert administrator.post("/partner-manage/partnership/p-1/send-again").status_code == 410
    assert upstream.bodies("POST", CALL) == []


def test_a_lab_that_is_not_in_the_list_has_a_link_to_its_page(administrator, upstream, visit):
    upstream.answers("GET", "/v1/bizLabs/l-1", lab(inPartnerList=False))
    html = visit(ASK).response.content.decode()
    assert "You can send requests only to labs on your partner list." in html
    assert f'href="{LAB}"' in html


@pytest.mark.req("PM-18", "UC-10")
def test_the_labs_of_a_clinic_link_to_a_request_and_back(administrator, upstream, visit):
    labs = [{"labId": f"l-{n}", "labName": f"Lab {n}", "status": status} for n, status in ((1, None), (2, "PENDING"))]
    upstream.answers("GET", "/v1/bizMainGroups/g-2/permissions", {**factories.permissions(), "orderLabs": labs})
    page = "/user-manage/clinic/g-2/permissions"
    html = visit(page).response.content.decode()
    assert f'href="{ASK}/g-2?back={page}"' in html
    assert "/lab/l-2/request" not in html
    assert f'href="{page}">' in visit(f"{ASK}/g-2?back={page}").response.content.decode()


@pytest.mark.req("UC-04")
def test_the_list_of_clinics_links_to_the_partners_of_a_clinic(administrator, upstream):
    has_rows(upstream, "/v1/bizMainGroups", [factories.clinic(1, partnerCount=3), factories.clinic(2, partnerCount=0)])
    html = administrator.get("/user-manage/clinic").content.decode()
    assert '<a href="/user-manage/clinic/g-1/partner">3</a>' in html
    assert "/list/partners?clinic=g-2" not in html
