"""Several people with one name: their addresses distinguish them in choices and in results."""

import re

import pytest

from tests.support import factories
from tests.support.bulk import ALL_USERS, CALL, USERS, answer_bulk_call, has_rows, next_step
from tests.support.reading import as_read

NAME = "Kim Lee"
FIRST, SECOND = (
    f"\u2068{name}\u2069 (\u2068user{n}@clinic.example\u2069)" for n, name in ((1, NAME), (2, NAME.upper()))
)
ONE = f"{USERS}/u-1"


@pytest.fixture
def administrator(administrator, upstream):
    people = [factories.user(1, name=NAME), factories.user(2, name=NAME.upper()), factories.user(3)]
    has_rows(upstream, CALL, people)
    for number, user in enumerate(people, start=1):
        upstream.answers("GET", f"{CALL}/u-{number}", user)
    settings = factories.permissions(owner="USER", source="MAIN_GROUP")
    upstream.answers("GET", f"{CALL}/u-2/permissions", settings)
    return administrator


def labels(html: str, start: str) -> list[str]:
    return re.findall(rf'{start}[^>]*aria-label="([^"]*)"', html)


@pytest.mark.req("DM-24", "LS-06")
@pytest.mark.parametrize("path", [USERS, ALL_USERS])
def test_boxes_and_menus_of_a_list_name_the_address_if_the_name_is_not_unique(administrator, visit, path):
    html = visit(path).response.content.decode()
    assert labels(html, "<input type=checkbox name=id") == [f"Select {name}" for name in (FIRST, SECOND, "User 3")]
    assert labels(html, '<button popovertarget="menu-') == [f"Actions for {name}" for name in (FIRST, SECOND, "User 3")]


@pytest.mark.req("DM-24")
def test_the_json_of_a_list_names_the_address_too(administrator):
    answer = administrator.get(USERS, headers={"Accept": "application/json"}).json()
    rows = answer["item"]["list"]["rows"]
    assert [row.get("label") for row in rows] == [FIRST, SECOND, None]


@pytest.mark.req("DM-24")
def test_teams_of_the_same_name_are_distinguished_by_their_clinics(administrator, upstream, visit):
    teams = [factories.team(1, name="Front"), factories.team(2, name="Front", mainGroupName="Harbour Clinic")]
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing(teams))
    html = visit("/user-manage/team").response.content.decode()
    assert "Actions for \u2068Front\u2069 (\u2068Harbour Clinic\u2069)" in labels(html, "<button popovertarget")


@pytest.mark.req("LS-08", "DM-02")
def test_plan_and_result_of_a_bulk_action_name_the_addresses(administrator, upstream):
    answer_bulk_call(upstream, f"{CALL}/bulkDelete", ["u-2"])
    plan = administrator.post(f"{USERS}/bulk/delete", {"id": ["u-1", "u-2"]}).content.decode()
    result = administrator.post(f"{USERS}/bulk/delete", next_step(plan), follow=True).content.decode()
    for html in (plan, result):
        for address in ("user1@clinic.example", "user2@clinic.example"):
            assert f'</bdi></span> <span class="muted"><bdi translate=no dir="ltr">{address}</bdi></span>' in html


@pytest.mark.req("LS-15", "DM-17")
@pytest.mark.parametrize(
    "page",
    ["", "/delete", "/lock", "/edit", "/move", "/permissions", "/permissions/copy", "/permissions?copy_from=u-2"],
)
def test_each_page_of_a_user_names_the_address(administrator, visit, page):
    (main,) = re.findall(r"<main.*</main>", visit(ONE + page).response.content.decode(), re.DOTALL)
    assert "user1@clinic.example" in main.partition("<table")[0].replace("<wbr>", "")


@pytest.mark.req("DM-17")
def test_the_source_of_copied_permissions_is_named_with_the_address(administrator, visit):
    html = visit(f"{ONE}/permissions?copy_from=u-2").response.content.decode()
    assert f"Nothing to copy from {SECOND}: no permission would change." in html


@pytest.mark.req("DM-19")
@pytest.mark.parametrize(
    ("page", "call", "form", "message"),
    [
        ("delete", ("DELETE", ""), {}, f"{FIRST} was deleted."),
        ("lock", ("PUT", "/lock"), {}, f"{FIRST} was locked."),
        (
            "move",
            ("PUT", ""),
            {"clinic_id": "g-1", "team_id": "", "teams_of": "g-1"},
            f"{FIRST} was removed from the “",
        ),
    ],
)
def test_a_message_names_the_address(administrator, upstream, page, call, form, message):
    method, path = call
    upstream.answers(method, f"{CALL}/u-1{path}", {"version": 2})
    assert administrator.post(f"{ONE}/{page}", {"version": "1", **form}).status_code == 303
    assert message in as_read(administrator.get(USERS).content.decode())
