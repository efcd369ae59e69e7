"""The setup steps on the dashboard: derived from its counts, and gone once all are done."""

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
    "partnershipCounts": ("Find labs", "/partner-manage/search"),
    "orderAllowedPartnerCount": ("Labs that clinics can order from", "/partner-manage/list/ordering"),
}
NOTHING: dict[str, object] = {"scannerCounts": {}, "partnershipCounts": {}}


@pytest.fixture
def steps(admin_client, visit, upstream):
    def read(**counts):
        """Return whether each step is done, by label, and the page."""
        upstream.has_clinic()
        upstream.answers("GET", SUMMARY, factories.summary(**counts))
        html = unescape(visit(PAGE).response.content.decode())
        rows = html.partition('id="setup"')[2].partition("</ol>")[0].split("<li>")[1:]
        return {re.sub(r"<p.*|<span.*|<[^>]+>", "", row).strip(): ">Done<" in row for row in rows}, html

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
    assert f'<a href="{href}">{label}</a>' in html


def test_the_step_for_scanners_links_to_the_waiting_ones(steps):
    _states, html = steps(**{**DONE, "scannerCounts": {"PENDING": 2}})
    assert '<a href="/scanner-manage?status=PENDING">Approve scanner</a>' in html


def test_a_step_with_an_unknown_count_is_omitted(steps):
    counts = {**DONE, "orderAllowedPartnerCount": None, "userCount": 0}
    states, _html = steps(**counts)
    assert list(states) == ["Add your first clinic", "Invite users", "Approve scanner", "Find labs"]


def test_if_no_list_can_be_read_there_are_no_steps(admin_client, upstream):
    upstream.has_clinic()
    for path in ("/v1/bizMainGroups", "/v1/bizSubGroups", "/v1/bizUsers", "/v1/bizScanners", "/v1/bizPartnerships"):
        upstream.answers("GET", path, {}, status=500)
    upstream.answers("GET", SUMMARY, {}, status=404)
    html = admin_client.get(PAGE).content.decode()
    assert "Set up your organization" not in html
