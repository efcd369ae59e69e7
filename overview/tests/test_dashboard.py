"""The dashboard: the organization's numbers, and the provider's page, from an allowed host only."""

from html import unescape

import pytest

from tests.support import factories
from upstream.hosts import dashboard_address

PAGE = "/dashboard"
URL = "/v1/bizDashboards/url"
SUMMARY = "/v1/bizDashboards/summary"
GOOD = "https://dashboard.example/usage/o-1?from=now-7d"
FULL = factories.summary(
    expiredInvitationCount=4,
    orderAllowedPartnerCount=5,
    scannerCounts={"PENDING": 3, "APPROVED": 9, "BROKEN": 1},
    partnershipCounts={"PENDING_IN": 1, "PENDING_OUT": 0, "ACCEPTED": 8},
)
HOSTILE = (
    "http://dashboard.example/usage",
    "//dashboard.example/usage",
    "/usage",
    "dashboard.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://dashboard.example/1",
    "ftp://dashboard.example/",
    "https:dashboard.example",
    "https:///dashboard.example",
    "https:\\\\dashboard.example",
    "https://evil.example\\@dashboard.example/",
    "https://dashboard.example@evil.example/",
    "https://user@dashboard.example/",
    "https://user:password@dashboard.example/",
    "https://dashboard.example:8443/",
    "https://dashboard.example:443@evil.example/",
    "https://dashboard.example.evil.example/",
    "https://evildashboard.example/",
    "https://evil.example/dashboard.example",
    "https://evil.example?dashboard.example",
    "https://evil.example#.dashboard.example",
    "https://dashboard.example#@evil.example",
    "https://dashboard.example./",
    "https://.dashboard.example/",
    "https://dashboard..example/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "https://d\u0430shboard.example/",
    "https://dashboard\u3002example/",
    "https://dashboard.example/\r\nSet-Cookie: a=b",
    "https://dashboard.example/ onload=alert(1)",
    'https://dashboard.example/"><script>',
    "https://dashboard.example/../../x",
    " https://dashboard.example/",
    "https://dashboard.example/\x00",
    "https://dashboard.example;frame-ancestors *",
    "https://dashboard.example/?a=b;script-src *",
    "https://dashboard.example/" + "a" * 2048,
    "https://testserver/",
)


@pytest.fixture
def administrator(admin_client, upstream, settings):
    settings.ALLOWED_DASHBOARD_HOSTS = ["dashboard.example"]
    upstream.has_clinic()
    upstream.answers("GET", SUMMARY, FULL)
    upstream.answers("GET", URL, {"url": GOOD})
    return admin_client


def page(client):
    response = client.get(PAGE)
    assert response.status_code == 200
    return unescape(response.content.decode()), response.headers["Content-Security-Policy"]


def test_each_number_links_to_its_list(administrator, visit):
    html = unescape(visit(PAGE).response.content.decode())
    for label, href in (
        ("Clinics", "/user-manage/clinic"),
        ("Teams", "/user-manage/team"),
        ("Users", "/user-manage/user"),
        ("Pending invitations", "/user-manage/user?status=INVITED"),
        ("Expired invitations", "/user-manage/user?status=INVITATION_EXPIRED"),
    ):
        assert f'<a href="{href}">{label}</a>' in html
    for number in ("<b>24</b>", "<b>4</b>", "<td>9</td>", "<td>8</td>"):
        assert number in html


def test_an_unknown_state_is_shown_unchanged(administrator):
    html, _policy = page(administrator)
    assert "BROKEN" in html
    assert "Pending" in html


def test_numbers_that_the_service_does_not_count_are_omitted(administrator, upstream):
    upstream.answers("GET", SUMMARY, factories.summary())
    html, _policy = page(administrator)
    assert "Expired invitations" not in html
    assert "Labs that clinics can order from" not in html
    assert "There is nothing to count yet." in html


@pytest.mark.req("UC-14", "RT-17")
def test_with_a_summary_two_calls_are_made(administrator, upstream):
    before = len(upstream.calls())
    page(administrator)
    assert len(upstream.calls()) - before == 2


@pytest.mark.parametrize("status", [404, 405, 501])
def test_without_a_summary_five_lists_are_counted(administrator, upstream, status):
    upstream.answers("GET", SUMMARY, {}, status=status)
    upstream.answers("GET", "/v1/bizUsers", {**factories.listing([], total=7), "facets": {"status": {"INVITED": 2}}})
    upstream.answers(
        "GET", "/v1/bizScanners", {**factories.listing([], total=3), "facets": {"status": {"APPROVED": 3}}}
    )
    upstream.answers("GET", "/v1/bizPartnerships", {}, status=500)
    html, _policy = page(administrator)
    assert "<b>7</b>" in html
    assert "<td>3</td>" in html
    assert "These numbers could not be read." in html


