"""The permissions of all clinics in one table: compared with most, filtered, exported, changed together."""

import csv
import io
import json

import pytest

from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, get_list_query, has_rows, next_step

PAGE = "/user-manage/permissions"
CLINICS = "/user-manage/clinic"
BULK = PAGE + "/bulk/permissions"
CALL = "/v1/bizMainGroups"
ROWS = [
    factories.compared(1, name="Alpha"),
    factories.compared(2, name="Beta", allowExport=False, allowDownload=False),
    factories.compared(3, name="Gamma", allowDownload=False),
]


@pytest.fixture
def administrator(administrator, upstream):
    has_rows(upstream, CALL, ROWS)
    return administrator


def get_view(client, query=""):
    return client.get(PAGE + query, headers={"Accept": "application/json"}).json()["item"]["list"]


def names(client, query=""):
    return [row["cells"][0]["text"] for row in get_view(client, query)["rows"]]


def cells(client, row, query=""):
    view = get_view(client, query)
    (cells,) = [entry["cells"] for entry in view["rows"] if entry["cells"][0]["text"] == row]
    return {column["name"]: cell for column, cell in zip(view["columns"], cells, strict=True)}


@pytest.mark.req("DM-49", "EN-101", "AX-14")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_all_clinics_are_listed_with_their_five_permissions(administrator, upstream, visit, lng):
    html = visit(PAGE, lng=lng).response.content.decode()
    assert html.count('class="badge"') == 15
    assert 'href="clinic/g-1/permissions"' in html
    (call,) = upstream.calls("GET", CALL)
    assert "include=permissions" in call.url
    assert "organizationId=o-1" in call.url


@pytest.mark.req("DM-49", "AX-14")
def test_settings_that_differ_from_most_are_marked_in_words(administrator):
    beta = cells(administrator, "Beta")
    assert (beta["allow_export"]["text"], beta["allow_export"]["note"]) == ("Off", "Unusual")
    assert (beta["allow_download"]["text"], "note" in beta["allow_download"]) == ("Off", False)
    assert beta["differs"]["text"] == "1"
    assert cells(administrator, "Alpha")["allow_download"]["note"] == "Unusual"
    assert get_view(administrator)["facts"] == ["Compared 3 clinics"]
    assert "country" not in beta, "names have its space"


@pytest.mark.req("DM-49")
def test_nothing_differs_if_a_permission_is_on_as_often_as_off(administrator, upstream):
    has_rows(upstream, CALL, [factories.compared(1), factories.compared(2, allowExport=False)])
    assert [row["cells"][-1]["text"] for row in get_view(administrator)["rows"]] == ["0", "0"]


@pytest.mark.req("DM-49", "UC-04", "LS-03")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?allow_export=off", ["Beta"]),
        ("?allow_export=on", ["Alpha", "Gamma"]),
        ("?allow_download=off&allow_export=on", ["Gamma"]),
        ("?differs=true", ["Alpha", "Beta"]),
        ("?differs=maybe&allow_export=sometimes", []),
        ("?sort=differs&order=desc", ["Alpha", "Beta", "Gamma"]),
        ("?sort=differs&order=asc", ["Gamma", "Alpha", "Beta"]),
    ],
)
def test_the_table_can_be_filtered_and_sorted_by_permissions_and_differences(administrator, query, expected):
    assert names(administrator, query) == expected


@pytest.mark.req("DM-49", "LS-03")
def test_names_and_countries_are_searched_by_the_service(administrator, upstream):
    administrator.get(PAGE + "?keyword=al&country_code=KR&allow_export=off&sort=country_code&order=desc&page=2")
    (call,) = upstream.calls("GET", CALL)
    for part in ("keyword=al", "countryCode=KR", "sort=countryCode", "order=desc", "page=1&size=100"):
        assert part in call.url
    assert "allow" not in call.url


@pytest.mark.req("DM-49", "LS-03", "LS-05")
def test_a_page_has_only_its_rows_although_all_clinics_are_compared(administrator, upstream):
    rows = [factories.compared(n, name=f"Clinic {n:03}", allowExport=n != 7) for n in range(230)]
    has_rows(upstream, CALL, rows)
    view = get_view(administrator, "?size=10&page=2")
    assert [row["id"] for row in view["rows"]] == [f"g-{n}" for n in range(10, 20)]
    assert (view["total"], view["facts"]) == (230, ["Compared 230 clinics"])
    assert len(upstream.calls("GET", CALL)) == 3
    assert names(administrator, "?differs=true") == ["Clinic 007"]


