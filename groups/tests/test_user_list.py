"""The users of a clinic: searched in all fields, by name, team or email; filtered, sorted, paged."""

import gzip
import re
from urllib.parse import parse_qs, urlencode

import pytest

from tests.support import factories

PAGE = "/user-manage/clinic/g-1/user"
CALL = "/v1/bizUsers"


@pytest.mark.req("RT-13", "EN-41", "EN-42", "EN-43", "EN-44", "UC-06", "EN-101")
def test_the_users_are_listed(administrator, visit):
    html = visit(PAGE).response.content.decode()
    for text in ("User 1", "Doctor", "Team 1", "user1@clinic.example", "Active", "Clinic 1"):
        assert text in html
    assert "<bdi translate=no dir=ltr>user1@clinic.example</bdi>" in html
    assert 'title="Search by name, team, or email"' in html, "a narrow field cuts it"


@pytest.mark.req("RT-14", "VA-22")
@pytest.mark.parametrize("field", ["all", "name", "team"])
def test_it_can_be_searched_by(administrator, upstream, field):
    administrator.get(f"{PAGE}?searchField={field}&keyword=ab")
    assert (upstream.query(CALL)["searchField"], upstream.query(CALL)["keyword"]) == ([field], ["ab"])


@pytest.mark.req("RT-14", "VA-22")
def test_it_can_be_searched_by_a_whole_address(administrator, upstream):
    administrator.get(f"{PAGE}?searchField=email&keyword=user1@clinic.example")
    assert upstream.query(CALL)["keyword"] == ["user1@clinic.example"]


@pytest.mark.req("VA-21", "VA-16")
def test_an_incomplete_address_is_reported_and_not_searched(administrator, upstream, visit):
    html = visit(f"{PAGE}?searchField=email&keyword=abc").response.content.decode()
    assert "Invalid email" in html
    assert 'value="abc"' in html
    assert not upstream.calls("GET", CALL)


@pytest.mark.req("VA-21", "VA-16")
@pytest.mark.parametrize(
    "keyword", ["김@clinic.example", "a!b@clinic.example", "kim@clinic.123", "a@b.c", "x" * 70 + "@b.example"]
)
@pytest.mark.parametrize("fields", [[{"field": "keyword", "code": 10002}], []])
def test_an_address_that_only_the_service_refuses_is_invalid_at_the_field(
    administrator, upstream, visit, keyword, fields
):
    upstream.answers("GET", CALL, factories.refusal(10002, fields=fields), status=422)
    for path in (PAGE, "/user-manage/user"):
        page = visit(f"{path}?{urlencode({'searchField': 'email', 'keyword': keyword})}")
        assert page.response.status_code == 200
        assert "Invalid email" in page.response.content.decode()
        assert f'value="{keyword}"' in page.response.content.decode()
        query = {"searchField": "email", "keyword": keyword}
        island = administrator.get(path, query, headers={"Accept": "application/json"})
        assert island.status_code == 200
        assert island.json()["item"]["list"]["search"]["error"] == "Invalid email"


@pytest.mark.req("VA-21")
@pytest.mark.parametrize("query", ["searchField=email&keyword=a@b.example&user_type=DOCTOR", "keyword=kim"])
def test_a_refusal_of_something_else_is_not_called_an_invalid_email(administrator, upstream, query):
    refusal = factories.refusal(10002, fields=[{"field": "userType", "code": 10002}])
    upstream.answers("GET", CALL, refusal, status=422)
    response = administrator.get(f"{PAGE}?{query}")
    assert "Invalid email" not in response.content.decode()


@pytest.mark.req("DM-06", "LS-01")
def test_filters_and_sort_are_passed_on(administrator, upstream):
    query = "user_type=DOCTOR&status=ACTIVE&status=LOCKED&team=t-1&sort=last_login_date&order=desc"
    html = administrator.get(f"{PAGE}?{query}").content.decode()
    upstream_query = upstream.query(CALL)
    assert upstream_query["userType"] == ["DOCTOR"]
    assert upstream_query["status"] == ["ACTIVE", "LOCKED"]
    assert upstream_query["subGroupId"] == ["t-1"]
    assert (upstream_query["sort"], upstream_query["order"], upstream_query["mainGroupId"]) == (
        ["lastLoginDate"],
        ["desc"],
        ["g-1"],
    )
    assert "Team: Team 1" in html


