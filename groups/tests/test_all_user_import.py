"""Users of all clinics imported from one file, which names the clinic of each."""

import csv
import io
import json
import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.audit import audit
from tests.support.imports import upload
from tests.support.reading import one_line

LIST, IMPORT = "/user-manage/clinic", "/user-manage/user/import"

FILE = """Clinic,Team,Name,Type,Email
Clinic 1,,Ann,Doctor,ann@x.example
Clinic 2,Team 1,Ben,Staff,ben@x.example
,,Cas,Staff,cas@x.example
Nowhere,,Dan,Staff,dan@x.example
Twins,,Eve,Staff,eve@x.example
"""


@pytest.fixture
def bodies(upstream):
    """The bodies that the service received; it knows Clinic 1 and Clinic 2, and two that are called Twins."""
    names = ["Clinic 1", "Clinic 2", "Twins", "TWINS", "Harbor Dental"]
    clinics = [factories.clinic(number, name=name) for number, name in enumerate(names, start=1)]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    teams = [factories.team(1, mainGroupId="g-2", mainGroupName="Clinic 2")]
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing(teams))
    got, codes = [], {"Nowhere": 10004, "Twins": 10002}

    def answer(request):
        got.append(json.loads(request.body))
        refused = [codes.get(item["mainGroupName"]) for item in got[-1]["items"]]
        rows = [
            {"index": n, "ok": False, "code": code, "field": "mainGroupName"} if code else {"index": n, "ok": True}
            for n, code in enumerate(refused)
        ]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": refused.count(None), "results": rows})

    upstream.callback("POST", "/v1/bizUsers/bulkCreate", answer)
    return got


def send(client, text):
    return upload(client, IMPORT, text)


@pytest.mark.req("LS-11", "DM-14", "UC-06")
def test_each_row_goes_to_the_clinic_that_it_names(administrator, bodies):
    plan = send(administrator, FILE)
    html = plan.content.decode()
    audit(html)
    assert "2 rows can be imported." in html
    text = unescape(re.sub(r"<[^>]+>", "|", one_line(html)))
    for row, reason in (
        (4, "Enter clinic"),
        (5, "No clinic has this name."),
        (6, "Several clinics have this name."),
    ):
        assert re.search(rf"\|{row}\|+Can't be imported\|+{reason}\|", text), reason
    fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("lines", "form_id")}
    assert "2 rows were imported." in administrator.post(IMPORT, fields, follow=True).content.decode()
    assert [(i["name"], i["mainGroupName"], i.get("subGroupName")) for i in bodies[1]["items"]] == [
        ("Ann", "Clinic 1", None),
        ("Ben", "Clinic 2", "Team 1"),
    ]


@pytest.mark.req("LS-12")
def test_a_file_that_is_too_long_is_refused(administrator, bodies):
    response = send(administrator, FILE + "Clinic 1,,Zoe,Staff,zoe@x.example\n" * 100)
    assert response.status_code == 422
    assert "The file has 105 rows. You can import up to 100" in response.content.decode()
    assert bodies == []


@pytest.mark.req("LS-12", "DM-42")
def test_a_file_without_clinics_needs_a_choice_of_clinics(administrator, bodies):
    response = send(administrator, "Name,Type,Email\nAnn,Doctor,ann@x.example\n")
    assert response.status_code == 200
    assert "Match the columns" in response.content.decode()
    assert bodies == []


@pytest.mark.req("LS-11")
def test_its_template_can_be_imported_as_it_is(administrator, bodies):
    template = administrator.get(f"{IMPORT}/template").content
    header, example = csv.reader(io.StringIO(template.decode("utf-8-sig"), newline=""))
    assert header == ["Name", "Type", "Email", "Team", "Clinic"]
    assert example[-1] == "Harbor Dental", "the example of the template of clinics"
    assert "1 row can be imported." in send(administrator, template).content.decode()


@pytest.mark.req("LS-10", "LS-11")
def test_the_export_of_a_clinic_can_be_imported(administrator, bodies):
    send(administrator, administrator.get(f"{LIST}/g-1/user/export").getvalue())
    assert [(i["email"], i["mainGroupName"]) for i in bodies[0]["items"]] == [("user1@clinic.example", "Clinic 1")]


@pytest.mark.req("DM-14")
def test_a_user_of_another_clinic_is_not_moved(administrator, upstream):
    row = {"index": 0, "ok": False, "code": 13008, "field": "email"}
    upstream.answers("POST", "/v1/bizUsers/bulkCreate", {"resultCount": 1, "okCount": 0, "results": [row]})
    named = [factories.clinic(1), factories.clinic(2)]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(named))
    for clinic, message in (
        ("Clinic 2", "This user belongs to \u2068Clinic 1\u2069. Imports don't move users."),
        ("Clinic 1", "exist"),
    ):
        text = f"clinic,name,type,email\n{clinic},User 1,Staff,user1@clinic.example\n"
        assert message in unescape(send(administrator, text).content.decode())


@pytest.mark.req("LS-11", "DM-14")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_the_list_of_clinics_links_to_the_import(administrator, visit, lng):
    assert f'href="{IMPORT}"' in visit(LIST, lng=lng).response.content.decode()
    assert f'href="{IMPORT}/template"' in visit(IMPORT, lng=lng).response.content.decode()
