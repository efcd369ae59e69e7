"""Users of a clinic as CSV files: exported, and imported with an invitation for each."""

import csv
import io
import json
import re
from html import unescape

import pytest

from groups.tests.stored_presets import my_presets, preset
from tests.support import factories
from tests.support.audit import audit
from tests.support.bulk import answer_bulk_call, has_rows, next_step
from tests.support.imports import upload
from tests.support.reading import one_line

pytestmark = pytest.mark.sql

LIST = "/user-manage/clinic/g-1/user"
EXPORT, IMPORT = LIST + "/export", LIST + "/import"
CALL, BULK = "/v1/bizUsers", "/v1/bizUsers/bulkCreate"

FILE = """Type,Name,Team,Email
Doctor,Ann,Team 1,ann@clinic.example
STAFF,Ben,,ben@clinic.example
nurse,Cas,,cas@clinic.example
Staff,Dan,,dan at clinic
Staff,Eve,Nowhere,eve@clinic.example
Staff,Ann Again,,ANN@clinic.example
"""


@pytest.fixture
def bodies(upstream):
    """The bodies that the service received; it knows only the team Team 1."""
    got = []

    def answer(request):
        body = json.loads(request.body)
        got.append(body)
        rows = [
            {"index": index, "ok": True, "id": f"u-{index}"}
            if item.get("subGroupName", "") in ("", "Team 1")
            else {"index": index, "ok": False, "code": 10004, "field": "subGroupName"}
            for index, item in enumerate(body["items"])
        ]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", BULK, answer)
    return got


def read_rows(response):
    content = response.getvalue()
    assert response.status_code == 200, content[:500]
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def send(client, text, **headers):
    content = text if isinstance(text, bytes) else text.encode()
    return upload(client, IMPORT, content, headers=headers)


@pytest.mark.req("LS-10", "DM-13")
def test_the_users_are_exported_as_they_are_shown(administrator, upstream):
    ann = factories.user(1, name="=Ann", lastLoginDate=None)
    invited = factories.user(
        2, status="INVITED", lastLoginDate=None, invitationExpiresDate="2026-12-01T08:30:00Z", subGroupName=None
    )
    upstream.answers("GET", CALL, factories.listing([ann, invited, factories.user(3)]))
    response = administrator.get(EXPORT + "?status=ACTIVE&status=INVITED&team=t-1&keyword=u")
    header, *rows = read_rows(response)
    assert header == ["Name", "Type", "Team", "Email", "Status", "Invitation expires", "Last login", "Clinic"]
    assert rows[0] == ["'=Ann", "Doctor", "Team 1", "user1@clinic.example", "Active", "", "Never", "Clinic 1"]
    assert rows[1][2:] == ["", "user2@clinic.example", "Invited", "2026-12-01T08:30:00+00:00", "Never", "Clinic 1"]
    assert rows[2][5:7] == ["", "2026-11-01T08:30:00+00:00"]
    (call,) = upstream.calls("GET", CALL)
    for part in ("mainGroupId=g-1", "status=ACTIVE", "status=INVITED", "subGroupId=t-1", "keyword=u"):
        assert part in call.url
    assert re.fullmatch(r'attachment; filename="users-\d{4}-\d\d-\d\d.csv"', response.headers["Content-Disposition"])


@pytest.mark.req("LS-10")
@pytest.mark.parametrize(
    ("zone", "moment", "written"),
    [
        ("Asia/Seoul", "2026-11-01T20:30:00Z", "2026-11-02T05:30:00+09:00"),
        ("America/St_Johns", "2026-07-01T01:00:59Z", "2026-06-30T22:30:59-02:30"),
        ("Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T05:45:00+05:45"),
        ("Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00+01:00"),
        ("Nowhere/Else", "2026-11-01T20:30:00+09:00", "2026-11-01T11:30:00+00:00"),
    ],
)
def test_a_point_in_time_is_the_same_in_the_file_of_each_reader(administrator, upstream, zone, moment, written):
    upstream.answers("GET", CALL, factories.listing([factories.user(lastLoginDate=moment)]))
    administrator.cookies["tz"] = zone
    assert read_rows(administrator.get(EXPORT))[1][6] == written


