"""Access: nothing without a login, and nothing of another organization, even if the service fails to check."""

import itertools
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest

from groups.labels import PERMISSIONS
from tests.e2e.http_client import CLINICS, FORM_TOKEN, USERS, Visitor, logged_in
from tests.e2e.running import database
from tests.support.routes import IDS, PRIVATE, Route

pytestmark = pytest.mark.slow
STORED = ("expected_id", "entry_id", "review_id", "view_id", "reminder_id", "preset_id")
"""IDs of what the console stores: of these, the first organization has none."""
WORDS = ("action", "decision", "until", "lab_id", "kind")
"""Variable parts of our paths that are not ids, or those of what all organizations share, such as labs."""
OUR_IDS = {name: id for name, id in (IDS | dict.fromkeys(STORED, "999999")).items() if name not in WORDS}
"""The IDs in our paths by name, each with an example from the first organization."""
SIGN_OFF = "/user-manage/review/sign-off"
FOREIGN_NAME = "Only for Other Dental"
"""The name that another organization gives to everything that the console stores for it."""
OPENED = (
    "/scanner-manage/expected/{expected_id}/edit",
    "/saved-view/{view_id}/edit",
    "/user-manage/reminder/{reminder_id}/edit",
    "/user-manage/permissions/presets/{preset_id}/edit",
    "/user-manage/review/signed/{review_id}",
    "/activity/{entry_id}",
)
"""Pages of what they keep, which show it by this name."""


def get_id_names(route: Route) -> list[str]:
    """Return the names of the ids in a path."""
    return [name for name in route.parameters if name not in WORDS]


WITH_IDS = [route for route in PRIVATE if (names := {*get_id_names(route)}) and not names & {"session_id", "import_id"}]
"""Those that answer 404 for another organization's ids.

A session that is not the administrator's has ended. A stored file is tested in groups/tests/test_import_steps.py.
"""

ANSWERS = {"clinic-show": {302}, "review-decide": {302, 303, 422}}
"""Other answers to foreign ids: a redirect to the clinic's users, and to a list that no longer has the user."""


@pytest.fixture(scope="session")
def known() -> dict[str, Any]:
    """Data of another organization, read once because it is the same after every reset of the sandbox."""
    return {}


@pytest.fixture
def foreign_data(console, known):
    """Another organization's ids and the words that would give its people away, as its own administrator reads them."""
    if not known:
        known.update(read_foreign_data(console))
    return known


def read_foreign_data(console):
    other = logged_in(console, email="other@demo.example", password="Other123!")
    clinic = other.get(CLINICS, json=True).json()["item"]["list"]["rows"][0]
    clinic_path = clinic["cells"][0]["href"]
    users = other.get(clinic_path, json=True).json()["item"]["list"]["rows"]
    teams = other.get(f"{CLINICS}/{clinic['id']}/team", json=True).json()["item"]["list"]["rows"]
    scanners = other.get("/scanner-manage", json=True).json()["item"]["list"]["rows"]
    partnerships = other.get("/partner-manage/list/partners", json=True).json()["item"]["list"]["rows"]
    notifications = other.get("/notifications", json=True).json()["item"]["list"]["rows"]
    every = [cell for row in [*users, *scanners] for cell in row["cells"]]
    cells = [text for cell in every for text in (cell["text"], cell.get("note", ""))]
    names = [row["cells"][0]["text"] for row in users]
    assert names
    assert any("@" in text for text in cells)
    return {
        "ids": {
            "clinic_id": clinic["id"],
            "user_id": users[0]["id"],
            "team_id": teams[0]["id"],
            "scanner_id": scanners[0]["id"],
            "partnership_id": partnerships[0]["cells"][0]["href"].rpartition("/")[2],
            "notification_id": notifications[0]["id"],
            **create_foreign_data(console, other, clinic["id"], users[0]["id"]),
        },
        "words": {
            clinic["cells"][0]["text"],
            *names,
            scanners[0]["cells"][0]["text"],
            FOREIGN_NAME,
            *(text for text in cells if "@" in text),
        },
    }


