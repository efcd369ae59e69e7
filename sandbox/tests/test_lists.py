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
TEAMS = "/v1/bizSubGroups?organizationId=o-1"


def search_names(client: Client, **query: object) -> list[str]:
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


def test_pages_have_25_rows_and_a_page_beyond_the_end_is_empty(admin: Client):
    first, second, beyond = (admin.get(USERS, {"page": page}) for page in (1, 2, 9))
    assert [len(page["results"]) for page in (first, second, beyond)] == [25, 15, 0]
    assert {page["resultCount"] for page in (first, second, beyond)} == {40}
    assert beyond["page"] == 9


def test_each_sort_is_stable_with_the_id_last_over_all_pages(admin: Client):
    for path, sorts in (
        (USERS, "name userType email subGroupName status lastLoginDate createdDate"),
        (CLINICS, "name countryCode userCount scannerCount partnerCount createdDate"),
        (TEAMS, "name teamType userCount createdDate"),
    ):
        for sort in sorts.split():
            for order in ("asc", "desc"):
                rows = every_page(admin, path, sort=sort, order=order)
                assert len({row["id"] for row in rows}) == len(rows)
                for earlier, later in pairwise(rows):
                    if earlier[sort] == later[sort]:
                        assert int(earlier["id"][2:]) < int(later["id"][2:])
                    elif earlier[sort] is None:
                        raise AssertionError("rows without a value come last")
                    elif sort not in ("name", "subGroupName", "email") and later[sort] is not None:
                        assert (earlier[sort] < later[sort]) == (order == "asc")
    names = [clinic["name"] for clinic in every_page(admin, CLINICS)]
    assert names[1:4] == ["Smile Atelier Paris", "Södermalm Tandvård", "Studio Dentistico Aurora"]


@pytest.mark.req("VA-22")
def test_a_keyword_is_found_anywhere_ignoring_case_and_accents(admin: Client):
    for field, keyword, names in (
        ("all", "LEA", ["Léa Fontaine"]),
        ("name", "léa font", ["Léa Fontaine"]),
        ("name", "γιωργος", ["Γιώργος Παπαδόπουλος"]),
        ("name", "서연", ["이서연"]),
        ("name", "منصور", ["أحمد منصور"]),
        ("name", "lea.fontaine", []),
        ("all", "lea.fontaine", ["Léa Fontaine"]),
        ("all", "%", []),
        ("all", "_", []),
        ("team", "Hana", []),
        ("email", "Hana.Park@demo.example", ["Hana Park"]),
        ("email", "park@demo.example", []),
    ):
        assert search_names(admin, searchField=field, keyword=keyword) == names
    assert len(search_names(admin, searchField="team", keyword="desk")) == 13
    refused(admin.call("GET", USERS, query={"searchField": "email", "keyword": "hana.park"}), 400, 10002)


def test_a_repeated_filter_means_or_and_different_filters_mean_and(admin: Client):
    every = every_page(admin, USERS)
    wanted = [user["name"] for user in every if user["status"] in ("INVITED", "LOCKED") and user["userType"] == "STAFF"]
    assert search_names(admin, status=["INVITED", "LOCKED"], userType="STAFF") == wanted != []
    assert search_names(admin, status="NO_SUCH_STATUS") == []
    assert len(search_names(admin, subGroupId=["t-1", "t-3"])) == 27
    assert search_names(admin, accountType=2) == ["Grace Kim"]


def test_a_facet_counts_what_its_own_filter_would_offer(admin: Client):
    unfiltered, filtered = admin.get(USERS), admin.get(USERS, {"status": "LOCKED"})
    assert set(unfiltered["facets"]["status"]) == {"ACTIVE", "INVITED", "INVITATION_EXPIRED", "LOCKED"}
    assert sum(unfiltered["facets"]["status"].values()) == 40
    assert filtered["facets"]["status"] == unfiltered["facets"]["status"]
    assert sum(filtered["facets"]["userType"].values()) == filtered["resultCount"]


