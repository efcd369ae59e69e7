"""The columns of a list: hidden and shown again, remembered for that list, left out by page and JSON alike."""

import re
from html import unescape

import pytest

from tests.support import factories
from tests.support.reading import preference_cookie

CLINICS = "/user-manage/clinic"
USERS, TEAMS = f"{CLINICS}/g-1/user", f"{CLINICS}/g-1/team"
ALL_USERS, ALL_TEAMS = "/user-manage/user", "/user-manage/team"
JSON = {"Accept": "application/json"}


def heads(html):
    """Return the heads of the columns as the page shows them, without those of the boxes and the actions."""
    (row,) = re.findall(r"<thead>.*?</thead>", html, re.DOTALL)
    texts = [
        title or re.sub(r"<[^>]*>", "", head)
        for title, head in re.findall(r'<th scope="col"(?:[^>]* title="([^"]*)")?[^>]*>(.*?)</th>', row, re.DOTALL)
    ]
    return [head.strip() for text in texts for head in text.split(" · ") if head.strip()]


def choose(client, path, offered, *visible):
    """Send the form without scripts; return the page that it leads to, whose address doesn't name columns."""
    response = client.get(path, {"columns": offered, "column": visible})
    assert (response.status_code, response.headers["Location"]) == (302, path)
    return client.get(response.headers["Location"]).content.decode()


def form(html):
    """Return the values that the unchanged form of the columns sends, and the columns that it leaves out."""
    (written,) = re.findall(r'<form class="[^"]*" id="columns-.*?</form>', html, re.DOTALL)
    sent = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', written)
    boxes = re.findall(r'name="column" value="(\w+)"( checked)?', written)
    return [*sent, *(("column", name) for name, checked in boxes if checked)], {n for n, c in boxes if not c}


@pytest.mark.req("DM-12")
@pytest.mark.parametrize("path", [CLINICS, USERS, TEAMS, ALL_USERS, ALL_TEAMS])
def test_each_column_of_each_list_but_the_first_can_be_hidden_and_shown_again(administrator, visit, path):
    _query, (_columns, offered), *_visible = form(visit(path).response.content.decode())[0]
    names = offered.split(".")
    html = choose(administrator, path, offered, *names)
    everything, labels = heads(html), dict(re.findall(r'name="column" value="(\w+)"[^>]*>\s*<span>([^<]*)<', html))
    assert len(names) == len(everything) - 1 == len(labels)
    for name in names:
        html = choose(administrator, path, offered, *(other for other in names if other != name))
        assert heads(html) == [head for head in everything if head != labels[name]]
        assert form(html)[1] == {name}
    assert heads(choose(administrator, path, offered)) == everything[:1]
    assert heads(choose(administrator, path, offered, *offered.split("."))) == everything


@pytest.mark.req("DM-12")
def test_hidden_columns_outlive_the_session_and_belong_to_one_list(administrator, log_in):
    chosen = administrator.get(USERS, {"columns": "type.email", "column": "type"}).cookies
    chosen = preference_cookie(chosen, "columns")
    assert (chosen.value, chosen["max-age"], chosen["httponly"]) == ("users-email", 365 * 24 * 3600, True)
    assert not preference_cookie(administrator.get(USERS).cookies, "columns"), "only what changes is sent"
    administrator.get(CLINICS, {"columns": "users.teams", "column": "users"})
    administrator.post("/logout")
    del administrator.cookies["auth"]
    log_in()
    assert "Email" not in heads(administrator.get(USERS).content.decode())
    assert "Teams" not in heads(administrator.get(CLINICS).content.decode())
    assert "Users" in heads(administrator.get(TEAMS).content.decode())


@pytest.mark.req("DM-12")
def test_a_column_that_only_the_other_list_of_users_has_stays_hidden(administrator):
    """The users of all clinics have one more column than those of one."""
    administrator.get(ALL_USERS, {"columns": "clinic.email", "column": "email"})
    administrator.get(USERS, {"columns": "email.team", "column": "team"})
    visible = heads(administrator.get(ALL_USERS).content.decode())
    assert {"Clinic", "Email"}.isdisjoint(visible)
    assert "Team" in visible


@pytest.mark.req("DM-12", "LS-01")
def test_json_leaves_the_same_columns_out(administrator):
    administrator.get(USERS, {"columns": "type.email", "column": "type"}, headers=JSON)
    view = administrator.get(USERS, headers=JSON).json()["item"]["list"]
    assert [column["label"] for column in view["columns"]] == heads(administrator.get(USERS).content.decode())
    assert "Email" not in [column["label"] for column in view["columns"]]
    assert [len(row["cells"]) for row in view["rows"]] == [len(view["columns"])]