@pytest.mark.req("LS-14")
def test_a_clinic_without_users_offers_to_invite_or_to_import_some(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    html = administrator.get(PAGE).content.decode()
    empty = html[html.index('<div class="empty">') :]
    assert "No users yet." in empty
    assert f'<a class="button" data-variant="primary" href="{PAGE}/new">Invite user</a>' in empty
    assert f'<a class="button" href="{PAGE}/import">Import from a file</a>' in empty
    assert "Invite user</a>" not in administrator.get(PAGE + "?keyword=zzz").content.decode().partition('"empty"')[2]


def test_an_unknown_type_or_status_is_shown_as_it_is(administrator, upstream):
    upstream.answers(
        "GET", CALL, factories.listing([factories.user(status="NEW_ONE", userType="ROBOT", subGroupName=None)])
    )
    html = administrator.get(PAGE, {"columns": "type", "column": "type"}, follow=True).content.decode()
    assert "NEW_ONE" in html
    assert "ROBOT" in html


@pytest.mark.req("LS-04", "CO-16")
def test_a_page_beyond_the_end_shows_the_last_one(administrator, upstream):
    upstream.remove("GET", CALL)
    rows = factories.listing([factories.user()], total=26)
    upstream.answers_in_order("GET", CALL, (200, factories.listing([], total=26)), (200, rows))
    html = administrator.get(f"{PAGE}?page=99").content.decode()
    assert "26 to 26 of 26" in html
    assert upstream.query(CALL)["page"] == ["2"]


def test_a_page_makes_four_calls_whatever_it_shows(administrator, upstream):
    for total in (1, 10_000):
        rows = [factories.user(n) for n in range(25)]
        upstream.answers("GET", CALL, factories.listing(rows, total=total))
        before = len(upstream.calls())
        administrator.get(PAGE)
        assert len(upstream.calls()) - before == 4, "and what waits"


def test_a_row_links_to_the_user_and_to_the_actions(administrator):
    html = administrator.get(PAGE).content.decode()
    assert 'href="user/u-1"' in html
    for path in ("permissions", "edit", "delete"):
        assert f'href="user/u-1/{path}"' in html, "from the address of the list"
    assert f'href="{PAGE}/new"' in html


@pytest.mark.req("RT-41", "DM-07")
def test_a_user_is_shown_next_to_the_list_with_two_more_reads(administrator, upstream, visit):
    before = len(upstream.calls())
    html = visit(f"{PAGE}?status=ACTIVE&user=u-1").response.content.decode()
    assert len(upstream.calls()) - before == 6
    panel = html[html.index('<dialog class="card') : html.index("</dialog>")]
    for text in (
        "User 1",
        "Doctor",
        "user1@<wbr>clinic<wbr>.example",
        "Team 1",
        "On (clinic setting)",
        "View user",
        "/u-1/delete?",
        f'href="{PAGE}?status=ACTIVE" aria-label="Close"',
    ):
        assert text in panel
    back = "?back=%2Fuser-manage%2Fclinic%2Fg-1%2Fuser%3Fstatus%3DACTIVE"
    for path in ("", "/edit", "/permissions", "/delete"):
        assert f'href="{PAGE}/u-1{path}{back}"' in panel
    assert 'href=""' not in panel
    assert html.index("</dialog>") < html.index("data-island="), "the island leaves the panel alone"


@pytest.mark.parametrize("user", ["u-9", "u-2", "../x", "x" * 500, "%00"])
def test_a_panel_without_a_user_leaves_the_list_as_it_is(administrator, upstream, visit, user):
    upstream.answers("GET", "/v1/bizUsers/u-9", factories.refusal(10004), status=404)
    upstream.answers("GET", "/v1/bizUsers/u-2", factories.user(2, mainGroupId="g-2", name="Someone else"))
    html = visit(f"{PAGE}?user={user}").response.content.decode()
    assert "This user no longer exists." in html
    assert "Someone else" not in html
    assert "user1@clinic.example" in html


def test_the_island_reads_no_panel(administrator, upstream):
    before = len(upstream.calls())
    administrator.get(f"{PAGE}?user=u-1", headers={"Accept": "application/json"})
    assert len(upstream.calls()) - before == 3


@pytest.mark.req("DM-06", "EN-79", "EN-80")
def test_users_can_be_filtered_by_role(administrator, upstream):
    html = administrator.get(f"{PAGE}?account_type=2&account_type=3").content.decode()
    assert upstream.query(CALL)["accountType"] == ["2", "3"]
    for chip in ("Role: Group admin", "Role: Group member"):
        assert f">{chip}</span>" in html


@pytest.mark.req("EN-79", "EN-80")
@pytest.mark.parametrize(("kind", "role"), [(2, "Group admin"), (3, "Group member"), (9, "9"), (None, "")])
def test_the_role_of_a_user_is_shown_if_it_is_known(administrator, upstream, kind, role):
    upstream.answers("GET", f"{CALL}/u-1", factories.user(accountType=kind))
    html = administrator.get(f"{PAGE}/u-1").content.decode()
    roles = re.findall(r"<dt>Role</dt>\s*<dd[^>]*>(.*?)</dd>", html, re.S)
    assert [re.sub(r"<.*?>|\s+$|^\s+", "", text) for text in roles] == ([role] if role else [])


def form_fields(html: str) -> list[tuple[str, str]]:
    """Return the values that a browser sends when the search form is submitted unchanged."""
    form = html[html.index('<form class="list-search"') :].partition("</form>")[0]
    pairs = re.findall(r'<input type="hidden" name="(\w+)" value="(.*?)">', form)
    pairs += re.findall(r'<input type=checkbox name="(\w+)" value="([^"]*)" checked>', form)
    for name, options in re.findall(r'<select class="select" name="(\w+)"[^>]*>(.*?)</select>', form):
        chosen = re.findall(r'<option value="([^"]*)" selected>', options)
        assert len(chosen) <= 1, f"a single choice shows one value: {name}"
        pairs += [(name, value) for value in chosen]
    return [(name, value) for name, value in pairs if value]


@pytest.mark.req("DM-07", "LS-01")
@pytest.mark.parametrize(
    ("query", "name"), [("status=ACTIVE&status=INVITED&status=LOCKED", "status"), ("team=t-1&team=t-9", "team")]
)
def test_several_values_of_a_filter_outlive_the_next_search(administrator, query, name):
    html = administrator.get(f"{PAGE}?{query}").content.decode()
    values = parse_qs(query)[name]
    assert sorted(value for key, value in form_fields(html) if key == name) == sorted(values)
    chips = html.partition('<ul class="chips">')[2].partition("</ul>")[0]
    for value in values:
        remaining = urlencode([(name, other) for other in values if other != value])
        assert f'href="{PAGE}?{remaining}"'.replace("&", "&amp;") in chips
    next_html = administrator.get(f"{PAGE}?{urlencode(form_fields(html))}").content.decode()
    assert form_fields(next_html) == form_fields(html)


@pytest.mark.req("DM-05", "LS-01")
@pytest.mark.parametrize(
    ("query", "days", "chip"),
    [
        ("last_login=30", ["30"], "Last login: Not in the last 30 days, or never"),
        ("last_login=90", ["90"], "Last login: Not in the last 90 days, or never"),
        ("last_login=180", ["180"], "Last login: Not in the last 180 days, or never"),
        ("last_login=never", None, "Last login: Never"),
    ],
)
def test_the_filter_for_old_logins_includes_users_who_never_logged_in(administrator, upstream, query, days, chip):
    html = administrator.get(f"{PAGE}?{query}").content.decode()
    assert (upstream.query(CALL).get("inactiveDays"), upstream.query(CALL)["neverLoggedIn"]) == (days, ["true"])
    assert f">{chip}</span>" in html
    (name, value) = query.split("=")
    assert (name, value) in form_fields(html)


@pytest.mark.req("DM-05")
def test_a_user_who_never_logged_in_is_distinguished_from_a_pending_invitation(administrator, upstream):
    invited = factories.user(
        1, status="INVITED", lastLoginDate=None, invitationExpiresDate="2026-11-25T08:30:00Z", email="a@b.example"
    )
    idle = factories.user(2, lastLoginDate=None, invitationExpiresDate="2026-01-25T08:30:00Z")
    upstream.answers("GET", CALL, factories.listing([invited, idle]))
    view = administrator.get(PAGE, headers={"Accept": "application/json"}).json()["item"]["list"]
    names = [column["name"] for column in view["columns"]]
    cells = [dict(zip(names, row["cells"], strict=True)) for row in view["rows"]]
    assert [cell["last_login"] for cell in cells] == [{"text": "Never"}, {"text": "Never"}]
    assert [cell["status"].get("note") for cell in cells] == ["Expires Nov 25, 2026", None]
    assert "<small>Expires Nov 25, 2026</small>" in administrator.get(PAGE).content.decode()


@pytest.mark.req("PM-12", "LS-01")
def test_users_can_be_filtered_by_own_setting_although_the_filter_is_not_offered(administrator, upstream):
    html = administrator.get(f"{PAGE}?own_permission=allow_export&own_permission=allow_order").content.decode()
    assert upstream.query(CALL)["ownPermission"] == ["allowExport", "allowOrder"]
    assert "<span>Own setting: Allow exports</span>" in html
    assert [value for name, value in form_fields(html) if name == "own_permission"] == ["allow_order", "allow_export"]
    assert "own_permission" not in administrator.get(PAGE).content.decode(), "a service need not know it"


@pytest.mark.req("LS-01", "RT-41")
def test_the_rows_are_in_the_page_once_and_the_same_address_answers_them_as_json(administrator):
    html = administrator.get(PAGE).content.decode()
    view = administrator.get(PAGE, headers={"Accept": "application/json"}).json()["item"]["list"]
    assert "application/json" not in html
    for row in view["rows"]:
        assert html.count(f">{row['cells'][0]['note']}<") == 1
    assert view["selection_query"], "what all that match means is signed for each answer"


def test_a_page_of_25_stays_small(administrator, upstream):
    people = [factories.user(n, name=f"Person Number {n}", email=f"person.number{n}@demo.example") for n in range(25)]
    upstream.answers("GET", CALL, factories.listing(people, total=40))
    html = administrator.get(PAGE).content
    assert len(html) <= 64_000, "as it is"
    assert len(gzip.compress(html)) <= 8_000, "as it goes over the line"


def test_dates_are_shown_in_the_readers_zone(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.user(lastLoginDate="2026-11-01T20:30:00Z")]))
    administrator.cookies["tz"] = "Asia/Seoul"
    html = administrator.get(PAGE).content.decode()
    assert "Nov 2, 2026" in html
    assert 'datetime="2026-11-01T20:30Z"' in html
    for strange in ("../../etc/passwd", "Mars/Base", "x" * 500):
        administrator.cookies["tz"] = strange
        assert "Nov 1, 2026" in administrator.get(PAGE).content.decode()


