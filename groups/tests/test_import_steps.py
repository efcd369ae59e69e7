"""Users imported from another program's file: each step has an address, and values are mapped as columns are."""

import json
import re
from datetime import timedelta
from html import unescape
from types import SimpleNamespace

import pytest
from django.db import DatabaseError
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from console.audit.content import Content
from console.files.stored import MAX_FILES
from console.l10n.bidi import BIDI_CONTROLS
from console.models import Activity, ImportFile
from console.sessions.identity import keyed_hash
from groups.tests.test_files_in_languages import catalogs  # noqa: F401 - a fixture
from tests.support import factories
from tests.support.audit import audit
from tests.support.imports import answer, step_url, upload

ALL = "/user-manage/user/import"
BULK, TEAMS = "/v1/bizUsers/bulkCreate", "/v1/bizSubGroups"
HEADER = "Vorname;Nachname;Funktion;Kontakt;Abteilung;Standort"
ROWS = [
    "Jana;Roth;Zahnarzt;jana@x.example;Chirurgie;Clinic 1",
    "Udo;Klein;Mitarbeiter;udo@x.example;Prophylaxe;Clinic 1",
    "Ina;Berg;Mitarbeiter;ina@x.example;Team 1;Clinic 2",
    "Ole;Vogt;Zahnarzt;ole@x.example;;Clinik 2",
]
FILE = "\n".join([HEADER, *ROWS])

pytestmark = [pytest.mark.sql, pytest.mark.req("DM-42", "LS-12", "DM-14")]


@pytest.fixture
def administrator(administrator, upstream):
    clinics = [factories.clinic(number, name=f"Clinic {number}") for number in (1, 2)]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    return administrator


@pytest.fixture
def service(upstream):
    """The teams that the service has, the bodies of its bulk calls, and the answer to a new team if that fails."""

    teams = [("Team 1", "g-2"), ("Chirurgie 1", "g-2")]
    state = SimpleNamespace(teams=teams, bodies=[], failure=None, in_use=set())

    def list_teams(_request):
        rows = [factories.team(n, name=name, mainGroupId=clinic) for n, (name, clinic) in enumerate(state.teams, 1)]
        return 200, {}, json.dumps(factories.listing(rows))

    def create_team(request):
        if state.failure:
            return state.failure
        body = json.loads(request.body)
        state.teams.append((body["name"], body["mainGroupId"]))
        return 200, {}, json.dumps({"id": f"t-{len(state.teams)}"})

    def create(request):
        body = json.loads(request.body)
        state.bodies.append(body)
        rows = []
        for index, item in enumerate(body["items"]):
            is_free = item["email"] not in state.in_use
            row = {"index": index, "ok": is_free, "id": f"u-{index}"}
            rows.append(row if is_free else {**row, "code": 13008, "field": "email"})
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.remove("GET", TEAMS)
    upstream.callback("GET", TEAMS, list_teams)
    upstream.callback("POST", TEAMS, create_team)
    upstream.callback("POST", BULK, create)
    return state


def page(response):
    html = response.content.decode()
    audit(html)
    return unescape(html)


def selected(response):
    """Return the chosen option of each select, by its label."""
    html = page(response)
    labels = dict(re.findall(r'<label for="([\w-]+)">\s*(?:<bdi[^>]*>)?([^<]*?)\s*(?:</bdi>)?\s*<', html))
    selects = re.findall(r"<select(.*?)>(.*?)</select>", html, re.DOTALL)
    return {
        labels[re.findall(r'\bid="([\w-]+)"', attributes)[0]].translate(BIDI_CONTROLS): "".join(
            re.findall(r"<option [^>]*selected>([^<]*)", options)
        )
        for attributes, options in selects
    }


def lines(response):
    return {"lines": unescape(re.findall(r'name="lines" value="([^"]*)"', response.content.decode())[0])}


def details(response):
    """Return the reasons of each row, by its number."""
    rows = re.findall(r"<tr>(.*?)</tr>", page(response).partition("<tbody>")[2], re.DOTALL)
    return {
        int(re.findall(r'data-kind="number">(\d+)', row)[0]): re.findall(r"<p><bdi translate=no>([^<]*)", row)
        for row in rows
    }