@pytest.mark.req("LS-10")
def test_a_search_for_an_incomplete_email_is_reported_instead_of_exported(administrator, upstream):
    response = administrator.get(EXPORT + "?searchField=email&keyword=ann")
    assert response.headers["Location"] == LIST + "?keyword=ann&searchField=email"
    assert upstream.calls("GET", CALL) == []


@pytest.mark.req("LS-10", "VA-21")
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_email_that_only_the_service_refuses_is_reported_instead_of_exported(administrator, upstream, kind):
    query = "?searchField=email&keyword=a%40b.example"
    for field, text in (("keyword", "Invalid email"), ("userType", "")):
        refusal = factories.refusal(10002, fields=[{"field": field, "code": 10002}])
        upstream.answers("GET", CALL, refusal, status=422)
        response = administrator.get(EXPORT.replace("csv", kind) + query)
        html = unescape(response.content.decode())
        assert response.status_code == 422
        assert ("The list wasn't exported" in html, "Invalid email" in html) == (bool(text), bool(text))


@pytest.mark.req("LS-11", "LS-12", "DM-14")
def test_a_dry_run_reports_each_row_and_invites_no_one(administrator, bodies):
    response = send(administrator, FILE)
    html = response.content.decode()
    assert response.status_code == 200
    audit(html)
    assert "2 rows can be imported." in html
    assert "Each new user gets an invitation by email." in html
    text = unescape(re.sub(r"<[^>]+>", "|", one_line(html)))
    for row, reason in (
        (4, "The type must be Doctor or Staff."),
        (5, "Invalid email"),
        (6, "No team has this name"),
        (7, "Row 2 has the same email."),
    ):
        assert re.search(rf"\|{row}\|+Can't be imported\|+{reason}\|", text), reason
    (body,) = bodies
    assert body["dryRun"] is True
    assert body["items"][0] == {
        "name": "Ann",
        "userType": "DOCTOR",
        "email": "ann@clinic.example",
        "mainGroupName": "Clinic 1",
        "subGroupName": "Team 1",
        "language": "en-US",
    }


@pytest.mark.req("LS-11", "DM-14")
def test_after_the_dry_run_the_users_of_valid_rows_are_invited(administrator, bodies):
    plan = send(administrator, FILE).content.decode()
    fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', plan)[0] for name in ("lines", "form_id")}
    html = administrator.post(IMPORT, fields, follow=True).content.decode()
    assert "2 rows were imported." in html
    assert [item["name"] for item in bodies[1]["items"]] == ["Ann", "Ben"]
    assert bodies[1]["dryRun"] is False


@pytest.mark.req("LS-11", "DM-49")
def test_the_permissions_of_imported_users_can_be_set_by_a_plan_with_a_preset(administrator, upstream, bodies):
    preset()
    has_rows(upstream, CALL, [factories.user(number) for number in (0, 1, 2)])
    answer_bulk_call(upstream, f"{CALL}/bulkPermissions")
    html = send(administrator, FILE).content.decode()
    assert "bulk/permissions" not in html, "nobody was added yet"
    fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("lines", "form_id")}
    html = one_line(administrator.post(IMPORT, fields, follow=True).content.decode())
    audit(html)
    action = f"{LIST}/bulk/permissions"
    (form,) = re.findall(rf'<form method="post" action="{action}">(.*?)</form>', html)
    assert "Change permissions for 2 users" in form
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert sent["ids"] == "u-0 u-1"
    plan = administrator.post(action, sent).content.decode()
    assert administrator.post(action, {**next_step(plan), "preset": "1"})["Location"] == LIST
    assert sorted(my_presets().uses("1")["user"]) == ["u-0", "u-1"]


@pytest.mark.req("LS-11", "DM-49")
def test_without_ids_from_the_service_no_plan_is_offered_for_imported_users(administrator, upstream):
    upstream.answers("POST", BULK, {"resultCount": 1, "okCount": 1, "results": [{"index": 0, "ok": True}]})
    html = send(administrator, "name,type,email\nAnn,doctor,ann@clinic.example\n").content.decode()
    fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("lines", "form_id")}
    html = administrator.post(IMPORT, fields, follow=True).content.decode()
    assert "1 row was imported." in html
    assert "bulk/permissions" not in html