def create_foreign_data(console, other, clinic, user):
    """Let them keep one thing of each kind that the console stores itself, and return the IDs of those."""
    month = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
    settings = dict.fromkeys(PERMISSIONS, "off")
    digest = re.search(r'name="digest" value="([^"]+)"', other.get(SIGN_OFF).text)
    forms = {
        "expected_id": ("expected_serial", "/scanner-manage/expected/new", {"pasted": f"EA9-99999, , {FOREIGN_NAME}"}),
        "view_id": ("saved_view", "/saved-view/new", {"name": FOREIGN_NAME, "back": "/scanner-manage?keyword=ea"}),
        "reminder_id": (
            "reminder",
            f"{CLINICS}/{clinic}/user/{user}/reminder/new",
            {"about": "user", "day": month, "note": FOREIGN_NAME},
        ),
        "preset_id": ("permission_preset", "/user-manage/permissions/presets/new", {"name": FOREIGN_NAME, **settings}),
        "review_id": ("activity", SIGN_OFF, {"note": FOREIGN_NAME, "digest": digest[1] if digest else ""}),
    }
    ids = {}
    for name, (table, path, form) in forms.items():
        before = database(console, f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608 - a name of ours
        answer = other.post(path, form)
        if checked := re.search(r'name="checked" value="([^"]+)"', answer.text):  # what was pasted is looked at first
            answer = other.post(path, form | {"checked": checked[1]})
        assert answer.status_code == 303, path
        # The entry of a bulk act is stored before those of its rows.
        ((ids[name],),) = database(console, f"SELECT min(id) FROM {table} WHERE id > ?", *before[0])  # noqa: S608
        assert ids[name], path
    path_ids = {name: str(id) for name, id in ids.items()} | {"entry_id": str(ids["review_id"])}
    for path in OPENED:
        assert FOREIGN_NAME in other.get(path.format(**path_ids)).text, f"{path} shows nothing to those whose it is"
    return path_ids


@pytest.mark.req("PM-20", "EN-24")
def test_the_ids_of_another_organization_lead_to_nothing(console, sandbox, foreign_data):
    visitor, faults = logged_in(console), {}
    sandbox.careless()
    sandbox.clear_calls()
    for route in WITH_IDS:
        names = get_id_names(route)
        our_ids = tuple(OUR_IDS[name] for name in names)
        foreign = [
            ids
            for ids in itertools.product(*[(OUR_IDS[name], foreign_data["ids"][name]) for name in names])
            if ids != our_ids
        ]
        assert foreign
        assert route.methods
        for ids, method, json in itertools.product(foreign, route.methods, (False, True)):
            url = route.path(**dict(zip(names, ids, strict=True)))
            form = {"allow_order": "off", "name": "x"}
            answer = visitor.get(url, json=json) if method == "GET" else visitor.post(url, form, json=json)
            leaks = [word for word in foreign_data["words"] if word in answer.text]
            if answer.status_code not in ANSWERS.get(route.name, {404}) or leaks:
                faults[method, url, json] = answer.status_code, leaks
    assert faults == {}
    assert len(WITH_IDS) > 50
    assert [call for call in sandbox.calls("/v1/biz") if call["method"] != "GET"] == [], "something was changed"


@pytest.mark.req("PM-20")
def test_the_sessions_of_another_administrator_go_on(console, sandbox):
    sessions = "/my-account/sessions"
    other_visitors = [logged_in(console, email="other@demo.example", password="Other123!") for _ in range(2)]
    ids = re.findall(rf"{sessions}/([^/\"]+)/end", other_visitors[0].get(sessions).text)
    assert ids
    mine = logged_in(console)
    sandbox.careless()
    for session_id in ids:
        for at in ("sessions", "service-sessions"):
            mine.post(f"/my-account/{at}/{session_id}/end")
    mine.post(f"{sessions}/end-others")
    assert [visitor.get(sessions).status_code for visitor in other_visitors] == [200, 200]
    assert re.findall(rf"{sessions}/([^/\"]+)/end", other_visitors[0].get(sessions).text) == ids
    other_visitors[0].post(f"{sessions}/{ids[-1]}/end")
    assert ids[-1] not in other_visitors[0].get(sessions).text, "their own administrator ends it by the same request"


@pytest.mark.req("PM-20")
def test_what_a_browser_says_of_the_organization_changes_nothing(console, sandbox, foreign_data):
    visitor = logged_in(console)
    sandbox.careless()
    sandbox.clear_calls()
    their_clinic = foreign_data["ids"]["clinic_id"]
    for path in (
        f"{CLINICS}?organizationId=o-2&organization_id=o-2",
        f"{CLINICS}?filter=organizationId:o-2",
        f"{USERS}?mainGroupId={their_clinic}&clinic_id={their_clinic}&organizationId=o-2",
        f"{USERS}?team=t-9%26mainGroupId={their_clinic}",
    ):
        for json in (False, True):
            answer = visitor.get(path, json=json)
            assert answer.status_code == (422 if json and "team=" in path else 200)
            assert [word for word in foreign_data["words"] if word in answer.text] == []
    queries = [call["query"] for call in sandbox.calls("/v1/biz")]
    assert {tuple(query["organizationId"]) for query in queries if "organizationId" in query} == {("o-1",)}
    assert {tuple(query["mainGroupId"]) for query in queries if "mainGroupId" in query} == {("g-1",)}


NO_IDS = ("..", "%2e%2e", "g-1%2F..%2Fg-2", "g-1%3Fx=1", "%00", "g-1%0d%0aX-Evil:1", "%20", "g-1;g-2", "\u2024")


@pytest.mark.req("PM-20")
def test_an_id_that_is_no_id_reaches_no_other_address_of_the_service(console, sandbox):
    visitor, faults = logged_in(console), {}
    for clinic in NO_IDS:
        sandbox.clear_calls()
        answer = visitor.get(f"{CLINICS}/{clinic}/edit")  # what no address without an ID ends with
        is_missing = answer.status_code == 404 or (
            answer.status_code == 302 and answer.headers["Location"].startswith("/404?")
        )
        answered = {call["path"] for call in sandbox.calls() if call["status"] == 200}
        # The navigation asks for its counts, for which no id is sent.
        if not is_missing or answered - {"/v1/bizDashboards/summary"}:
            faults[clinic] = answer.status_code, answered
    assert faults == {}


@pytest.mark.req("RT-31", "RT-32", "PM-06", "PM-21")
def test_no_private_page_opens_without_a_login(console, sandbox):
    sandbox.clear_calls()
    faults = {}
    for route, auth in itertools.product(PRIVATE, ("", "0123456789abcdefghijklmnopqrstuv")):
        try:
            check_refusals(Visitor(console, auth), route.path(**OUR_IDS), route.methods)
        except AssertionError as error:
            faults[route.pattern, auth] = str(error)
    assert faults == {}
    assert len(PRIVATE) > 100
    assert sandbox.calls() == []


def check_refusals(visitor, path, methods):
    """Check that a page, its JSON and its form lead to the login, and that an invalid cookie is deleted."""
    if "POST" in methods:
        change = visitor.post(path, {"allow_order": "off"})
        assert change.status_code == 302
        assert change.headers["Location"].startswith("/login?next=%2F")
    if "GET" in methods:
        goto = f"/login?next={quote(path + '?page=2', safe='')}{'&reason=expired' if visitor.auth else ''}"
        page, island = visitor.get(path + "?page=2"), visitor.get(path + "?page=2", json=True)
        assert (page.status_code, page.headers["Location"], page.text) == (302, goto, "")
        assert (island.status_code, island.json()["goto"], island.json()["item"]) == (401, goto, None)
        for answer in (page, island):
            assert answer.headers["Cache-Control"] == "no-store"
            assert ("auth=" in answer.headers.get("Set-Cookie", "")) is bool(visitor.auth)


@pytest.mark.req("PM-21")
def test_no_form_is_taken_without_its_token(console, sandbox):
    visitor = logged_in(console)
    sandbox.clear_calls()
    form = {"csrfmiddlewaretoken": "b" * len(FORM_TOKEN), "allow_order": "off"}
    statuses = {route.pattern: visitor.post(route.path(**OUR_IDS), form).status_code for route in PRIVATE}
    assert {path: status for path, status in statuses.items() if status != 403} == {}
    assert len(statuses) > 100
    assert sandbox.calls() == []


@pytest.mark.req("PM-20")
def test_two_administrators_never_share_an_answer(console, foreign_data):
    mine = logged_in(console)
    other = logged_in(console, email="other@demo.example", password="Other123!")
    for _ in range(5):
        assert "Seoul Central Dental" in mine.get(CLINICS).text
        answer = other.get(CLINICS)
        assert "Seoul Central Dental" not in answer.text
        assert any(word in answer.text for word in foreign_data["words"])