def test_users_filter_by_their_last_login(admin: Client):
    never, inactive = search_names(admin, neverLoggedIn="true"), search_names(admin, inactiveDays=90)
    assert len(never) + len(search_names(admin, neverLoggedIn="false")) == 40
    assert inactive
    assert not set(inactive) & set(never)
    assert set(inactive) < set(search_names(admin, inactiveDays=30))
    assert set(search_names(admin, inactiveDays=90, neverLoggedIn="true")) == set(inactive) | set(never)
    assert search_names(admin, inactiveDays=90, neverLoggedIn="false") == inactive


def test_a_list_of_users_or_teams_needs_its_owner_and_may_have_several_clinics(admin: Client):
    refused(admin.call("GET", ALL_USERS), 400, 10001)
    refused(admin.call("GET", "/v1/bizSubGroups"), 400, 10001)
    counts = [
        admin.get(ALL_USERS, {"organizationId": "o-1", "mainGroupId": clinics})["resultCount"]
        for clinics in ([], ["g-1"], ["g-2"], ["g-1", "g-2"])
    ]
    assert counts[:2] == [560, 40]
    assert counts[1] + counts[2] == counts[3]
    refused(admin.call("GET", f"{ALL_USERS}?mainGroupId=g-1&mainGroupId=g-2"), 400, 10001)


def test_users_filter_by_the_permissions_that_they_have_a_setting_of_their_own_for(admin: Client):
    settings = admin.get("/v1/bizMainGroups/g-1/permissions")["ownSettings"]
    for name, counts in settings.items():
        assert len(search_names(admin, ownPermission=name)) == counts["on"] + counts["off"] > 0
    both = set(search_names(admin, ownPermission="allowExport")) | set(search_names(admin, ownPermission="allowOrder"))
    assert set(search_names(admin, ownPermission=["allowExport", "allowOrder"])) == both
    refused(admin.call("GET", f"{USERS}&ownPermission=allowAll"), 400, 10002)


def test_clinics_filter_by_country_partner_users_and_ids(admin: Client):
    assert [row["name"] for row in admin.get(CLINICS, {"hasUser": "false"})["results"]] == ["Улыбка", "한강 어린이치과"]
    partners = admin.get(CLINICS, {"hasPartner": "true", "size": 100})["results"]
    assert partners
    assert all(row["partnerCount"] for row in partners)
    assert admin.get(CLINICS, {"countryCode": ["KR", "TH"]})["resultCount"] == 7
    results = admin.get(CLINICS, {"ids": ["g-2", "g-5", "g-25", "g-0"]})["results"]
    assert [row["id"] for row in results] == ["g-2", "g-5"]


def test_a_row_is_the_same_alone_as_in_its_list(admin: Client):
    for path in (USERS, CLINICS, TEAMS):
        for row in admin.get(path, {"size": 10})["results"]:
            assert admin.get(f"{path.partition('?')[0]}/{row['id']}") == row


def test_the_summary_counts_what_the_lists_count(admin: Client):
    summary = admin.get("/v1/bizDashboards/summary?organizationId=o-1")
    clinics = every_page(admin, CLINICS)
    assert summary["mainGroupCount"] == len(clinics)
    assert summary["userCount"] == sum(clinic["userCount"] for clinic in clinics)
    assert summary["subGroupCount"] == admin.get(TEAMS)["resultCount"]
    users = f"{ALL_USERS}?organizationId=o-1"
    assert summary["invitedUserCount"] == admin.get(users, {"status": "INVITED"})["resultCount"]
    assert summary["expiredInvitationCount"] == admin.get(users, {"status": "INVITATION_EXPIRED"})["resultCount"] > 0
    assert sum(summary["scannerCounts"].values()) == sum(clinic["scannerCount"] for clinic in clinics)
    assert all(summary["scannerCounts"].values())
    assert all(summary["partnershipCounts"].values())
    assert 0 < summary["orderAllowedPartnerCount"] <= summary["partnershipCounts"]["ACCEPTED"]
    assert summary["unreadNotificationCount"] > 0