def test_all_forms_of_a_page_have_one_token(administrator):
    """It is masked once: each time costs as much as a row."""
    html = administrator.get(PAGE).content.decode()
    tokens = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
    assert len(tokens) > 2
    assert len(set(tokens)) == 1


@pytest.mark.req("CO-16")
@pytest.mark.parametrize(("total", "sizes", "steps"), [(10, 0, []), (11, 4, []), (30, 4, ["true", None, None, None])])
def test_the_pager_has_no_sizes_for_ten_rows_and_no_empty_step(administrator, visit, upstream, total, sizes, steps):
    upstream.answers("GET", CALL, factories.listing([factories.user(1)], total=total))
    page = visit(PAGE)
    assert len(page.all(".pager-sizes a")) == sizes
    assert [step.attributes.get("aria-hidden") for step in page.all(".pager-pages > li")] == steps


@pytest.mark.req("LS-07")
def test_without_scripts_the_head_has_no_box_to_check_and_an_empty_list_no_bar(administrator, upstream):
    html = administrator.get(PAGE).content.decode()
    (box,) = re.findall(r'<input type=checkbox data-select="page"[^>]*>', html)
    assert " hidden" in box
    (bar,) = re.findall(r'<form class="bulk-bar"[^>]*>', html)
    assert " hidden" not in bar
    upstream.answers("GET", CALL, factories.listing([], total=0))
    html = administrator.get(f"{PAGE}?keyword=zzz").content.decode()
    assert "No matches." in html
    assert not re.search(r'<input[^>]*data-select="page"', html)
    (bar,) = re.findall(r'<form class="bulk-bar"[^>]*>', html)
    assert " hidden" in bar
