"""An export can be imported elsewhere unchanged: one organization's clinics and users into another."""

import csv
import html
import io
import re
from urllib.parse import urlencode

import pytest
import requests

from tests.e2e.http_client import CLINICS, FORM_TOKEN, USERS, Visitor, logged_in
from tests.e2e.pages import ALL_USERS

pytestmark = pytest.mark.slow
FORMULAS = ["=SUM(A1:A9)", "+82 Dental", "-x", "@home", "=cmd|' /C calc'!A0"]
HEADER = ["Name", "Country"]
EMPTY = {"email": "empty@demo.example", "password": "Empty123!"}

Rows = list[list[str]]


@pytest.mark.req("LS-10", "LS-11", "DM-13", "DM-14")
def test_clinics_come_back_as_they_were(console):
    source, target = logged_in(console), logged_in(console, **EMPTY)
    import_rows(source, CLINICS, written([HEADER, *([name, "KR"] for name in FORMULAS)]))
    first = exported(source, CLINICS)
    assert {f"'{name}" for name in FORMULAS} <= {row[0] for row in parsed(first)}
    import_rows(target, CLINICS, first)
    assert columns(exported(target, CLINICS), 2) == columns(first, 2)


@pytest.mark.req("LS-10", "LS-11", "DM-13", "DM-14")
@pytest.mark.parametrize("all_clinics", [False, True], ids=["of a clinic", "of all clinics"])
def test_users_come_back_as_they_were_with_their_teams(console, all_clinics):
    source, target = logged_in(console), logged_in(console, **EMPTY)
    people = [["Name", "Type", "Email"], *([name, "Doctor", f"p{n}@a.example"] for n, name in enumerate(FORMULAS))]
    import_rows(source, USERS, written(people))
    first = exported(source, USERS)
    teams = {row[2] for row in parsed(first)[1:]} - {""}
    assert teams, "some are in a team"

    # Clinics come first, because the file of users refers to them by name.
    import_rows(target, CLINICS, exported(source, CLINICS))
    clinic = urlencode({"keyword": parsed(first)[1][-1]})
    match = re.search(r'"clinic/([\w-]+)/user"', target.get(f"{CLINICS}?{clinic}").text)
    assert match
    users = f"{CLINICS}/{match[1]}/user"
    for team in teams:
        form = {"name": team, "team_type": "GENERAL"}
        assert target.post(users.removesuffix("/user") + "/team/new", form).status_code == 303
    # An email address can only be invited once anywhere, so the copy uses different ones.
    copy = first.decode().replace(".example", ".copy.example").encode()
    import_rows(target, users, copy, to=f"{ALL_USERS}/import" if all_clinics else "")
    assert columns(exported(target, users), 4) == columns(copy, 4)


@pytest.mark.req("LS-11", "LS-12", "DM-14")
def test_three_bad_rows_of_ten_come_back_and_are_imported_when_they_are_corrected(console):
    visitor = logged_in(console, **EMPTY)
    rows = [[f"Clinic {n}", "KR"] for n in range(10)]
    rows[2][0], rows[5][1], rows[8][0] = "", "Atlantis", "Clinic 1"
    plan = upload(visitor, CLINICS, written([HEADER, *rows]))
    assert "7 rows can be imported." in plan.text
    assert len(parsed(exported(visitor, CLINICS))) == 1, "nothing is written by a dry run"
    assert "7 rows were imported." in submitted(visitor, CLINICS, plan).text
    header, *bad = parsed(submitted(visitor, CLINICS, plan, rejected=True).content)
    assert header[-1] == "Reason"
    assert [row[:2] for row in bad] == [rows[2], rows[5], rows[8]]
    assert all(row[-1] for row in bad)
    corrected = [["Two", "KR", ""], ["Clinic 5", "south korea", ""], ["Eight", "KR", ""]]
    import_rows(visitor, CLINICS, written([header, *corrected]))
    assert len(parsed(exported(visitor, CLINICS))) == 11


@pytest.mark.req("DM-14", "LS-11")
def test_an_export_that_was_changed_updates_what_exists_when_that_is_asked_for(console):
    visitor = logged_in(console)
    header, *rows = parsed(exported(visitor, USERS))
    teams = {row[2] for row in rows} - {""}
    for row, team in zip(rows[:3], sorted(teams), strict=False):
        row[0], row[1], row[2] = f"{row[0]} the younger", "Staff", team
    changed = written([header, *rows])

    plan = upload(visitor, USERS, changed)
    assert "0 rows can be imported." in plan.text
    assert "3 rows already exist." in plan.text
    plan = upload(visitor, USERS, changed, overwrite="on")
    assert "3 rows can be imported." in plan.text
    assert columns(exported(visitor, USERS), 4) != [header[:4], *(row[:4] for row in rows)]
    assert "3 rows were imported." in submitted(visitor, USERS, plan).text
    assert sorted(columns(exported(visitor, USERS), 4)[1:]) == sorted(row[:4] for row in rows)


def written(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";").writerows(rows)
    return text.getvalue().encode("utf-16")


def parsed(data: bytes) -> Rows:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def columns(data: bytes, count: int) -> Rows:
    """Return the first columns, with their header; the service's counts are not carried over."""
    return [row[:count] for row in parsed(data)]


def exported(visitor: Visitor, path: str) -> bytes:
    response = visitor.get(path + "/export")
    assert response.status_code == 200, response.text[:500]
    return response.content


def import_rows(visitor: Visitor, path: str, file: bytes, *, to: str = "") -> None:
    """Import a file in which every row is valid; `to` is the import page if it is not the list's own."""
    plan = upload(visitor, path, file, to=to)
    assert "Can't be imported" not in plan.text, re.sub(r"<[^>]+>", " ", plan.text)
    result = submitted(visitor, path, plan, to=to)
    assert "Not imported" not in result.text, re.sub(r"<[^>]+>", " ", result.text)


def upload(visitor: Visitor, path: str, file: bytes, *, to: str = "", **fields: str) -> requests.Response:
    response = _post(visitor, to or f"{path}/import", fields, files={"file": ("rows.csv", file)})
    step = response.headers["Location"]
    if step.endswith("/values"):  # their rows are left out
        step = visitor.post(step, {}).headers["Location"]
    response = visitor.get(step)
    assert response.status_code == 200, re.sub(r"<[^>]+>", " ", response.text)
    return response


def submitted(
    visitor: Visitor, path: str, page: requests.Response, *, rejected: bool = False, to: str = ""
) -> requests.Response:
    """Submit the page's form for the valid rows, or the one that downloads the rejected rows."""
    form = -1 if rejected else 0
    fields = {
        n: html.unescape(re.findall(rf'name="{n}" value="([^"]*)"', page.text)[form]) for n in ("lines", "form_id")
    }
    response = visitor.post(to or f"{path}/import", fields | ({"rejected": "1"} if rejected else {}))
    if not rejected:
        response = visitor.get(response.headers["Location"])
    assert response.status_code == 200, response.text[:500]
    return response


def _post(
    visitor: Visitor, path: str, fields: dict[str, str], files: dict[str, tuple[str, bytes]]
) -> requests.Response:
    with requests.Session() as session:
        session.trust_env = False
        return session.post(
            f"{visitor.console.url}{path}",
            data={"csrfmiddlewaretoken": FORM_TOKEN, **fields},
            files=files,
            headers={"Accept": "text/html", "Cookie": f"csrf={FORM_TOKEN}; auth={visitor.auth}"},
            allow_redirects=False,
            timeout=60,
        )
