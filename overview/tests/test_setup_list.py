"""The setup steps at home and in place of an empty list of clinics: derived from counts, and gone once all are done."""

import re
from html import unescape

import pytest

from tests.support import factories

HOME = "/dashboard"
FIRST_PAGE = "/user-manage/clinic"
SUMMARY = "/v1/bizDashboards/summary"
DONE = {
    "mainGroupCount": 1,
    "userCount": 1,
    "scannerCounts": {"APPROVED": 1},
    "partnershipCounts": {"ACCEPTED": 1},
    "orderAllowedPartnerCount": 1,
}
STEPS = {
    "mainGroupCount": ("Add your first clinic", "/user-manage/clinic/new"),
    "userCount": ("Invite users", "/user-manage/user/new"),
    "scannerCounts": ("Approve scanners", "/scanner-manage"),
    "partnershipCounts": ("Find labs", "/partner-manage/search"),
    "orderAllowedPartnerCount": ("Choose the labs that clinics can order from", "/partner-manage/list/ordering"),
}
NOTHING: dict[str, object] = {"scannerCounts": {}, "partnershipCounts": {}}


def get_steps(html):
    """Return whether each step is done, by label."""
    rows = html.partition('class="setup-steps"')[2].partition("</ol>")[0].split("<li>")[1:]
    return {re.sub(r"<p.*|<span.*|<[^>]+>", "", row).strip(): ">Completed<" in row for row in rows}


@pytest.fixture
def steps(admin_client, visit, upstream):
    def read(path=HOME, **counts):
        upstream.has_clinic()
        upstream.answers("GET", SUMMARY, factories.summary(**counts))
        html = unescape(visit(path).response.content.decode())
        return get_steps(html), html

    return read


def test_if_all_is_done_there_is_no_list(steps):
    states, html = steps(**DONE)
    assert states == {}
    assert "Set up your organization" not in html


@pytest.mark.parametrize("missing", STEPS)
def test_a_step_that_is_not_done_links_to_its_page(steps, missing):
    states, html = steps(**{**DONE, missing: NOTHING.get(missing, 0)})
    label, href = STEPS[missing]
    assert states == {name: name != label for name, _ in STEPS.values()}
    assert f'<a href="{href}" class="button" data-variant="primary" data-primary>{label}</a>' in html


def test_only_the_first_step_is_a_button(steps):
    _states, html = steps(**{**DONE, "userCount": 0, "partnershipCounts": {}})
    assert 'href="/user-manage/user/new" class="button"' in html
    assert '<a href="/partner-manage/search">Find labs</a>' in html


def test_the_step_for_scanners_links_to_the_waiting_ones(steps):
    _states, html = steps(**{**DONE, "scannerCounts": {"PENDING": 2}})
    assert 'href="/scanner-manage?status=PENDING"' in html


def test_a_step_with_an_unknown_count_is_omitted(steps):
    counts = {**DONE, "orderAllowedPartnerCount": None, "userCount": 0}
    states, _html = steps(**counts)
    assert list(states) == ["Add your first clinic", "Invite users", "Approve scanners", "Find labs"]


def test_if_no_list_can_be_read_there_are_no_steps(admin_client, upstream):
    upstream.has_clinic()
    for path in ("/v1/bizMainGroups", "/v1/bizSubGroups", "/v1/bizUsers", "/v1/bizScanners", "/v1/bizPartnerships"):
        upstream.answers("GET", path, {}, status=500)
    upstream.answers("GET", SUMMARY, {}, status=404)
    html = admin_client.get(HOME).content.decode()
    assert "Set up your organization" not in html


class TestFirstPage:
    """The page that an administrator sees after the login."""

    @pytest.fixture
    def empty(self, upstream):
        upstream.has_clinic()
        for path in ("/v1/bizMainGroups", "/v1/bizUsers", "/v1/bizSubGroups"):
            upstream.answers("GET", path, factories.listing([]))
        nothing = dict.fromkeys(("mainGroupCount", "subGroupCount", "userCount", "invitedUserCount"), 0)
        upstream.answers("GET", SUMMARY, factories.summary(**nothing, scannerCounts={}, partnershipCounts={}))

    @pytest.mark.req("RT-12")
    def test_without_clinics_it_says_what_the_console_is_and_has_the_steps_instead_of_the_list(
        self, empty, admin_client
    ):
        html = unescape(admin_client.get(FIRST_PAGE).content.decode())
        main = html.partition("<main")[2]
        assert not any(get_steps(html).values())
        assert "Manage your organization's clinics, users, scanners, and partner labs here" in main
        assert 'href="/user-manage/clinic/new" class="button"' in main
        assert 'href="/user-manage/clinic/import"' in main
        for text in ("Export", "Filters", "Columns", "No clinics yet.", "data-island"):
            assert text not in main

    def test_a_search_without_results_still_has_the_list(self, empty, admin_client):
        html = unescape(admin_client.get(FIRST_PAGE, {"keyword": "kim"}).content.decode())
        assert "No matches." in html
        assert get_steps(html) == {}

    def test_without_the_summary_it_has_the_steps_as_well(self, empty, admin_client, upstream):
        upstream.answers("GET", SUMMARY, {}, status=500)
        assert "Add your first clinic" in get_steps(unescape(admin_client.get(FIRST_PAGE).content.decode()))

    def test_counts_that_still_include_clinics_do_not_replace_the_steps(self, empty, admin_client, upstream):
        upstream.answers("GET", SUMMARY, factories.summary(**DONE))
        steps = get_steps(unescape(admin_client.get(FIRST_PAGE).content.decode()))
        assert {label for label, is_done in steps.items() if not is_done} == {"Add your first clinic"}

    @pytest.mark.req("DM-44")
    def test_with_clinics_a_line_says_what_waits(self, admin_client, upstream):
        upstream.has_clinic()
        waiting = {"scannerCounts": {"PENDING": 8}, "partnershipCounts": {"PENDING_IN": 2}}
        upstream.answers("GET", SUMMARY, factories.summary(**waiting, expiredInvitationCount=1))
        html = unescape(admin_client.get(FIRST_PAGE).content.decode())
        assert '<a href="/decisions#waits-scanners">8 scanners to approve</a>' in html
        assert '<a href="/decisions#waits-requests">2 lab requests</a>' in html
        assert '<a href="/decisions#waits-invitations">1 expired invitation</a>' in html
        assert '<a href="/decisions">Review</a>' in html
        assert html.index("8 scanners to approve") < html.index("data-island")

    def test_if_nothing_waits_there_is_no_line(self, admin_client, upstream):
        upstream.has_clinic()
        upstream.answers("GET", SUMMARY, factories.summary(scannerCounts={}, partnershipCounts={}))
        assert 'class="waiting"' not in admin_client.get(FIRST_PAGE).content.decode()

    def test_with_clinics_but_without_users_the_line_leads_to_an_invitation(self, admin_client, upstream):
        upstream.has_clinic()
        upstream.answers("GET", SUMMARY, factories.summary(userCount=0, scannerCounts={}, partnershipCounts={}))
        line = admin_client.get(FIRST_PAGE).content.decode().partition('class="waiting"')[2].partition("</p>")[0]
        assert 'href="/user-manage/user/new"' in line
