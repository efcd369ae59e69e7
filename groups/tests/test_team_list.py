"""The teams of one clinic and of all clinics: searched, sorted, paged, filtered, opened."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support import factories
from tests.support.cases import faults
from tests.support.reading import one_line

CLINIC = "/user-manage/clinic/g-1/team"
ALL = "/user-manage/team"
CALL = "/v1/bizSubGroups"
BOTH = pytest.mark.parametrize("path", [CLINIC, ALL])


@pytest.mark.req("UC-05", "EN-39", "EN-40", "RT-30")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_the_teams_of_a_clinic_are_listed_with_type_and_users(administrator, upstream, visit, lng):
    upstream.answers("GET", CALL, factories.listing([factories.team(userCount=7)]))
    html = visit(CLINIC, lng=lng).response.content.decode()
    for part in ("Team 1", ">General<", ">7<", 'datetime="2026-02-03T08:30Z"', "Clinic 1"):
        assert part in html
    assert 'href="user?team=t-1"' in html
    (call,) = upstream.calls("GET", CALL)
    assert "mainGroupId=g-1" in call.url


@pytest.mark.req("RT-30", "PM-20", "CA-05")
def test_each_team_of_all_clinics_names_its_clinic(administrator, upstream, visit):
    teams = [factories.team(1), factories.team(2, mainGroupId="g-2", mainGroupName="Clinic 2")]
    upstream.answers("GET", CALL, factories.listing(teams))
    html = visit(ALL + "?organizationId=o-2").response.content.decode()
    assert 'href="/user-manage/clinic/g-2/team"' in html
    assert "Clinic 2" in html
    assert 'href="clinic/g-2/user?team=t-2"' in html
    assert 'href="clinic/g-2/team/t-2/edit"' in html
    (call,) = upstream.calls("GET", CALL)
    assert "organizationId=o-1" in call.url
    assert "o-2" not in call.url


def unnamed(*clinics):
    return [factories.team(n, mainGroupId=clinic, mainGroupName="") for n, clinic in enumerate(clinics)]


@pytest.mark.req("RT-30", "EN-39")
def test_clinics_that_the_service_leaves_out_of_teams_are_read_once(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing(unnamed("g-2", "g-1", "g-2")))
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(2), factories.clinic(1)]))
    html = administrator.get(ALL).content.decode()
    assert html.count('<a href="/user-manage/clinic/g-2/team"><bdi translate=no>Clinic 2</bdi></a>') == 2
    assert html.count('<a href="/user-manage/clinic/g-1/team"><bdi translate=no>Clinic 1</bdi></a>') == 1
    (call,) = upstream.calls("GET", "/v1/bizMainGroups")
    query = parse_qs(urlsplit(call.url).query)
    assert (query["ids"], query["organizationId"]) == (["g-2", "g-1"], ["o-1"])


@pytest.mark.req("RT-30")
def test_the_teams_are_shown_even_if_their_clinics_could_not_be_read(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing(unnamed("g-2")))
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=500)
    answer = administrator.get(ALL)
    assert answer.status_code == 200
    assert "Team 0" in answer.content.decode()


@pytest.mark.req("EN-40")
@BOTH
def test_a_type_without_a_name_is_shown_as_its_code(administrator, upstream, path):
    teams = [factories.team(1, teamType="NIGHT_SHIFT"), factories.team(2, teamType="BLANK")]
    upstream.answers("GET", CALL, factories.listing(teams))
    upstream.answers("GET", CALL + "/teamTypes", factories.team_types(GENERAL="General", BLANK=""))
    html = one_line(administrator.get(path).content.decode())
    assert "<bdi translate=no>NIGHT_SHIFT</bdi>" in html
    assert "<bdi translate=no>BLANK</bdi>" in html
    assert 'name="team_type" value="NIGHT_SHIFT"><span>NIGHT_SHIFT</span>' in html, "and can be filtered by"


@pytest.mark.req("EN-40")
@BOTH
@pytest.mark.parametrize("status", [404, 500, 501])
def test_the_list_is_shown_even_if_the_service_has_no_types(administrator, upstream, path, status):
    upstream.answers("GET", CALL, factories.listing([factories.team(teamType="NIGHT_SHIFT")]))
    upstream.answers("GET", CALL + "/teamTypes", {}, status=status)
    assert "<bdi translate=no>NIGHT_SHIFT</bdi>" in administrator.get(path).content.decode()


@pytest.mark.req("LS-01", "LS-03", "LS-05")
@BOTH
def test_it_can_be_searched_sorted_filtered_and_paged(administrator, upstream, path):
    rows = [factories.team(n) for n in range(10)]
    upstream.answers("GET", CALL, factories.listing(rows, total=43, page=2, size=10))
    query = "?keyword=tea&team_type=GENERAL&sort=user_count&order=desc&size=10&page=2"
    html = one_line(administrator.get(path + query).content.decode())
    (call,) = upstream.calls("GET", CALL)
    for part in ("keyword=tea", "teamType=GENERAL", "sort=userCount", "order=desc", "page=2", "size=10"):
        assert part in call.url
    assert "11 to 20 of 43" in html
    assert 'aria-sort="descending"' in html
    assert 'value="tea"' in html
    assert 'name="team_type" value="GENERAL" checked><span>General</span>' in html


@pytest.mark.req("LS-03", "LS-04")
@BOTH
def test_a_query_that_makes_no_sense_is_answered_with_a_page(administrator, path):
    def check(query):
        answer = administrator.get(f"{path}?{query}")
        assert answer.status_code == 200
        assert "Team 1" in answer.content.decode()

    queries = [
        *("sort=nonsense", "page=0", "page=-1", "page=abc", "page=99999", "size=7", "order=up"),
    ]
    assert faults(queries, check, at_least=7) == {}


@pytest.mark.req("LS-01")
@BOTH
def test_it_answers_json_on_the_same_address(administrator, path):
    answer = administrator.get(path, headers={"Accept": "application/json"}).json()
    assert [row["cells"][0]["text"] for row in answer["item"]["list"]["rows"]] == ["Team 1"]


@pytest.mark.req("LS-14")
@BOTH
def test_without_teams_it_says_so(administrator, upstream, path):
    upstream.answers("GET", CALL, factories.listing([]))
    empty = administrator.get(path).content.decode().partition('<div class="empty">')[2]
    assert "No teams yet." in empty
    href, label = (f"{CLINIC}/new", "Add team") if path == CLINIC else ("/user-manage/clinic", "Go to clinics")
    assert f'<a class="button" data-variant="primary" href="{href}">{label}</a>' in empty
    nothing = administrator.get(path + "?keyword=zzz").content.decode()
    assert "No matches." in nothing
    assert f'href="{path}"' in nothing


@pytest.mark.req("LS-14")
@BOTH
def test_a_list_that_could_not_be_read_says_so(administrator, upstream, path):
    upstream.answers("GET", CALL, {}, status=500)
    answer = administrator.get(path)
    assert answer.status_code == 502
    assert "No teams yet." not in answer.content.decode()


@BOTH
def test_a_page_makes_its_calls_and_no_more(administrator, upstream, path):
    before = len(upstream.calls())
    administrator.get(path)
    assert len(upstream.calls()) - before == (4 if path == CLINIC else 3)


@pytest.mark.req("RT-30")
@pytest.mark.parametrize(
    ("path", "current", "tab"),
    [
        (ALL, "/user-manage/team", None),
        (CLINIC, "/user-manage/clinic", CLINIC),
        ("/user-manage/clinic/g-1/user", "/user-manage/clinic", "/user-manage/clinic/g-1/user"),
        ("/user-manage/clinic/g-1/permissions", "/user-manage/clinic", "/user-manage/clinic/g-1/permissions"),
    ],
)
def test_navigation_and_tabs_mark_the_current_page(administrator, path, current, tab):
    html = administrator.get(path).content.decode()
    before, _, main = html.partition("<main")
    navigation = before[before.index('<nav class="navigation"') :]
    assert navigation.count("aria-current") == 1
    assert f'<a href="{current}" aria-current="page">' in navigation
    tabs = main.partition('<nav class="tabs"')[2].partition("</nav>")[0]
    if tab:
        assert tabs.count("<a ") == 6
        assert tabs.count("aria-current") == 1
        assert f'<a href="{tab}" aria-current="page">' in tabs
    else:
        assert not tabs
