"""Files of users with other columns: a name in two parts, other heads, no type, or no clinic."""

import json
import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.audit import audit
from tests.support.imports import answer, upload

ONE, ALL = "/user-manage/clinic/g-1/user/import", "/user-manage/user/import"
GERMAN = "Vorname;Nachname;E-Mail\r\nJürgen;Müller;jm@x.example\r\nGünther;;aw@x.example\r\n"


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(1), factories.clinic(2)]))
    return administrator


@pytest.fixture
def people(upstream):
    """The users that the service is asked to create; it accepts all."""
    got = []

    def answer(request):
        items = json.loads(request.body)["items"]
        got.append([(item["name"], item["userType"], item["mainGroupName"]) for item in items])
        rows = [{"index": index, "ok": True} for index in range(len(items))]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", "/v1/bizUsers/bulkCreate", answer)
    return got


def page(response):
    html = response.content.decode()
    audit(html)
    return unescape(html)


def send(client, text, *, to=ONE, code_page="cp1252"):
    return upload(client, to, text.encode(code_page))


def choose(client, response, **chosen):
    """Choose columns by the names of our fields; the others stay as the page has them."""
    return answer(client, response, **{f"column-{name}": value for name, value in chosen.items()})


@pytest.mark.req("DM-42", "LS-12")
def test_a_name_in_two_columns_and_one_type_for_all_are_chosen(administrator, people):
    question = send(administrator, GERMAN)
    assert people == []
    chosen = {"name": "0", "name-2": "1", "user_type": "=Staff"}
    plan = page(choose(administrator, question, **chosen))
    assert "2 rows can be imported." in plan
    assert "Jürgen Müller" in plan
    assert people == [[("Jürgen Müller", "STAFF", "Clinic 1"), ("Günther", "STAFF", "Clinic 1")]]


@pytest.mark.req("DM-42", "LS-12", "DM-14")
def test_the_clinic_of_all_rows_can_be_chosen_if_the_file_names_none(administrator, people):
    question = send(administrator, "Name,Type,Email\nAnn,Doctor,ann@x.example\n", to=ALL)
    assert "Same for all rows" in page(question)
    assert "1 row can be imported." in page(choose(administrator, question, clinic_name="=Clinic 2"))
    assert people == [[("Ann", "DOCTOR", "Clinic 2")]]


@pytest.mark.req("DM-42", "LS-12")
def test_first_and_last_names_are_put_together_without_a_question(administrator, people):
    send(administrator, "Surname,Type,First name,Email\nLee,Doctor,Ann,ann@x.example\n")
    assert people == [[("Ann Lee", "DOCTOR", "Clinic 1")]]


@pytest.mark.req("DM-42", "LS-12")
@pytest.mark.parametrize("other", ["Surname,First name", "Family name,Given name"])
def test_a_full_name_takes_precedence_over_its_parts(administrator, people, other):
    send(administrator, f"Name,{other},Type,Email\nAnn B. Lee,Lee,Ann,Doctor,ann@x.example\n")
    assert people == [[("Ann B. Lee", "DOCTOR", "Clinic 1")]]


@pytest.mark.req("DM-42", "LS-12")
@pytest.mark.parametrize(
    ("heads", "suggested"),
    [
        ("Name,First name", {"name": "1", "name-2": "0"}),
        ("First name,Name", {"name": "0", "name-2": "1"}),
        ("Name,Surname", {"name": "0", "name-2": "1"}),
        ("First name,Office", {"name": "0"}),
        ("Surname,Office", {"name-2": "0"}),
    ],
)
def test_a_column_that_may_be_only_a_part_of_the_name_needs_a_choice(administrator, people, heads, suggested):
    html = page(send(administrator, f"{heads},Type,Email\nOne,Two,Doctor,a@x.example\n"))
    assert people == []
    for name in ("name", "name-2"):
        (select,) = re.findall(rf'<select name="column-{name}".*?</select>', html, re.DOTALL)
        assert re.findall(r'value="(\d*)" selected', select) == [suggested.get(name, "")]


@pytest.mark.req("DM-42", "LS-12", "VA-36")
@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (
            {"name": "0", "name-2": "0"},
            "The column you chose for “Additional name column” is already in use. Choose another one.",
        ),
        ({"name": "", "name-2": "1"}, "Choose the file column for “Name”."),
        ({"name": "0", "user_type": "=Nurse"}, "Choose the file column for “Type”."),
        ({"name": "=Ann"}, "Choose the file column for “Name”."),
    ],
)
def test_an_invalid_choice_is_reported(administrator, people, chosen, message):
    response = choose(administrator, send(administrator, GERMAN), **{"user_type": "=Doctor"} | chosen)
    assert response.status_code == 422
    assert message in page(response)
    assert people == []


@pytest.mark.req("DM-42")
def test_clinics_that_can_not_be_read_are_not_offered(administrator, upstream, people):
    upstream.answers("GET", "/v1/bizMainGroups", status=500)
    html = page(send(administrator, "Name,Type,Email\nAnn,Doctor,ann@x.example\n", to=ALL))
    assert "Match the columns" in html
    assert "=Clinic" not in html


@pytest.mark.req("DM-42")
def test_json_contains_the_choices_too(administrator, people):
    file = GERMAN.encode("cp1252")
    item = upload(administrator, ONE, file, headers={"Accept": "application/json"}).json()["item"]
    assert set(item["column-user_type"]) == {"", "0", "1", "2", "=Doctor", "=Staff"}
    assert set(item["column-name-2"]) == {"", "0", "1", "2"}
