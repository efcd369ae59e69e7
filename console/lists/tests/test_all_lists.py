"""All lists of the service are asked by the same names: one engine, one query."""

import pytest

from tests.support import factories
from tests.support.page import Page

LISTS = {
    # where it stands: the call, a column that it is sorted by, and the service's name of that
    "/user-manage/clinic": ("/v1/bizMainGroups", "country_code", "countryCode"),
    "/user-manage/clinic/g-1/user": ("/v1/bizUsers", "email", "email"),
    "/user-manage/user": ("/v1/bizUsers", "email", "email"),
    "/user-manage/clinic/g-1/team": ("/v1/bizSubGroups", "name", "name"),
    "/user-manage/team": ("/v1/bizSubGroups", "name", "name"),
    "/scanner-manage": ("/v1/bizScanners", "approved_date", "approvedDate"),
    "/partner-manage/search": ("/v1/bizLabs", "founded_year", "foundedYear"),
    "/partner-manage/list/mine": ("/v1/bizPartnerLists", "added_date", "addedDate"),
    "/partner-manage/list": ("/v1/bizPartnerships", "owner_name", "ownerName"),
    "/partner-manage/list/partners": ("/v1/bizPartnerships", "contract_date", "contractDate"),
    "/partner-manage/list/sent": ("/v1/bizPartnerships", "owner_name", "ownerName"),
    "/partner-manage/list/history": ("/v1/bizPartnerships", "status", "status"),
    "/notifications": ("/v1/bizNotifications", "created_date", "createdDate"),
}


@pytest.mark.req("LS-01")
@pytest.mark.parametrize("path", LISTS)
def test_the_same_names_search_sort_and_page_every_list(admin_client, upstream, path):
    call, sort, service_names = LISTS[path]
    upstream.has_clinic()
    upstream.answers("GET", call, factories.listing([], total=500))
    query = f"keyword=kim&searchField=all&sort={sort}&order=desc&page=2&size=50"
    answer = admin_client.get(f"{path}?{query}", headers={"Accept": "application/json"})
    assert answer.status_code == 200
    sent = next(sent.params for sent in upstream.calls("GET", call) if sent.params.get("keyword") == "kim")
    params = {name: sent[name] for name in ("keyword", "searchField", "sort", "order", "page", "size")}
    expected = {
        "keyword": "kim",
        "searchField": "all",
        "sort": service_names,
        "order": "desc",
        "page": "2",
        "size": "50",
    }
    assert params == expected


@pytest.mark.req("DM-13", "DM-28")
@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("/user-manage/user", ["Import", "Access review"]),
        ("/user-manage/permissions", ["Permission presets"]),
        ("/scanner-manage", ["Expected serial numbers"]),
    ],
)
def test_all_but_the_main_action_of_a_page_is_in_one_menu_of_a_phone(administrator, path, others):
    page = Page.from_response(administrator.get(path))
    assert page.texts(".page-actions > button") == ["More"]
    assert page.texts("#page-menu a") == ["Export CSV", "Export XLSX", *others]
    assert not page.all(".page-actions > a:not([data-primary]), .list-search a")
