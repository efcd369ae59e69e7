"""The page or redirect, status and texts for each failure of the upstream service; for pages and for JSON alike."""

import pytest

from tests.support import factories

LIST = "/user-manage/clinic"
CALL = "/v1/bizMainGroups"

ROWS = [
    (403, factories.refusal(11008), 422, "The service declined this request"),
    (404, factories.refusal(10004), 404, "Not found"),
    (409, factories.refusal(13007), 409, "Changed in the meantime"),
    (412, factories.refusal(10005), 412, "Changed in the meantime"),
    (422, factories.refusal(12005), 422, "The service declined this request"),
    (429, factories.refusal(10008), 429, "Too many requests"),
    (500, factories.refusal(10000), 502, "Something went wrong"),
    (502, {"nothing": "known"}, 502, "Something went wrong"),
    (524, factories.refusal(10000), 504, "The service took too long to respond"),
    (302, {}, 502, "Something went wrong"),
    (200, {"resultCount": "many"}, 502, "Something went wrong"),
]


@pytest.mark.req("ER-30", "ER-33", "ER-34", "ER-05", "LS-14", "ST-51")
@pytest.mark.parametrize(("status", "body", "expected", "title"), ROWS)
def test_an_error_is_shown_in_place(administrator, visit, upstream, status, body, expected, title):
    upstream.answers("GET", CALL, body, status=status)
    page = visit(LIST, status=expected)
    html = page.response.content.decode()
    assert title in html
    assert "raw words" not in html
    assert page.response.headers["X-Request-ID"] in html
    assert ("Try again" in html) == (expected != 404)  # a missing object will not come back
    assert len(upstream.calls("GET", CALL)) == 1


@pytest.mark.req("ER-34", "ER-33")
@pytest.mark.parametrize(("status", "body", "expected", "title"), ROWS)
def test_the_same_error_as_json_never_redirects(administrator, upstream, status, body, expected, title):
    upstream.answers("GET", CALL, body, status=status)
    response = administrator.get(LIST, headers={"Accept": "application/json"})
    answer = response.json()
    assert response.status_code == expected
    assert (answer["ok"], answer["goto"]) == (False, "")
    assert answer["message"]
    assert answer["traceId"] == response.headers["X-Request-ID"]


@pytest.mark.req("ER-30", "ER-31")
def test_the_generic_message_names_the_support_address(administrator, upstream, settings):
    upstream.answers("GET", CALL, factories.refusal(10000), status=500)
    text = "An error has occurred. Try again later, or contact support at support@console.example."
    assert text in administrator.get(LIST).content.decode()
    settings.SUPPORT_EMAIL = ""
    assert "An error has occurred. Try again later." in administrator.get(LIST).content.decode()


def test_the_time_to_wait_is_in_the_text_and_in_its_header(administrator, upstream):
    upstream.answers("GET", CALL, factories.refusal(10008), status=429, headers={"Retry-After": "7"})
    response = administrator.get(LIST)
    assert response.headers["Retry-After"] == "7"
    assert "Try again in 7 seconds." in response.content.decode()


def test_the_retry_time_of_a_failing_service_is_in_the_header(administrator, upstream):
    upstream.answers("GET", CALL, factories.refusal(10000), status=503, headers={"Retry-After": "120"})
    assert administrator.get(LIST).headers["Retry-After"] == "120"


@pytest.mark.req("RT-34", "ER-03", "ST-10")
@pytest.mark.parametrize("status", [200, 400, 401, 404, 500, 503, 520])
def test_code_15001_redirects_to_520_at_any_status_without_a_refresh(administrator, upstream, status):
    upstream.answers("GET", CALL, {"code": 15001, "message": "raw words"}, status=status)
    refreshes = len(upstream.calls("POST", "/v2/oauth/requestToken"))
    assert administrator.get(LIST).headers["Location"] == "/520"
    answer = administrator.get(LIST, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["goto"]) == (520, "/520")
    assert len(upstream.calls("POST", "/v2/oauth/requestToken")) == refreshes


@pytest.mark.req("ER-07")
def test_code_18001_redirects_to_maintenance(administrator, upstream):
    upstream.answers("GET", CALL, {"code": 18001}, status=503)
    assert administrator.get(LIST).headers["Location"] == "/maintenance"
    answer = administrator.get(LIST, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["goto"]) == (503, "/maintenance")