@pytest.mark.usefixtures("catalogs")
@pytest.mark.parametrize("catalogs", ["shipped"], indirect=True)
def test_a_file_of_another_program_is_imported_without_changing_any_suggestion(administrator, service):
    columns = upload(administrator, ALL, FILE, answers_values=False)
    assert step_url(columns).endswith("/columns")
    assert {label: text.partition(":")[0] for label, text in selected(columns).items()} == {
        "Name": "Vorname",
        "Additional name column": "Nachname",
        "Type": "Funktion",
        "Email": "Kontakt",
        "Team": "Abteilung",
        "Clinic": "Standort",
    }
    chosen = {f"column-{name}": str(n) for n, name in enumerate(["name", "name-2", "user_type", "email", "team_name"])}
    values = administrator.post(step_url(columns), {**chosen, "column-clinic_name": "5"}, follow=True)
    assert step_url(values).endswith("/values")
    assert selected(values) == {
        "Zahnarzt": "Doctor",
        "Mitarbeiter": "Staff",
        "Clinik 2": "Clinic 2",
        "Chirurgie in Clinic 1": "Create this team",
        "Prophylaxe in Clinic 1": "Create this team",
    }
    review = answer(administrator, values)
    html = page(review)
    assert "4 rows can be imported." in html
    assert "2 teams will be created: " in html
    assert "4 rows were imported." in page(administrator.post(ALL, lines(review), follow=True))
    assert service.teams[2:] == [("Chirurgie", "g-1"), ("Prophylaxe", "g-1")]
    sent = [(i["name"], i["userType"], i["mainGroupName"], i.get("subGroupName")) for i in service.bodies[-1]["items"]]
    assert sent == [
        ("Jana Roth", "DOCTOR", "Clinic 1", "Chirurgie"),
        ("Udo Klein", "STAFF", "Clinic 1", "Prophylaxe"),
        ("Ina Berg", "STAFF", "Clinic 2", "Team 1"),
        ("Ole Vogt", "DOCTOR", "Clinic 2", None),
    ]
    created = Activity.objects.filter(kind="team", act="create", outcome="done")
    assert [Content.decrypt(entry.content).target.name for entry in created.order_by("id")] == [
        "Chirurgie",
        "Prophylaxe",
    ]


PLAIN = "Name,Type,Email,Team,Clinic\nAnn,Dentist,ann@x.example,Night,Clinic 1\nBen,Nurse,ben@x.example,,Clinic 1\n"


def choose(client, response, **choices):
    """Choose values by their labels; the others stay as suggested."""
    html = page(response)
    keys = {}
    for key, text in re.findall(r'<label for="id_(value-\w+)">\s*<bdi[^>]*>([^<]*)', html):
        keys[text.translate(BIDI_CONTROLS).partition(" in ")[0]] = key
    return answer(client, response, **{keys[name]: value for name, value in choices.items()})


def test_a_value_can_mean_another_one_none_or_nothing(administrator, service):
    values = upload(administrator, ALL, PLAIN, answers_values=False)
    review = choose(administrator, values, Nurse="=STAFF", Night="-")
    assert "2 rows can be imported." in page(review)
    administrator.post(ALL, lines(review))
    assert [(i["userType"], i.get("subGroupName")) for i in service.bodies[-1]["items"]] == [
        ("DOCTOR", None),
        ("STAFF", None),
    ]
    assert len(service.teams) == 2

    service.bodies.clear()
    review = choose(administrator, administrator.get(step_url(values)), Nurse="", Night="")
    assert "0 rows can be imported." in page(review)
    assert details(review)[2] == ["No team has this name"]
    assert details(review)[3][0].startswith("The type must be")


@pytest.mark.req("RT-44")
def test_every_step_can_be_opened_again_and_shows_what_was_chosen(administrator, service):
    values = upload(administrator, ALL, PLAIN, answers_values=False)
    review = choose(administrator, values, Nurse="=STAFF", Night="-")
    html = page(review)
    base = step_url(review).removesuffix("/review")
    for step in ("columns", "values"):
        assert f'href="{base}/{step}"' in html
    assert selected(administrator.get(f"{base}/values"))["Nurse"] == "Staff"
    assert selected(administrator.get(f"{base}/columns"))["Email"].startswith("Email")
    assert "2 rows can be imported." in page(administrator.get(f"{base}/review"))
    assert administrator.get(f"{base}/encoding").status_code == 303
    for path in (f"{base}/other", f"{ALL}/0/review", f"{ALL}/x/review", f"{ALL}/{'9' * 30}/review"):
        assert administrator.get(path).status_code == 404, path


