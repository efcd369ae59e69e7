"""The details for support: all that it asks for first, and no personal data."""

from html import unescape

import pytest

from console.sessions.browsers import browser_and_version

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0"
AGENTS = {
    FIREFOX: "Firefox 148, Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 "
    "Edg/150.0.1.2": "Microsoft Edge 150, Windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.2 "
    "Safari/605.1.15": "Safari 19, Mac",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0.1 Mobile Safari/604.1": (
        "Chrome 150, iPhone"
    ),
    "Firefox/": "Firefox",
    "Firefox/" + "9" * 5000: "Firefox 9999",
    "curl/8.0": "",
    "": "",
}


@pytest.mark.parametrize(("agent", "expected"), AGENTS.items())
def test_a_browser_is_named_with_its_version(agent, expected):
    assert browser_and_version(agent) == expected


def details_in(html):
    return unescape(html.partition('data-copy="')[2].partition('"')[0])


@pytest.mark.req("ER-33")
def test_an_error_offers_its_details_without_personal_data(admin_client, upstream, settings):
    settings.BUILD_COMMIT = "abc1234"
    upstream.answers("GET", "/v1/bizMainGroups/g-77", {}, status=500)
    url = "/user-manage/clinic/g-77/user?keyword=kim@demo.example"
    answer = admin_client.get(url, headers={"User-Agent": FIREFOX, "Accept-Language": "de"})
    details = dict(line.split(": ", 1) for line in details_in(answer.content.decode()).splitlines())
    assert details.pop("version").endswith(" (abc1234)")
    assert details == {
        "page": "/user-manage/clinic/<id:clinic_id>/user",
        "request_id": answer.headers["X-Request-ID"],
        "browser": "Firefox 148, Linux",
        "language": "de-DE",
    }
    read = admin_client.get(url, headers={"Accept": "application/json"}).json()
    assert f"request_id: {read['traceId']}\n" in read["details"]
    assert "kim" not in read["details"]
    assert "g-77" not in read["details"]


def test_a_response_without_an_error_or_with_field_errors_has_no_details(admin_client, upstream):
    upstream.has_clinic()
    json = {"Accept": "application/json"}
    assert "details" not in admin_client.get("/user-manage/clinic", headers=json).json()
    refused = admin_client.post("/user-manage/clinic/new", {"name": ""}, headers=json).json()
    assert refused["errors"]
    assert "details" not in refused


def test_an_unreadable_request_offers_details_too(client):
    answer = client.get("/login", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    details = details_in(answer.content.decode())
    assert details.startswith("page: -\n")
    assert f"request_id: {answer.headers['X-Request-ID']}\n" in details


def test_the_version_page_offers_details(client):
    assert details_in(client.get("/version").content.decode()).startswith("page: /version\n")