@pytest.mark.req("ST-08", "ST-09", "ST-12", "ER-01", "ER-02", "CA-05", "CA-27")
@pytest.mark.parametrize("status", [401, 520])
def test_a_refresh_happens_and_the_call_is_replayed(administrator, upstream, status):
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    path = "/v1/bizMainGroups/g-1"
    upstream.remove("GET", path)
    upstream.answers_in_order("GET", path, (status, factories.refusal(11002)), (200, factories.clinic()))
    assert administrator.get("/user-manage/clinic/g-1/user?keyword=a").status_code == 200
    first, second = upstream.calls("GET", path)
    assert first.headers["Authorization"] == "Bearer access-1"
    assert second.headers["Authorization"] == "Bearer access-2"
    assert (first.url, first.headers["service-id"]) == (second.url, second.headers["service-id"])


@pytest.mark.req("ST-13", "ST-17", "RT-33", "ER-08")
def test_a_replay_that_is_refused_ends_the_session(administrator, upstream):
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    upstream.answers("GET", CALL, factories.refusal(11002), status=401)
    before = len(upstream.calls("POST", "/v2/oauth/requestToken"))
    response = administrator.get(LIST + "?page=2")
    assert response.headers["Location"] == "/login?next=%2Fuser-manage%2Fclinic%3Fpage%3D2&reason=expired"
    assert response.cookies["auth"]["max-age"] == 0
    assert len(upstream.calls("POST", "/v2/oauth/requestToken")) == before + 1
    login = administrator.get(response.headers["Location"]).content.decode()
    assert "Your session has expired" in login
    assert "Log in again" in login


@pytest.mark.req("ST-13")
def test_a_replay_that_gets_520_again_is_an_error_and_the_session_stays(administrator, upstream):
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    upstream.answers("GET", CALL, {}, status=520)
    assert administrator.get(LIST).status_code == 502
    upstream.has_clinic()
    assert administrator.get(LIST).status_code == 200


@pytest.mark.req("ST-17", "RT-33", "ER-09", "ER-10")
def test_a_refused_refresh_redirects_to_the_login_and_back(administrator, upstream):
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
    upstream.answers("GET", CALL, {}, status=401)
    goto = administrator.get(LIST).headers["Location"]
    assert goto == "/login?next=%2Fuser-manage%2Fclinic&reason=expired"
    upstream.may_log_in()
    form = {"email": "admin@demo.example", "password": "x", "next": LIST}
    assert administrator.post("/login", form).headers["Location"] == LIST


@pytest.mark.req("RT-32")
def test_a_form_whose_session_ended_returns_to_its_page(administrator, upstream):
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
    upstream.answers("PUT", CALL + "/g-1/permissions", {}, status=401)
    change = {"allow_export": "off", "version": "2"}
    page = "http://testserver/user-manage/clinic/g-1/permissions"
    response = administrator.post("/user-manage/clinic/g-1/permissions", change, headers={"Referer": page})
    assert response.headers["Location"] == "/login?next=%2Fuser-manage%2Fclinic%2Fg-1%2Fpermissions&reason=expired"
    upstream.may_log_in()
    administrator.post("/login", {"email": "admin@demo.example", "password": "x"})
    foreign = {"Referer": "https://evil.test/user-manage"}
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
    response = administrator.post("/user-manage/clinic/g-1/permissions", change, headers=foreign)
    assert response.headers["Location"] == "/login?next=%2F&reason=expired"


@pytest.mark.req("ER-34")
@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("/user-manage/clinic/g-9/user", "/user-manage/clinic"),
        ("/user-manage/clinic/g-1/user/u-9", "/user-manage/clinic/g-1/user"),
        ("/user-manage/clinic/g-1/user/u-9/edit", "/user-manage/clinic/g-1/user"),
        ("/user-manage/clinic/g-1/team/t-9/delete", "/user-manage/clinic/g-1/team"),
    ],
)
def test_the_error_page_of_a_deleted_object_links_to_its_list(administrator, visit, upstream, path, above):
    for call in ("/v1/bizMainGroups/g-9", "/v1/bizUsers/u-9", "/v1/bizUsers/u-9/permissions", "/v1/bizSubGroups/t-9"):
        upstream.answers("GET", call, factories.refusal(10004), status=404)
    html = visit(path, status=404).response.content.decode()
    assert f'data-primary href="{above}"' in html