@pytest.mark.req("DM-49")
def test_with_more_than_a_thousand_clinics_it_says_that_only_the_first_were_compared(administrator, upstream):
    has_rows(upstream, CALL, [factories.compared(n) for n in range(1100)])
    view = get_view(administrator)
    assert view["total"] == 1000
    (fact,) = view["facts"]
    assert fact == "Compared 1,000 of 1,100 clinics. Use search or the country filter to narrow the list."


@pytest.mark.req("DM-49", "ER-24")
@pytest.mark.parametrize(
    "answer",
    [
        (200, factories.listing([factories.clinic(1), factories.clinic(2)])),
        (400, {"code": 10002, "message": "unknown parameter"}),
    ],
)
def test_a_service_that_does_not_list_permissions_is_reported_and_no_clinic_is_read(
    administrator, upstream, visit, answer
):
    status, body = answer
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, body, status=status)
    html = visit(PAGE).response.content.decode()
    assert "Permissions for all clinics aren&#39;t available." in html
    assert f'href="{CLINICS}"' in html
    assert not upstream.calls("GET", CALL + "/[^/]+/permissions")
    assert administrator.get(PAGE, headers={"Accept": "application/json"}).status_code == 422
    assert administrator.get(PAGE + "/export").status_code < 500


@pytest.mark.req("DM-49", "SEC-10")
@pytest.mark.parametrize(
    "odd",
    [
        {"permissions": None},
        {"permissions": "all"},
        {"permissions": {"allowExport": {"value": "yes"}, "allowFly": {"value": True}, "allowOrder": 3}},
        {"permissionsVersion": None},
        {"permissionsVersion": "x"},
    ],
)
def test_an_odd_row_hides_no_other_row(administrator, upstream, odd):
    has_rows(upstream, CALL, [*ROWS, factories.compared(4, name="Odd", **odd)])
    assert names(administrator) == ["Alpha", "Beta", "Gamma", "Odd"]
    value = cells(administrator, "Odd")["allow_export"]["text"]
    assert value == ("On" if "permissionsVersion" in odd else "")
    assert names(administrator, "?allow_export=off") == ["Beta"]


@pytest.mark.req("DM-49", "LS-11")
def test_the_table_is_exported_as_it_is_filtered(administrator):
    response = administrator.get(PAGE + "/export?differs=true")
    rows = list(csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"), newline="")))
    assert rows[0][:3] == ["Name", "Country", "Allow orders to listed labs"]
    assert [row[0] for row in rows[1:]] == ["Alpha", "Beta"]
    assert rows[2][3] == "Off"
    assert rows[2][-1] == "1"


@pytest.mark.req("DM-49", "DM-17", "PM-12")
def test_differences_are_corrected_in_one_plan_and_the_activity_has_old_and_new_values(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkPermissions")
    query = get_list_query(administrator, PAGE + "?allow_export=off")
    plan = administrator.post(BULK, {"all": "1", "query": query}).content.decode()
    assert "1 clinic selected" in plan
    html = administrator.post(BULK, {**next_step(plan), "allow_export": "on"}, follow=True).content.decode()
    assert "Permissions changed for 1 clinic." in html
    assert bodies(upstream, CALL + "/bulkPermissions") == [{"ids": ["g-2"], "permissions": {"allowExport": True}}]
    export = administrator.get("/activity/export").getvalue().decode()
    assert '"Allow exports","Off","On"' in export


@pytest.mark.req("DM-49", "PM-20")
def test_clinics_of_another_organization_are_not_changed(administrator, upstream):
    has_rows(upstream, CALL, [*ROWS, factories.compared(9, organizationId="o-2", name="Theirs")])
    plan = administrator.post(BULK, {"id": ["g-1", "g-9"]}).content.decode()
    assert "1 clinic selected" in plan
    assert "Theirs" not in plan


@pytest.mark.req("DM-49", "LS-13")
def test_the_permissions_of_a_clinic_return_to_the_table_as_it_was(administrator):
    html = administrator.get(f"{CLINICS}/g-1/permissions?back={PAGE}%3Fdiffers%3Dtrue").content.decode()
    assert f'href="{PAGE}?differs=true"' in html


@pytest.mark.req("DM-49", "DM-46")
def test_the_table_is_linked_from_the_clinics_and_found_by_search(administrator):
    assert f'href="{PAGE}"' in administrator.get(CLINICS).content.decode()
    results = administrator.get("/search?q=permissions", headers={"Accept": "application/json"}).json()
    assert PAGE in json.dumps(results)
