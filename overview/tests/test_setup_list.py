"""What is still to be set up, on the dashboard: derived from its counts, gone once all of it is done."""

import re
from html import unescape

import pytest

from tests.support import factories

PAGE = "/dashboard"
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
    "scannerCounts": ("Approve scanner", "/scanner-manage"),
    "partnershipCounts": ("Search for labs", "/partner-manage/search"),
    "orderAllowedPartnerCount": ("Labs that clinics may order from", "/partner-manage/list/partners"),
}
NOTHING: dict[str, object] = {"scannerCounts": {}, "partnershipCounts": {}}


@pytest.fixture
def steps(admin_client, visit, upstream):
    def read(**counts):
        """Return each step and whether it is done."""
        upstream.has_clinic()
        upstream.answers("GET", SUMMARY, factories.summary(**counts))
        html = unescape(visit(PAGE).response.content.decode())
        rows = html.partition('id="setup"')[2].partition("</ol>")[0].split("<li>")[1:]
        return {re.sub(r"<p.*|<span.*|<[^>]+>", "", row).strip(): ">Done<" in row for row in rows}, html

    return read


def test_all_done_is_no_list(steps):
    states, html = steps(**DONE)
    assert states == {}
    assert "Set up your organization" not in html


@pytest.mark.parametrize("missing", STEPS)
def test_what_is_not_done_leads_to_where_it_is_done(steps, missing):
    states, html = steps(**{**DONE, missing: NOTHING.get(missing, 0)})
    label, href = STEPS[missing]
    assert states == {name: name != label for name, _ in STEPS.values()}
    assert f'<a href="{href}">{label}</a>' in html


def test_a_scanner_that_waits_is_shown_where_it_waits(steps):
    _states, html = steps(**{**DONE, "scannerCounts": {"PENDING": 2}})
    assert '<a href="/scanner-manage?status=PENDING">Approve scanner</a>' in html


def test_nobody_is_asked_for_what_is_not_known(steps):
    counts = {**DONE, "orderAllowedPartnerCount": None, "userCount": 0}
    states, _html = steps(**counts)
    assert list(states) == ["Add your first clinic", "Invite users", "Approve scanner", "Search for labs"]


def test_lists_that_can_not_be_read_ask_for_nothing(admin_client, upstream):
    upstream.has_clinic()
    for path in ("/v1/bizMainGroups", "/v1/bizSubGroups", "/v1/bizUsers", "/v1/bizScanners", "/v1/bizPartnerships"):
        upstream.answers("GET", path, {}, status=500)
    upstream.answers("GET", SUMMARY, {}, status=404)
    html = admin_client.get(PAGE).content.decode()
    assert "Set up your organization" not in html
