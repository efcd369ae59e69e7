"""The dashboard: figures that answers prove, the last changes, and the provider's page, from allowed hosts only."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import DatabaseError
from django.utils import timezone

from console.audit.content import Ref
from overview.reading import MAX_CALLS
from overview.tests.stored_entries import create_entry
from tests.support import factories
from upstream.hosts import dashboard_address

pytestmark = pytest.mark.sql

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


def rows(number, make, **values):
    return [make(index, **values) for index in range(1, number + 1)]


def ago(days):
    return (timezone.now() - timedelta(days=days)).isoformat()


@pytest.fixture
def lists(upstream):
    """Let the service answer with lists of a small organization."""

    def answer(path, results, *, total=None, facets=None):
        body = factories.listing(results, total=len(results) if total is None else total)
        upstream.answers("GET", path, {**body, "facets": {"status": facets} if facets else {}})

    answer("/v1/bizMainGroups", [factories.compared(1), factories.compared(2), factories.compared(3)])
    answer("/v1/bizUsers", [factories.user(1, lastLoginDate=None), factories.user(2, lastLoginDate=ago(1))])
    answer("/v1/bizScanners", [])
    return answer


def test_each_tile_links_to_its_list(administrator, visit):
    html = unescape(visit(PAGE).response.content.decode())
    for label, count, href in (
        ("Clinics", 2, "/user-manage/clinic"),
        ("Users", 24, "/user-manage/user"),
        ("Scanners", 13, "/scanner-manage"),
        ("Partnerships", 8, "/partner-manage/list/partners"),
    ):
        assert f'<a href="{href}">{label} <b>{count}</b></a>' in html
    assert '<a href="/scanner-manage?status=APPROVED">9 approved</a>' in html
    ordering = "/partner-manage/list/ordering?can_order=true"
    assert f'<a href="{ordering}">5 labs that clinics can order from</a>' in html


def test_an_unknown_state_is_shown_unchanged(administrator):
    html, _policy = page(administrator)
    assert "BROKEN" in html
    assert "Pending" in html


def test_figures_that_the_service_does_not_count_are_omitted(administrator, upstream):
    upstream.answers("GET", SUMMARY, factories.summary(scannerCounts={}, partnershipCounts={}))
    html, _policy = page(administrator)
    assert "labs to order from" not in html
    assert "Scanners by status" not in html
    assert '<a href="/scanner-manage">Scanners <b>' not in html


def test_what_waits_comes_first_with_its_oldest_age_if_all_of_it_was_read(administrator, upstream, lists):
    pending = [factories.scanner(1, status="PENDING", connectedDate=ago(12))]
    lists("/v1/bizScanners", pending)
    counts = {**FULL, "scannerCounts": {"PENDING": 1}, "expiredInvitationCount": 4}
    upstream.answers("GET", SUMMARY, counts)
    html, _policy = page(administrator)
    waiting = html.partition('id="waiting"')[2].partition("</section>")[0]
    items = [re.sub("<[^>]+>|\\s+", " ", item).split() for item in waiting.split("<li>")[1:]]
    assert [" ".join(item) for item in items] == [
        "1 scanner to approve Oldest: 2 weeks ago",
        "1 lab request",
        "4 expired invitations",
    ]
    assert html.index('id="waiting"') < html.index('class="tiles"')


def test_if_nothing_waits_the_page_says_so(administrator, upstream):
    upstream.answers("GET", SUMMARY, factories.summary(scannerCounts={}, partnershipCounts={}))
    html, _policy = page(administrator)
    assert "Nothing is waiting for you." in html


def bars(html, name):
    """Return the numbers of a chart by the addresses of their lists."""
    chart = html.partition(f'id="chart-{name}"')[2].partition("</section>")[0].partition("<tbody")[2]
    return {
        re.findall('href="([^"]+)"', row)[0]: int(re.findall("<td>([^<]+)", row)[0]) for row in chart.split("<tr>")[1:]
    }


def test_users_by_last_login_are_counted_as_the_filter_of_the_list_does(administrator, lists):
    lists("/v1/bizUsers", [factories.user(n, lastLoginDate=ago(n * 20 + 1) if n else None) for n in range(12)])
    html, _policy = page(administrator)
    counts = {"30": 11, "90": 8, "180": 4, "never": 1}
    # 21, 41 … 221 days ago, and never.
    assert bars(html, "logins") == {f"/user-manage/user?last_login={value}": count for value, count in counts.items()}


def test_a_bar_says_its_number_and_hides_its_drawing(administrator, lists):
    html, _policy = page(administrator)
    assert html.count('<svg class="bar"') == html.count('preserveAspectRatio="none" aria-hidden="true"') - html.count(
        'class="sparkline"'
    )


def large(upstream, **counts):
    """Let the organization have more users and scanners than a page of a list."""
    scanners = {"PENDING": 3, "APPROVED": 200}
    upstream.answers("GET", SUMMARY, {**FULL, "userCount": 560, "scannerCounts": scanners, **counts})


def test_of_many_users_the_idle_ones_are_counted_by_the_facets_of_invitations(administrator, upstream, lists):
    large(upstream)
    invited = [factories.user(1, status="INVITED", lastLoginDate=None)]
    lists("/v1/bizUsers", invited, facets={"ACTIVE": 70, "INVITED": 1})
    html, _policy = page(administrator)
    assert bars(html, "logins") == {"/user-manage/user?last_login=90": 71}
    params = upstream.query("/v1/bizUsers")
    assert (params["status"], params["inactiveDays"]) == (["INVITED", "INVITATION_EXPIRED"], ["90"])
    lists("/v1/bizUsers", invited, facets={"INVITED": 1})  # a service whose facets obey their own filter
    assert "chart-logins" not in page(administrator)[0]


def test_of_many_scanners_the_oldest_that_waits_is_read(administrator, upstream, lists):
    large(upstream)
    lists("/v1/bizScanners", [factories.scanner(1, status="PENDING", connectedDate=ago(12))], total=3)
    html, _policy = page(administrator)
    assert "Oldest: 2 weeks ago" in html
    assert upstream.query("/v1/bizScanners")["status"] == ["PENDING"]


def test_a_free_call_reads_the_oldest_request_and_the_idle_scanners(administrator, upstream, lists):
    large(upstream, userCount=0, mainGroupCount=0)
    lists("/v1/bizPartnerships", [factories.partnership(1, requestedDate=ago(2))], total=1)
    before = len(upstream.calls())
    html, _policy = page(administrator)
    assert "Oldest: 2 days ago" in html
    assert len(upstream.calls()) - before == MAX_CALLS
    assert upstream.query("/v1/bizPartnerships")["requestedBy"] == ["LAB"]


def test_what_is_worth_checking_links_to_its_list(administrator, upstream, lists):
    clinics = [factories.compared(9, allowExport=False, userCount=0, partnerCount=0)]
    clinics += rows(3, factories.compared, allowExport=True)
    lists("/v1/bizMainGroups", clinics)
    invited = [factories.user(1, status="INVITED", lastLoginDate=None, invitationExpiresDate=ago(-3))]
    lists("/v1/bizUsers", invited)
    lists("/v1/bizScanners", [factories.scanner(1, status="APPROVED", lastScannedDate=ago(100))])
    upstream.answers("GET", SUMMARY, {**FULL, "invitedUserCount": 1})
    html, _policy = page(administrator)
    figures = re.findall('<a href="([^"]+)">([^<]+)</a>', html.partition('id="check"')[2].partition("</section>")[0])
    assert figures == [
        ("/user-manage/user?status=INVITED&sort=created_date", "1 invitation expiring in the next 7 days"),
        ("/scanner-manage?status=APPROVED&last_scan=90", "1 approved scanner with no scans in the last 90 days"),
        ("/user-manage/clinic?has_user=false", "1 clinic without users"),
        ("/user-manage/clinic?has_partner=false", "1 clinic without a partner"),
        ("/user-manage/permissions?differs=true", "1 clinic with permissions that differ from most"),
    ]


def test_figures_that_a_part_of_a_list_does_not_prove_are_omitted(administrator, lists):
    lists("/v1/bizMainGroups", [factories.compared(1, userCount=0)], total=101)
    lists("/v1/bizUsers", rows(1, factories.user, status="INVITED", lastLoginDate=None), total=300)
    lists("/v1/bizScanners", rows(1, factories.scanner, status="APPROVED", lastScannedDate=None), total=300)
    html, _policy = page(administrator)
    assert "1 invitation expires" not in html
    assert "Nothing stands out." in html
    assert "chart-logins" not in html


@pytest.mark.req("UC-14", "RT-17")
def test_with_a_summary_five_calls_are_made(administrator, upstream):
    before = len(upstream.calls())
    page(administrator)
    assert len(upstream.calls()) - before == MAX_CALLS == 5


@pytest.mark.parametrize("status", [404, 405, 501])
def test_without_a_summary_four_lists_are_counted(administrator, upstream, lists, status):
    upstream.answers("GET", SUMMARY, {}, status=status)
    lists("/v1/bizUsers", [], total=7, facets={"INVITED": 2})
    lists("/v1/bizScanners", [], total=3, facets={"APPROVED": 3})
    lists("/v1/bizPartnerships", [], total=9, facets={"ACCEPTED": 6, "PENDING": 3})
    upstream.answers("GET", "/v1/bizNotifications/unreadCount", {}, status=status)
    for _attempt in range(2):  # only then it is known what the service has
        page(administrator)
    before = len(upstream.calls())
    html, _policy = page(administrator)
    assert len(upstream.calls()) - before == 5
    for tile in ("Users <b>7</b>", "Scanners <b>3</b>", "Partnerships <b>6</b>", "2 pending invitations"):
        assert tile in html
    assert "Nothing is waiting for you." not in html, "it is not known"


@pytest.mark.parametrize("status", [404, 501])
def test_if_the_address_is_stored_elsewhere_five_calls_are_made_as_well(administrator, upstream, status):
    upstream.answers("GET", URL, {}, status=status)
    page(administrator)
    before = len(upstream.calls())
    page(administrator)
    assert len(upstream.calls()) - before == 5


FAILING = {
    "/v1/bizMainGroups": "Worth checking",
    "/v1/bizUsers": "Users by last login",
    "/v1/bizScanners": "Worth checking",
}


@pytest.mark.parametrize("path", FAILING)
def test_a_list_that_fails_takes_only_its_own_figures_away(administrator, upstream, lists, path):
    whole, _policy = page(administrator)
    upstream.answers("GET", path, {}, status=500)
    html, _policy = page(administrator)
    titles = re.findall(r'<h2 id="[^"]+">(?:<a[^>]*>)?([^<]+)', html)
    assert titles == re.findall(r'<h2 id="[^"]+">(?:<a[^>]*>)?([^<]+)', whole)
    section = html.partition(FAILING[path])[2].partition("</section>")[0]
    assert "t load this. <a" in section
    assert html.count("t load this. <a") == (2 if path == "/v1/bizUsers" else 1)
    assert "Clinics <b>2</b>" in html


def test_if_the_summary_fails_the_lists_still_count(administrator, upstream, lists):
    upstream.answers("GET", SUMMARY, {}, status=500)
    html, _policy = page(administrator)
    assert "Clinics <b>3</b>" in html
    assert "Users <b>2</b>" in html
    assert "Partnerships <b>" not in html


def test_the_last_changes_and_their_number_per_day_cost_no_call(administrator, lists):
    for number in range(10):
        create_entry(target=Ref(f"u-{number}", f"User {number}"), at=timezone.now() - timedelta(days=number % 3))
    html, _policy = page(administrator)
    changes = html.partition('id="changes"')[2].partition("</section>")[0]
    assert '<a href="/activity?days=30">10 changes in the last 30 days</a>' in changes
    assert changes.count("<li>") == 8
    assert re.findall('height="([0-9]+)"', changes)[-3:] == ["750", "750", "1000"]


def test_the_last_signed_off_review_is_linked(administrator, lists):
    html, _policy = page(administrator)
    assert "No signed-off reviews yet." in html
    create_entry("sign_off", id=5, is_bulk=True, key="c" * 64)
    html, _policy = page(administrator)
    assert '<a href="/user-manage/review/signed/5">Last signed-off review</a>' in html


def test_if_the_activity_can_not_be_read_only_its_cards_say_so(administrator, lists, monkeypatch):
    def fail(*_args, **_options):
        raise DatabaseError("no")

    monkeypatch.setattr("console.audit.query.StoredActivity.daily_counts", fail)
    html, _policy = page(administrator)
    assert html.count("t load this. Try again in a moment.") == 2
    assert "Clinics <b>2</b>" in html


@pytest.mark.req("UC-14", "EN-29", "VA-23")
def test_the_dashboard_is_framed_on_this_view_only_with_a_link(administrator):
    html, policy = page(administrator)
    assert f'<iframe src="{GOOD}"' in html
    assert "sandbox=" in html
    assert f'<a class="button" href="{GOOD}" target="_blank" rel="noopener noreferrer"' in html
    assert "Open it in a new tab." in html
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
    assert "so it isn't shown" in html
    assert "<iframe" not in html
    assert 'rel="noopener noreferrer"' not in html
    assert url not in html.replace("/user-manage", "").replace("/static/dist", "") or url == "/usage"
    assert "frame-src" not in policy
    assert len(upstream.calls()) - before == 5


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
    assert "Ask your service provider for its URL." in html
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
    assert "t load this.</p>" in html
    assert "<b>24</b>" in html


def test_only_the_most_frequent_unknown_states_are_shown(administrator, upstream):
    counts = {"APPROVED": 7} | {f"STATE_{number}": number for number in range(1000)}
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(scannerCounts=counts))
    html, _policy = page(administrator)
    assert "STATE_999" in html
    assert "STATE_980" in html
    assert "STATE_979" not in html