@pytest.mark.req("DM-12", "DM-07")
def test_the_query_stays_and_the_address_does_not_name_columns(administrator):
    query = "keyword=ab%26d&status=ACTIVE&status=LOCKED&sort=email&order=desc&page=2"
    html = administrator.get(f"{USERS}?{query}").content.decode()
    sent, _hidden = form(html)
    response = administrator.get(USERS, [(name, unescape(value)) for name, value in sent if value != "email"])
    assert (response.status_code, response.headers["Location"]) == (302, f"{USERS}?{query}")
    html = administrator.get(response.headers["Location"]).content.decode()
    assert "Email" not in heads(html)
    assert 'aria-sort="' not in html, "it is sorted by a column that is not shown"


@pytest.mark.req("DM-12", "SEC-09")
@pytest.mark.parametrize("query", ["a\r\nSet-Cookie: x=y", "//evil.example", "\x00", "%"])
def test_the_form_always_redirects_to_this_list(administrator, query):
    response = administrator.get(USERS, {"columns": "email", "list_query": query})
    assert response.status_code == 302
    assert response.headers["Location"].partition("?")[0] == USERS


@pytest.mark.req("DM-12", "SEC-09")
def test_the_first_column_can_not_be_hidden(administrator):
    everything = heads(administrator.get(USERS).content.decode())
    assert heads(administrator.get(USERS, {"columns": "name"}).content.decode()) == everything
    assert heads(choose(administrator, USERS, "name.email", "email")) == everything


@pytest.mark.req("DM-12", "LS-10", "DM-13")
@pytest.mark.parametrize("path", [USERS, CLINICS])
def test_a_file_has_all_columns(administrator, path):
    def exported():
        return b"".join(administrator.get(f"{path}/export").streaming_content)

    before = exported()
    administrator.get(path, {"columns": "email.country.status"})
    assert exported() == before
    assert before


@pytest.mark.req("DM-12", "DM-17")
def test_a_list_to_choose_a_user_from_shows_all_columns(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers", factories.listing([factories.user(1), factories.user(2)]))
    administrator.get(USERS, {"columns": "email"})
    html = administrator.get(f"{USERS}/u-1/permissions/copy").content.decode()
    assert "Email" in heads(html)
    assert "data-columns" not in html


@pytest.mark.req("DM-12", "SEC-09")
@pytest.mark.parametrize(
    "value",
    ["teams", "teams-", "teams-Email", "teams.email", "-", "x" * 3000, "teams-name", "\xff", "teams" + "-a" * 30],
)
def test_an_odd_cookie_is_ignored(administrator, value):
    everything = heads(administrator.get(TEAMS).content.decode())
    administrator.get(TEAMS, {"columns": "created"})
    administrator.cookies[preference_cookie(administrator.cookies, "columns").key] = value
    assert heads(administrator.get(TEAMS).content.decode()) == everything


@pytest.mark.req("DM-12", "SEC-09")
@pytest.mark.parametrize(
    "query", ["columns=", "columns=A.B", "columns=" + "a." * 99 + "a", "column=type", "columns=a.b"]
)
def test_an_odd_choice_hides_nothing(administrator, query):
    everything = heads(administrator.get(USERS).content.decode())
    assert heads(administrator.get(f"{USERS}?{query}").content.decode()) == everything


@pytest.mark.req("DM-12")
def test_rows_that_are_found_by_a_hidden_column_are_still_found(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers", factories.listing([factories.user()]))
    administrator.get(USERS, {"columns": "email"})
    html = administrator.get(f"{USERS}?searchField=email&keyword=user1@clinic.example").content.decode()
    assert "User 1" in html
    assert "Email" not in heads(html)


@pytest.mark.req("DM-12", "SEC-09")
def test_only_columns_of_the_list_are_remembered(administrator):
    administrator.get(USERS, {"columns": "email.a.b"})
    assert preference_cookie(administrator.cookies, "columns").value == "users-email-type"
    for name in "abcdefghijklmnopqrstuvwxyz":
        cookies = administrator.get(CLINICS, {"columns": f"x{name}.email"}).cookies
        assert not preference_cookie(cookies, "columns")


@pytest.mark.req("DM-12", "DM-10", "SEC-09")
def test_the_link_of_another_site_and_a_question_for_headers_choose_nothing(administrator):
    sent = {"columns": "email", "size": "100"}
    assert not administrator.head(USERS, sent).cookies
    assert not administrator.get(USERS, sent, headers={"Sec-Fetch-Site": "cross-site"}).cookies
    response = administrator.get(USERS, {"size": "100"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert "size=100" in response.content.decode(), "its pages go on with it"
    assert administrator.get(USERS, sent, headers={"Sec-Fetch-Site": "same-origin"}).cookies


@pytest.mark.req("DM-12", "DM-04")
def test_the_email_of_a_user_is_the_second_line_of_the_name_and_still_a_column(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers", factories.listing([factories.user()]))
    html = administrator.get(USERS).content.decode()
    assert heads(html)[:2] == ["Name", "Email"], "both can be sorted by"
    assert "</bdi></a> <small><bdi translate=no dir=ltr>user1@clinic.example</bdi></small></th>" in html
    assert "user1@clinic.example" not in administrator.get(USERS, {"columns": "email"}, follow=True).content.decode()