def test_all_problems_of_a_row_are_reported_at_once(administrator, service, upstream):
    service.in_use = {"ann@x.example"}
    upstream.answers("GET", "/v1/bizUsers", factories.listing([]))
    text = "Name,Type,Email,Team,Clinic\n,Pilot,ann@x.example,Nowhere,Clinic 1\n,Pilot,no address,,Nowhere\n"
    review = upload(administrator, ALL, text)
    first, second = details(review)[2], details(review)[3]
    assert first[0] == "Enter name"
    assert first[1].startswith("The type must be")
    assert first[2] == "No team has this name"
    assert "email" in first[3].lower()
    assert second[0] == "Enter name"
    assert second[2:] == ["Invalid email", "No clinic has this name."]


def test_a_team_that_can_not_be_created_leaves_its_rows_out_and_a_repeat_imports_them(administrator, service):
    values = upload(administrator, ALL, PLAIN, answers_values=False)
    review = choose(administrator, values, Nurse="=STAFF")
    service.failure = (400, {}, json.dumps({"code": 10002}))
    result = administrator.post(ALL, lines(review), follow=True)
    assert "1 row was imported." in page(result)
    assert details(result)[2] == ["The “\u2068Night\u2069” team wasn't created, so this row wasn't imported."]
    service.failure = None
    result = administrator.post(ALL, lines(administrator.get(step_url(review))), follow=True)
    assert "2 rows were imported." in page(result)
    assert service.teams[-1] == ("Night", "g-1")
    administrator.post(ALL, lines(administrator.get(step_url(review))))
    assert service.teams.count(("Night", "g-1")) == 1


def test_a_team_with_a_lost_answer_is_not_reported_as_failed(administrator, service):
    review = choose(administrator, upload(administrator, ALL, PLAIN, answers_values=False), Nurse="=STAFF")
    service.failure = (502, {}, "{}")
    result = administrator.post(ALL, lines(review), follow=True)
    assert details(result)[2] == [
        "We couldn't confirm whether the “\u2068Night\u2069” team was created, so this row wasn't imported."
    ]
    assert Activity.objects.filter(kind="team", act="create", outcome="unknown").count() == 1


@pytest.mark.req("PM-20")
def test_a_file_of_another_administrator_is_not_found(administrator, service):
    url = step_url(upload(administrator, ALL, PLAIN, answers_values=False))
    assert administrator.get(url).status_code == 200
    ImportFile.objects.update(**{ImportFile.owner_field: keyed_hash("another administrator")})
    assert administrator.get(url).status_code == 404
    assert administrator.post(url, {}).status_code == 404


@pytest.mark.req("RT-44")
def test_after_an_hour_the_file_is_gone_and_the_same_file_needs_no_answers_again(administrator, service):
    values = upload(administrator, ALL, PLAIN, answers_values=False)
    review = choose(administrator, values, Nurse="=STAFF", Night="-")
    ImportFile.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    for step in ("columns", "values", "review"):
        response = administrator.get(step_url(review).replace("review", step))
        assert response.status_code == 410
        html = page(response)
        assert "The file was deleted because files are stored for only one hour." in html
        assert 'type="file"' in html
    corrected = upload(administrator, ALL, PLAIN + "Cas,Nurse,cas@x.example,,Clinic 2\n", answers_values=False)
    assert step_url(corrected).endswith("/review")
    assert "3 rows can be imported." in page(corrected)


def test_the_purge_deletes_files_after_an_hour_and_answers_after_a_day(administrator, service):
    upload(administrator, ALL, PLAIN)
    row = ImportFile.objects.get()
    ImportFile.purge(row.created_at + timedelta(minutes=59))
    assert ImportFile.objects.get().file
    ImportFile.purge(row.created_at + timedelta(minutes=61))
    row.refresh_from_db()
    assert (row.file, row.content.header[0]) == ("", "Name")
    ImportFile.purge(row.created_at + timedelta(hours=25))
    assert not ImportFile.objects.exists()


@pytest.mark.req("SEC-115")
def test_the_stored_file_is_encrypted_and_an_administrator_has_only_a_few(administrator, service, caplog):
    for _time in range(MAX_FILES + 2):
        upload(administrator, ALL, PLAIN)
    assert ImportFile.objects.count() == MAX_FILES
    stored = ImportFile.objects.annotate(text=Cast("content", TextField())).values_list("file", "text", "owner")
    for texts in stored:
        for text in texts:
            assert "x.example" not in text
            assert '"Name"' not in text
    assert "ann@x.example" not in caplog.text


def test_a_file_that_can_not_be_stored_is_reported_in_the_form(administrator, service, monkeypatch):
    def fail(*_args, **_options):
        raise DatabaseError

    monkeypatch.setattr(ImportFile.objects, "create", fail)
    response = upload(administrator, ALL, PLAIN)
    assert response.status_code == 503
    assert "Failed to check the file." in page(response)