@pytest.mark.req("UC-14", "EN-29", "VA-23")
def test_the_dashboard_is_framed_on_this_view_only_with_a_link(administrator):
    html, policy = page(administrator)
    assert f'<iframe src="{GOOD}"' in html
    assert "sandbox=" in html
    assert f'<a class="button" href="{GOOD}" target="_blank" rel="noopener noreferrer"' in html
    assert "open it in a new tab" in html
    assert "frame-src https://dashboard.example;" in f"{policy};"
    assert "frame-src" not in administrator.get("/user-manage/clinic").headers["Content-Security-Policy"]


@pytest.mark.req("UC-14")
def test_if_configured_there_is_only_a_link(administrator, settings):
    settings.DASHBOARD_MODE = "link"
    html, policy = page(administrator)
    assert "<iframe" not in html
    assert f'href="{GOOD}"' in html
    assert "frame-src" not in policy


@pytest.mark.req("VA-23", "VA-24")
@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_neither_linked_nor_framed_nor_fetched(administrator, upstream, settings, url):
    settings.ALLOWED_DASHBOARD_HOSTS = ["dashboard.example", "testserver"]
    upstream.answers("GET", URL, {"url": url})
    before = len(upstream.calls())
    html, policy = page(administrator)
    assert "so it is not shown" in html
    assert "<iframe" not in html
    assert 'rel="noopener noreferrer"' not in html
    assert url not in html.replace("/user-manage", "").replace("/static/dist", "") or url == "/usage"
    assert "frame-src" not in policy
    assert len(upstream.calls()) - before == 2


@pytest.mark.req("VA-24")
@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://Dashboard.Example", ("https://dashboard.example", "https://dashboard.example")),
        ("https://eu.dashboard.example:443/a/", ("https://eu.dashboard.example/a/", "https://eu.dashboard.example")),
        (GOOD, (GOOD, "https://dashboard.example")),
    ],
)
def test_an_allowed_host_and_its_subdomains_are_shown(url, address):
    assert dashboard_address(url, ("dashboard.example",)) == address


@pytest.mark.req("EN-29", "VA-24")
def test_the_host_of_domain_kind_5_is_allowed_and_no_other_kind(client, upstream, log_in, settings):
    settings.ALLOWED_DASHBOARD_HOSTS = []
    kinds = {str(kind): f"https://kind{kind}.example" for kind in range(1, 9)}
    factories_region = {**factories.REGION, "domainUrls": {**kinds, "2": factories.REGION_API}}
    upstream.may_log_in()
    upstream.answers("POST", "/v1/accounts/search", factories_region)
    login = client.post("/login", {"email": "admin@demo.example", "password": "Demo123!"})
    assert login.status_code == 303
    upstream.has_clinic()
    for kind in range(1, 9):
        upstream.answers("GET", URL, {"url": f"https://kind{kind}.example/usage"})
        html, _policy = page(client)
        assert ("<iframe" in html) is (kind == 5)


def test_without_a_url_the_page_says_who_provides_it(administrator, upstream):
    upstream.answers("GET", URL, {"url": None})
    html, policy = page(administrator)
    assert "Your service provider gives you its address" in html
    assert "frame-src" not in policy


@pytest.mark.parametrize("status", [404, 501])
def test_the_administrators_url_is_used_if_the_service_has_no_other(administrator, upstream, status):
    upstream.answers("GET", URL, {}, status=status)
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1", {**factories.ADMIN, "dashboardUrl": GOOD})
    html, _policy = page(administrator)
    assert f'<iframe src="{GOOD}"' in html


def test_the_numbers_are_shown_if_the_url_can_not_be_read(administrator, upstream):
    upstream.answers("GET", URL, {}, status=500)
    html, _policy = page(administrator)
    assert "could not be read" in html
    assert "<b>24</b>" in html


def test_only_the_most_frequent_unknown_states_are_shown(administrator, upstream):
    counts = {"APPROVED": 7} | {f"STATE_{number}": number for number in range(1000)}
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(scannerCounts=counts))
    html, _policy = page(administrator)
    assert "STATE_999" in html
    assert "STATE_980" in html
    assert "STATE_979" not in html