@pytest.mark.req("LS-11", "LN-01")
def test_the_file_may_be_in_the_readers_language(administrator, bodies):
    template = administrator.get(IMPORT + "/template", headers={"Accept-Language": "ko-KR"})
    send(administrator, template.content, **{"Accept-Language": "ko-KR"})
    assert bodies[0]["items"][0]["userType"] == "DOCTOR"
    assert bodies[0]["items"][0]["language"] == "ko-KR"


@pytest.mark.req("LS-11")
def test_a_file_without_teams_is_valid(administrator, bodies):
    send(administrator, "name,type,email\nAnn,doctor,ann@clinic.example\n")
    assert bodies[0]["items"][0].get("subGroupName", "") == ""


@pytest.mark.req("LS-11", "UC-06")
def test_a_row_of_another_clinic_is_reported_and_its_user_is_not_invited(administrator, bodies):
    rows = ["Ann,doctor,ann@x.example,clinic 1 ", "Ben,staff,ben@x.example,Clinic 7", "Cas,staff,cas@x.example,"]
    html = send(administrator, "name,type,email,Clinic\n" + "\n".join(rows)).content.decode()
    assert "2 rows can be imported." in html
    assert "Only users in \u2068Clinic 1\u2069 can be imported here." in html
    assert {i["mainGroupName"] for i in bodies[0]["items"]} == {"Clinic 1"}
    administrator.post(IMPORT, {"lines": re.findall(r'name="lines" value="([^"]*)"', html)[0]})
    assert [(i["name"], i["mainGroupName"]) for i in bodies[1]["items"]] == [("Ann", "Clinic 1"), ("Cas", "Clinic 1")]


@pytest.mark.req("LS-10", "LS-11")
def test_an_export_can_be_imported_again(administrator, bodies):
    send(administrator, administrator.get(EXPORT).getvalue())
    assert [(i["email"], i["mainGroupName"]) for i in bodies[0]["items"]] == [("user1@clinic.example", "Clinic 1")]


@pytest.mark.req("LS-12", "VA-35")
def test_a_name_too_long_says_which_column_it_is(administrator, bodies):
    html = send(administrator, f"name,type,email\n{'x' * 101},staff,ann@clinic.example\n").content.decode()
    assert "Name is too long" in html
    assert "0 rows can be imported." in html


@pytest.mark.req("LS-12", "VA-35")
@pytest.mark.parametrize("blank", ["\x0b", "\x0c", "\x1c"])
def test_a_blank_of_another_program_is_reported_in_its_row_alone(administrator, bodies, blank):
    rows = f"name,type,email\nAnn{blank}Lee,staff,ann@clinic.example\nBo,staff,bo@clinic.example\n"
    html = send(administrator, rows).content.decode()
    assert "Invalid name" in html
    assert "1 row can be imported." in html


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("path", [EXPORT, IMPORT, IMPORT + "/template"])
def test_a_clinic_of_another_organization_is_not_there(admin_client, upstream, bodies, path):
    upstream.has_clinic(organizationId="o-2")
    assert admin_client.get(path).status_code == 404
    if path == IMPORT:
        assert send(admin_client, FILE).status_code == 404
    assert bodies == []


@pytest.mark.req("LS-10", "DM-13")
def test_the_list_links_to_export_and_import_and_keeps_its_filters(administrator, visit):
    html = visit(LIST + "?status=ACTIVE&keyword=a").response.content.decode()
    assert f'href="{EXPORT}?status=ACTIVE&amp;keyword=a"' in html
    assert f'href="{IMPORT}"' in html


@pytest.mark.req("LS-11", "LS-12")
def test_direction_marks_are_not_exported_and_are_ignored_in_imports(administrator, bodies):
    """Names in sentences have direction marks, which are copied along with them into the header of a file."""
    header = "\u2068Name\u2069,Type,Email,Clinic\n"
    page = send(administrator, header + "Ann,Staff,ann@clinic.example,\nBo,Staff,bo@clinic.example,Clinic 9\n")
    html = page.content.decode()
    assert "1 row can be imported." in html
    assert "Only users in \u2068Clinic 1\u2069 can be imported here." in html
    fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[-1] for name in ("lines", "form_id")}
    _, row = read_rows(administrator.post(IMPORT, {**fields, "rejected": "1"}))
    assert row[-1] == "Only users in Clinic 1 can be imported here."
