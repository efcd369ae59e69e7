"""A clinic's pages: its own address, and the tabs with its scanners and partners."""

from html import unescape

import pytest

from tests.support import factories

CLINIC = "/user-manage/clinic/g-1"
SCANNERS = "/v1/bizScanners"
PARTNERSHIPS = "/v1/bizPartnerships"
TABS = {
    "user": "Users",
    "team": "Teams",
    "permissions": "Permissions",
    "scanner": "Scanners",
    "partner": "Partners",
    "edit": "Settings",
}


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", SCANNERS, factories.listing([factories.scanner(status="PENDING")], total=30))
    upstream.answers("GET", PARTNERSHIPS, factories.listing([factories.partnership(status="ACCEPTED")]))
    return administrator


def page(client, path):
    response = client.get(path)
    assert response.status_code == 200
    return unescape(response.content.decode())


@pytest.mark.req("RT-13", "RT-43")
def test_the_address_of_a_clinic_leads_to_its_users(administrator):
    response = administrator.get(CLINIC)
    assert (response.status_code, response.headers["Location"]) == (302, f"{CLINIC}/user")
    assert administrator.get(f"{CLINIC}/user").status_code == 200


@pytest.mark.req("RT-43")
def test_each_tab_shows_the_clinic_and_all_tabs(administrator):
    for name in TABS:
        html = page(administrator, f"{CLINIC}/{name}")
        tabs = html.partition('<nav class="tabs"')[2].partition("</nav>")[0]
        for part, label in TABS.items():
            current = ' aria-current="page"' if part == name else ""
            assert f'<a href="{CLINIC}/{part}"{current}>{label}' in tabs, (name, part)
        assert "Clinic 1" in html.partition("<h1")[2].partition("</h1>")[0]


@pytest.mark.req("RT-43")
def test_the_menu_of_each_tab_leads_to_the_deletion_of_the_clinic(administrator, visit):
    for name in TABS.keys() - {"edit"}:
        link = visit(f"{CLINIC}/{name}").one("#page-menu > .menu:last-child > a")
        assert link.attributes["href"] == f"{CLINIC}/delete", name


def test_the_scanners_are_those_of_the_clinic(administrator, upstream):
    html = page(administrator, f"{CLINIC}/scanner?keyword=ABC&size=25&page=1")
    assert upstream.query(SCANNERS)["mainGroupId"] == ["g-1"]
    assert upstream.query(SCANNERS)["keyword"] == ["ABC"]
    assert 'href="/scanner-manage?clinic=g-1"' in html
    assert "Next page" in html or f"{CLINIC}/scanner?" in html
    answer = administrator.get(f"{CLINIC}/scanner?page=2", headers={"Accept": "application/json"})
    assert answer.json()["ok"]


def test_a_scanner_is_approved_in_the_tab_and_the_tab_comes_back(administrator, upstream):
    upstream.answers("PUT", f"{SCANNERS}/s-1/approve", {"status": "APPROVED"})
    assert '"/scanner-manage/s-1/approve"' in page(administrator, f"{CLINIC}/scanner")
    response = administrator.post("/scanner-manage/s-1/approve", {"back": f"{CLINIC}/scanner?page=2"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{CLINIC}/scanner?page=2")


def test_the_partners_are_those_of_the_clinic(administrator, upstream):
    html = page(administrator, f"{CLINIC}/partner")
    params = upstream.calls("GET", PARTNERSHIPS)[-1].params
    assert (params["mainGroupId"], params["status"]) == ("g-1", "ACCEPTED")
    assert 'href="/partner-manage/list/partners?clinic=g-1"' in html


def test_a_clinic_of_another_organization_has_no_tabs(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(organizationId="o-2"))
    for name in ("scanner", "partner"):
        assert administrator.get(f"{CLINIC}/{name}").status_code == 404
