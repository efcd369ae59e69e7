"""The list rules of the contract, section 1.4."""

from itertools import pairwise
from typing import Any

import pytest

from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

Row = dict[str, Any]
ALL_USERS = "/v1/bizUsers"
USERS = f"{ALL_USERS}?mainGroupId=g-1"
CLINICS = "/v1/bizMainGroups?organizationId=o-1"


def found(client: Client, **query: object) -> list[str]:
    """Return the names of the users of the demo clinic that a query finds."""
    return [user["name"] for user in client.get(USERS, {"size": 100, **query})["results"]]


def every_page(client: Client, path: str, **query: object) -> list[Row]:
    """Return the rows of all pages, ten at a time."""
    rows: list[Row] = []
    while True:
        answer = client.get(path, {"size": 10, "page": len(rows) // 10 + 1, **query})
        rows += answer["results"]
        if len(rows) >= answer["resultCount"]:
            return rows


def test_the_first_clinic_of_the_demo_has_forty_users_in_three_teams(admin):
    clinic = admin.get(CLINICS)["results"][0]
    assert (clinic["name"], clinic["userCount"], clinic["subGroupCount"]) == ("Seoul Central Dental", 40, 3)
    teams = admin.get("/v1/bizSubGroups?mainGroupId=g-1")["results"]
    assert [team["name"] for team in teams] == ["Front desk", "Orthodontics", "Prosthodontics"]
    assert sum(team["userCount"] for team in teams) == 40


def test_pages_have_25_rows_and_a_page_beyond_the_end_is_empty(admin):
    first, second, beyond = (admin.get(USERS, {"page": page}) for page in (1, 2, 9))
    assert [len(page["results"]) for page in (first, second, beyond)] == [25, 15, 0]
    assert {page["resultCount"] for page in (first, second, beyond)} == {40}
    assert beyond["page"] == 9


def test_sorting_by_name_ignores_case_and_accents(admin):
    names = [clinic["name"] for clinic in every_page(admin, CLINICS)]
    assert names[1:4] == ["Smile Atelier Paris", "Södermalm Tandvård", "Studio Dentistico Aurora"]


@pytest.mark.parametrize(
    ("path", "sorts"),
    [
        (USERS, ["name", "userType", "email", "subGroupName", "status", "lastLoginDate", "createdDate"]),
        (CLINICS, ["name", "countryCode", "userCount", "scannerCount", "partnerCount", "createdDate"]),
        ("/v1/bizSubGroups?organizationId=o-1", ["name", "teamType", "userCount", "createdDate"]),
    ],
)
def test_each_sort_is_stable_with_the_id_last_over_all_pages(admin, path, sorts):
    for sort in sorts:
        for order in ("asc", "desc"):
            rows = every_page(admin, path, sort=sort, order=order)
            assert len({row["id"] for row in rows}) == len(rows)
            for earlier, later in pairwise(rows):
                if earlier[sort] == later[sort]:
                    assert number(earlier) < number(later)
                elif sort not in ("name", "subGroupName", "email") and None not in (earlier[sort], later[sort]):
                    assert (earlier[sort] < later[sort]) == (order == "asc")


def number(row: Row) -> int:
    """Return the number in an id."""
    return int(row["id"].partition("-")[2])


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_rows_without_a_value_come_last_in_both_directions(admin, order):
    logins = [user["lastLoginDate"] for user in every_page(admin, USERS, sort="lastLoginDate", order=order)]
    known = [login for login in logins if login is not None]
    assert 0 < len(known) < len(logins)
    assert logins == [*known, *[None] * (len(logins) - len(known))]
    assert known == sorted(known, reverse=order == "desc")


@pytest.mark.req("VA-22")
@pytest.mark.parametrize(
    ("field", "keyword", "names"),
    [
        ("all", "LEA", ["Léa Fontaine"]),
        ("name", "léa font", ["Léa Fontaine"]),
        ("name", "γιωργος", ["Γιώργος Παπαδόπουλος"]),
        ("name", "서연", ["이서연"]),
        ("name", "منصور", ["أحمد منصور"]),
        ("name", "lea.fontaine", []),
        ("all", "lea.fontaine", ["Léa Fontaine"]),
        ("all", "nobody at all", []),
        ("all", "%", []),
        ("all", "_", []),
    ],
)
def test_a_keyword_is_found_anywhere_ignoring_case_and_accents(admin, field, keyword, names):
    assert found(admin, searchField=field, keyword=keyword) == names


def test_searching_by_team_looks_at_team_names_only(admin):
    assert len(found(admin, searchField="team", keyword="desk")) == 13
    assert found(admin, searchField="team", keyword="Hana") == []


@pytest.mark.req("VA-22")
def test_searching_by_email_finds_exactly_one_address(admin):
    assert found(admin, searchField="email", keyword="Hana.Park@demo.example") == ["Hana Park"]
    assert found(admin, searchField="email", keyword="park@demo.example") == []
    refused(admin.call("GET", USERS, query={"searchField": "email", "keyword": "hana.park"}), 400, 10002)


def test_a_repeated_filter_means_or_and_different_filters_mean_and(admin):
    every = every_page(admin, USERS)
    wanted = [user["name"] for user in every if user["status"] in ("INVITED", "LOCKED") and user["userType"] == "STAFF"]
    assert found(admin, status=["INVITED", "LOCKED"], userType="STAFF") == wanted != []
    assert found(admin, status="NO_SUCH_STATUS") == []


def test_all_statuses_occur_in_the_demo_clinic(admin):
    facets = admin.get(USERS)["facets"]
    assert set(facets["status"]) == {"ACTIVE", "INVITED", "INVITATION_EXPIRED", "LOCKED"}
    assert sum(facets["status"].values()) == 40


def test_a_facet_counts_what_its_own_filter_would_offer(admin):
    unfiltered, filtered = admin.get(USERS), admin.get(USERS, {"status": "LOCKED"})
    assert filtered["facets"]["status"] == unfiltered["facets"]["status"]
    assert sum(filtered["facets"]["userType"].values()) == filtered["resultCount"]


def test_users_filter_by_team_account_type_and_last_login(admin):
    assert len(found(admin, subGroupId="t-1")) == 14
    assert len(found(admin, subGroupId=["t-1", "t-3"])) == 27
    assert found(admin, accountType=2) == ["Grace Kim"]
    never = found(admin, neverLoggedIn="true")
    assert len(never) + len(found(admin, neverLoggedIn="false")) == 40
    inactive = found(admin, inactiveDays=90)
    assert inactive
    assert not set(inactive) & set(never)
    assert set(inactive) < set(found(admin, inactiveDays=30))
    assert set(found(admin, inactiveDays=90, neverLoggedIn="true")) == set(inactive) | set(never)
    assert found(admin, inactiveDays=90, neverLoggedIn="false") == inactive


def test_users_of_the_organization_filter_by_their_clinics(admin):
    def count(*clinics, **query):
        return admin.get(ALL_USERS, {"mainGroupId": list(clinics), **query})["resultCount"]

    one, other = count("g-1", organizationId="o-1"), count("g-2", organizationId="o-1")
    assert (one, count("g-1")) == (40, 40)
    assert count("g-1", "g-2", organizationId="o-1") == one + other
    refused(admin.call("GET", f"{ALL_USERS}?mainGroupId=g-1&mainGroupId=g-2"), 400, 10001)


def test_users_filter_by_the_permissions_that_they_have_a_setting_of_their_own_for(admin):
    settings = admin.get("/v1/bizMainGroups/g-1/permissions")["ownSettings"]
    for name, counts in settings.items():
        assert len(found(admin, ownPermission=name)) == counts["on"] + counts["off"] > 0
    both = set(found(admin, ownPermission="allowExport")) | set(found(admin, ownPermission="allowOrder"))
    assert set(found(admin, ownPermission=["allowExport", "allowOrder"])) == both
    refused(admin.call("GET", f"{USERS}&ownPermission=allowAll"), 400, 10002)


def test_clinics_filter_by_country_partner_and_users(admin):
    assert [row["name"] for row in admin.get(CLINICS, {"hasUser": "false"})["results"]] == ["Улыбка", "한강 어린이치과"]
    partners = admin.get(CLINICS, {"hasPartner": "true", "size": 100})["results"]
    assert partners
    assert all(row["partnerCount"] for row in partners)
    assert admin.get(CLINICS, {"countryCode": ["KR", "TH"]})["resultCount"] == 7


def test_ids_choose_a_set_and_foreign_ones_are_left_out(admin):
    results = admin.get(CLINICS, {"ids": ["g-2", "g-5", "g-25", "g-0"]})["results"]
    assert [row["id"] for row in results] == ["g-2", "g-5"]


def test_a_list_of_users_or_teams_needs_its_owner(admin):
    refused(admin.call("GET", "/v1/bizUsers"), 400, 10001)
    refused(admin.call("GET", "/v1/bizSubGroups"), 400, 10001)
    assert admin.get("/v1/bizUsers", {"organizationId": "o-1"})["resultCount"] == 560
    assert admin.get("/v1/bizUsers", {"organizationId": "o-1", "mainGroupId": "g-1"})["resultCount"] == 40


def test_a_row_is_the_same_alone_as_in_its_list(admin):
    for path, kind in (
        (USERS, "bizUsers"),
        (CLINICS, "bizMainGroups"),
        ("/v1/bizSubGroups?mainGroupId=g-1", "bizSubGroups"),
    ):
        for row in admin.get(path, {"size": 10})["results"]:
            assert admin.get(f"/v1/{kind}/{row['id']}") == row


def test_the_summary_counts_what_the_lists_count(admin):
    summary = admin.get("/v1/bizDashboards/summary?organizationId=o-1")
    clinics = every_page(admin, CLINICS)
    assert summary["mainGroupCount"] == len(clinics)
    assert summary["userCount"] == sum(clinic["userCount"] for clinic in clinics)
    assert summary["subGroupCount"] == admin.get("/v1/bizSubGroups?organizationId=o-1")["resultCount"]
    assert summary["invitedUserCount"] == len(every_page(admin, "/v1/bizUsers?organizationId=o-1", status="INVITED"))
    assert sum(summary["scannerCounts"].values()) == sum(clinic["scannerCount"] for clinic in clinics)
    assert all(summary["scannerCounts"].values())
    assert all(summary["partnershipCounts"].values())
    assert summary["unreadNotificationCount"] > 0
