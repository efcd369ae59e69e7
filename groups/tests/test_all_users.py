"""The users of all clinics: listed with their clinics, searched, changed together, exported, and returned to."""

import csv
import io
import json
import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.support import factories
from tests.support.page import Page

ALL = "/user-manage/user"
CALL = "/v1/bizUsers"
USER = "/user-manage/clinic/g-2/user/u-2"


@pytest.fixture
def administrator(administrator, upstream):
    second = factories.user(2, mainGroupId="g-2", mainGroupName="Clinic 2", subGroupName="Front desk")
    upstream.answers("GET", CALL, factories.listing([factories.user(1), second]))
    upstream.answers("GET", CALL + "/u-2", second)
    upstream.answers("GET", CALL + "/u-2/permissions", factories.permissions(owner="USER", source="MAIN_GROUP"))
    upstream.answers("GET", "/v1/bizMainGroups/g-2", factories.clinic(2))
    return administrator


@pytest.mark.req("EN-41", "EN-42", "EN-43", "EN-44")
def test_the_users_of_all_clinics_are_listed_with_their_clinics(administrator, upstream):
    html = administrator.get(f"{ALL}?user_type=DOCTOR").content.decode()
    assert '<a href="clinic/g-2/user/u-2"><bdi translate=no>User 2</bdi></a>' in html
    assert "user2@clinic.example" in html[html.index("<tbody>") :]
    assert '<a href="/user-manage/clinic/g-2/user"><bdi translate=no>Clinic 2</bdi></a>' in html
    assert "Front desk" in html
    assert upstream.query(CALL)["organizationId"] == ["o-1"]
    assert upstream.query(CALL)["userType"] == ["DOCTOR"]
    assert not {"mainGroupId", "subGroupId"} & set(upstream.query(CALL))
    assert 'data-filter="team"' not in html
    assert f'<a href="{ALL}" aria-current="page">' in html


@pytest.mark.req("DM-06", "DM-07", "LS-01")
def test_users_can_be_filtered_by_clinic(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(n) for n in (1, 2, 3)]))
    html = administrator.get(f"{ALL}?clinic=g-1&clinic=g-2&status=ACTIVE&status=LOCKED").content.decode()
    assert upstream.query(CALL)["mainGroupId"] == ["g-1", "g-2"]
    assert upstream.query(CALL)["organizationId"] == ["o-1"]
    assert upstream.query(CALL)["status"] == ["ACTIVE", "LOCKED"]
    assert 'data-filter="team"' not in html
    assert ticked(html) == [("clinic", "g-1"), ("clinic", "g-2"), ("status", "ACTIVE"), ("status", "LOCKED")]
    for chip in ("Clinic: Clinic 1", "Clinic: Clinic 2", "Status: Active", "Status: Locked"):
        assert f">{chip}</span>" in html
    assert 'aria-label="Find a clinic"' in html


@pytest.mark.req("DM-06", "DM-07")
def test_if_one_clinic_is_chosen_its_teams_can_be_chosen(administrator, upstream):
    html = administrator.get(f"{ALL}?clinic=g-1&team=t-1").content.decode()
    assert (upstream.query(CALL)["mainGroupId"], upstream.query(CALL)["subGroupId"]) == (["g-1"], ["t-1"])
    assert upstream.query("/v1/bizSubGroups")["mainGroupId"] == ["g-1"]
    assert ticked(html) == [("clinic", "g-1"), ("team", "t-1")]
    assert ">Team: Team 1</span>" in html
    filters = re.findall(r'data-filter="(\w+)"', html)
    assert (filters[0], filters[-1]) == ("clinic", "team"), "the teams of a clinic move no other filter"
    chips = re.findall(r'href="([^"]+)" aria-label="Remove the “', html)
    assert [unescape(href) for href in chips] == [ALL, f"{ALL}?clinic=g-1"], "without its clinic a team means nothing"


@pytest.mark.req("LS-14", "PM-20")
@pytest.mark.parametrize("status", [404, 500])
def test_a_filter_whose_choices_cannot_be_read_leaves_the_list(administrator, upstream, status):
    for path in ("/v1/bizMainGroups", "/v1/bizSubGroups"):
        upstream.answers("GET", path, factories.refusal(10000), status=status)
    html = administrator.get(f"{ALL}?clinic=g-9&team=t-9").content.decode()
    assert "User 1" in html
    assert ticked(html) == [("clinic", "g-9"), ("team", "t-9")]
    assert "raw words" not in html


@pytest.mark.req("LS-01", "CO-18")
def test_while_typing_a_search_only_the_chosen_clinics_are_read(administrator, upstream):
    as_json = {"Accept": "application/json"}
    before = len(upstream.calls("GET"))
    view = administrator.get(ALL, headers=as_json).json()["item"]["list"]
    assert len(upstream.calls("GET")) - before == 1
    (clinics,) = [item for item in view["filters"] if item["name"] == "clinic"]
    assert clinics["options"] == []
    view = administrator.get(f"{ALL}?clinic=g-1", headers=as_json).json()["item"]["list"]
    assert upstream.query("/v1/bizMainGroups")["ids"] == ["g-1"]
    assert [chip["label"] for chip in view["chips"]] == ["Clinic: Clinic 1"]


@pytest.fixture
def many_clinics(upstream):
    """A service with more clinics than it returns at once."""
    clinics = [factories.clinic(n, name=f"Clinic {n}") for n in range(1, 1201)]

    def answer(request):
        query = parse_qs(urlsplit(request.url).query)
        keyword, ids = query.get("keyword", [""])[0].casefold(), query.get("ids")
        matches = [c for c in clinics if keyword in c["name"].casefold() and (not ids or c["id"] in ids)]
        page = matches[: int(query["size"][0])]
        return 200, {}, json.dumps(factories.listing(page, total=len(matches), size=int(query["size"][0])))

    upstream.remove("GET", "/v1/bizMainGroups")
    upstream.callback("GET", "/v1/bizMainGroups", answer)


def offered(html):
    return re.findall(r'type=checkbox name="clinic" value="([^"]*)"', html)


@pytest.mark.req("DM-06", "DM-07")
def test_only_a_few_of_many_clinics_and_the_chosen_ones_are_rendered(administrator, upstream, many_clinics):
    few = len(administrator.get(f"{ALL}?find_clinic=clinic+1200").content)
    before = len(upstream.calls())
    html = administrator.get(ALL).content.decode()
    assert len(upstream.calls()) - before == 3, "the users, one page of clinics, and what waits"
    assert len(offered(html)) == 50
    assert len(html.encode()) - few < 6_000
    assert re.search(r'<input [^>]*data-find name="find_clinic" value="">', html), "found without scripts, too"

    before = len(upstream.calls())
    html = administrator.get(f"{ALL}?clinic=g-1200&clinic=g-2").content.decode()
    assert len(upstream.calls()) - before == 4, "and those that are chosen"
    assert upstream.query("/v1/bizMainGroups")["ids"] == ["g-1200"], "the other one is there already"
    assert ticked(html) == [("clinic", "g-1200"), ("clinic", "g-2")]
    for chip in ("Clinic: Clinic 1200", "Clinic: Clinic 2"):
        assert f">{chip}</span>" in html


@pytest.mark.req("DM-06", "DM-07")
def test_one_of_many_clinics_is_found_by_its_name(administrator, upstream, many_clinics):
    html = administrator.get(f"{ALL}?clinic=g-7&find_clinic=+Clinic+119%22").content.decode()
    assert upstream.query(CALL)["mainGroupId"] == ["g-7"], "what is looked for there is no search for users"
    assert 'name="find_clinic" value="Clinic 119&#34;"' in html
    assert offered(html) == ["g-7"]
    html = administrator.get(f"{ALL}?clinic=g-7&find_clinic=CLINIC+119").content.decode()
    assert offered(html) == ["g-7", "g-119", *(f"g-{n}" for n in range(1190, 1200))]
    assert upstream.query("/v1/bizMainGroups") == {
        "organizationId": ["o-1"],
        "page": ["1"],
        "size": ["100"],
        "ids": ["g-7"],
    }
    html = administrator.get(f"{ALL}?find_clinic=nowhere").content.decode()
    assert offered(html) == []
    assert 'name="find_clinic" value="nowhere"' in html
    assert '<p class="muted" role="status">No matches.</p>' in html


@pytest.mark.req("DM-06", "CO-18")
def test_while_typing_the_name_of_a_clinic_only_matches_are_returned(administrator, upstream, many_clinics):
    as_json = {"Accept": "application/json"}
    before = len(upstream.calls("GET"))
    view = administrator.get(f"{ALL}?find_clinic=clinic+1200", headers=as_json).json()["item"]["list"]
    assert len(upstream.calls("GET")) - before == 2
    (clinics,) = [item for item in view["filters"] if item["name"] == "clinic"]
    assert clinics["options"] == [{"value": "g-1200", "label": "Clinic 1200", "selected": False}]


@pytest.mark.req("LS-14")
def test_chosen_clinics_that_cannot_be_read_leave_the_others_to_choose_from(administrator, upstream):
    def answer(request):
        if "ids=" in request.url:
            return 500, {}, "{}"
        return 200, {}, json.dumps(factories.listing([factories.clinic(1)]))

    upstream.remove("GET", "/v1/bizMainGroups")
    upstream.callback("GET", "/v1/bizMainGroups", answer)
    assert offered(administrator.get(f"{ALL}?clinic=g-9").content.decode()) == ["g-1", "g-9"]


@pytest.mark.req("LS-10", "DM-13", "LS-06")
def test_the_export_and_all_matches_use_every_value_of_the_filters(administrator, upstream):
    upstream.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team(1), factories.team(2)]))
    filters = "clinic=g-1&team=t-1&team=t-2&user_type=DOCTOR&user_type=STAFF&status=ACTIVE&last_login=30"
    sent = {
        "mainGroupId": ["g-1"],
        "subGroupId": ["t-1", "t-2"],
        "userType": ["DOCTOR", "STAFF"],
        "status": ["ACTIVE"],
        "inactiveDays": ["30"],
        "neverLoggedIn": ["true"],
    }
    assert administrator.get(f"{ALL}/export?{filters}").status_code == 200
    assert sent.items() <= upstream.query(CALL).items()
    page = administrator.get(f"{ALL}?{filters}").content.decode()
    form = dict(re.findall(r'name="(query|all)" value="([^"]*)"', page))
    before = len(upstream.calls("GET", CALL))
    plan = administrator.post(f"{ALL}/bulk/type", {k: unescape(v) for k, v in form.items()})
    assert plan.status_code == 200
    assert len(upstream.calls("GET", CALL)) > before
    assert sent.items() <= upstream.query(CALL).items()


def ticked(html):
    """Return the ticked boxes of filters."""
    return re.findall(r'<input type=checkbox name="((?!column")\w+)" value="([^"]*)" checked>', html)


def test_clinics_that_the_service_leaves_out_of_users_are_read_a_hundred_at_a_time(administrator, upstream):
    rows = [factories.user(n, mainGroupId=f"g-{n}", mainGroupName="") for n in range(1, 131)]
    upstream.answers("GET", CALL, factories.listing(rows, size=100))
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(7)]))
    file = io.StringIO(administrator.get(f"{ALL}/export").getvalue().decode("utf-8-sig"))
    assert [row[2] for row in list(csv.reader(file))[1:] if row[2]] == ["Clinic 7"]
    sizes = [len(parse_qs(urlsplit(call.url).query)["ids"]) for call in upstream.calls("GET", "/v1/bizMainGroups")]
    assert sorted(sizes) == [30, 100]
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=500)
    assert administrator.get(ALL).status_code == 200
    assert administrator.get(f"{ALL}/export").status_code == 502, "a file without clinics could not come back"


@pytest.mark.req("LS-10", "DM-13")
def test_the_file_has_what_an_import_of_all_clinics_needs(administrator):
    response = administrator.get(f"{ALL}/export?user_type=DOCTOR")
    head, *rows = csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig")))
    assert {"Name", "Type", "Email", "Clinic", "Team"} <= set(head)
    assert rows[1][:4] == ["User 2", "Doctor", "Clinic 2", "Front desk"]


@pytest.mark.req("LS-14")
def test_an_organization_without_users_gets_a_link_to_the_invitation(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    empty = administrator.get(ALL).content.decode().partition('<div class="empty">')[2]
    assert '<a class="button" data-variant="primary" href="/user-manage/user/new">Invite user</a>' in empty
    assert '<a class="button" href="/user-manage/user/import">Import from a file</a>' in empty


@pytest.mark.req("LS-13")
def test_a_user_of_any_clinic_is_shown_next_to_the_list(administrator):
    panel = open_panel(administrator, "status=ACTIVE&user=u-2")
    assert "user2@clinic.example" in panel
    assert "Clinic 2" in panel
    back = urlencode({"back": f"{ALL}?status=ACTIVE"})
    assert f'href="{USER}/edit?{back}"' in panel
    assert f'data-close href="{ALL}?status=ACTIVE"' in panel


def open_panel(administrator, query="user=u-2"):
    html = administrator.get(f"{ALL}?{query}").content.decode().replace("<wbr>", "")
    return html[html.index('<dialog class="card') : html.index("</dialog>", html.index("<main"))]


@pytest.mark.req("PM-20")
def test_a_user_of_another_organization_is_not_shown_next_to_the_list(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-2", factories.clinic(2, organizationId="o-9"))
    assert "user2@clinic.example" not in open_panel(administrator)
    assert "This user no longer exists." in open_panel(administrator)


def test_a_user_who_could_not_be_read_is_not_reported_as_gone(administrator, upstream):
    upstream.answers("GET", CALL + "/u-2/permissions", {}, status=500)
    panel = open_panel(administrator)
    assert "user2@clinic.example" in panel
    assert "t load this. Try again in a moment." in panel
    upstream.answers("GET", CALL + "/u-2", {}, status=500)
    panel = open_panel(administrator)
    assert "t load this. Try again in a moment." in panel
    assert "no longer here" not in panel


def test_the_side_panel_names_the_clinic_even_if_the_service_leaves_it_out_of_the_user(administrator, upstream):
    upstream.answers("GET", CALL + "/u-2", factories.user(2, mainGroupId="g-2", mainGroupName=""))
    assert "Clinic 2" in open_panel(administrator)


def test_a_user_without_a_clinic_is_shown_without_links(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.user(1, mainGroupId="", mainGroupName="")]))
    html = administrator.get(ALL).content.decode()
    row = html[html.index("<tbody>") : html.index("</tbody>")]
    assert "User 1" in row
    assert "href" not in row
    assert not any("ids=" in call.url for call in upstream.calls("GET", "/v1/bizMainGroups"))
    assert administrator.get(f"{ALL}/export").status_code == 200


@pytest.mark.req("LS-13")
def test_the_return_url_leaves_out_the_user_in_the_side_panel(administrator):
    html = administrator.get(f"{USER}/edit", headers={"Referer": f"http://testserver{ALL}?user=u-1&page=2"}).content
    assert f'name="back" value="{ALL}?page=2"' in html.decode()
    plan = administrator.post(f"{ALL}/bulk/delete", {"id": ["u-1"], "back": f"{ALL}?user=u-1&page=2"}).content.decode()
    assert f'name="back" value="{ALL}?page=2"' in plan


@pytest.mark.req("LS-13")
@pytest.mark.parametrize("back", [f"{ALL}?status=ACTIVE", "/user-manage/clinic?country_code=KR"])
def test_an_import_of_all_clinics_returns_to_either_list(administrator, back):
    html = administrator.get(f"{ALL}/import", headers={"Referer": f"http://testserver{back}"}).content.decode()
    assert f'href="{back}"' in html[html.index("<main") :]


@pytest.mark.req("LS-13")
@pytest.mark.parametrize("page", ["", "/edit", "/delete", "/permissions"])
@pytest.mark.parametrize("query", ["", "?status=ACTIVE&page=2"])
def test_the_pages_of_a_user_return_to_the_list_they_were_opened_from(administrator, page, query):
    html = administrator.get(f"{USER}{page}", headers={"Referer": f"http://testserver{ALL}{query}"}).content.decode()
    main = html[html.index("<main") :]
    assert f'"{(ALL + query).replace("&", "&amp;")}"' in main
    links = re.findall(rf'href="({USER}[^"]*)"', main)
    assert links or not page, "the crumbs"
    carried = urlencode({"back": ALL + query})
    assert [link for link in links if link.partition("?")[2].split("&amp;")[-1] != carried] == []


@pytest.mark.req("DM-01", "LS-08", "LS-09")
def test_users_of_several_clinics_are_changed_together(administrator, upstream):
    bulk = f"{ALL}/bulk/permissions"
    upstream.callback("POST", f"{CALL}/bulkPermissions", done)
    page = administrator.get(f"{ALL}?user_type=DOCTOR").content.decode()
    (query,) = re.findall(r'name="query" value="([^"]*)"', page)
    plan = administrator.post(bulk, {"all": "1", "query": unescape(query)}).content.decode()
    assert upstream.query(CALL)["userType"] == ["DOCTOR"]
    assert upstream.query(CALL)["organizationId"] == ["o-1"]
    assert "2 users selected" in plan
    form = {
        name: unescape(re.findall(rf'name="{name}" value="([^"]*)"', plan)[0]) for name in ("job", "form_id", "back")
    }
    html = administrator.post(bulk, {**form, "allow_export": "off"}, follow=True).content.decode()
    assert "Permissions changed for 2 users." in html
    (call,) = upstream.calls("POST", f"{CALL}/bulkPermissions")
    assert json.loads(call.body) == {"ids": ["u-1", "u-2"], "permissions": {"allowExport": False}}


def done(request):
    ids = json.loads(request.body)["ids"]
    body = {"resultCount": len(ids), "okCount": len(ids), "results": [{"id": id, "ok": True} for id in ids]}
    return 200, {}, json.dumps(body)


def test_a_team_of_one_clinic_is_not_offered_to_all(administrator):
    html = administrator.get(ALL).content.decode()
    assert f'formaction="{ALL}/bulk/move-to-clinic"' in html
    assert f'formaction="{ALL}/bulk/move"' not in html
    assert administrator.post(f"{ALL}/bulk/move", {"id": ["u-1"]}).status_code == 404


def test_a_page_makes_its_calls_and_no_more(administrator, upstream):
    before = len(upstream.calls())
    administrator.get(ALL)
    assert len(upstream.calls()) - before == 3, "the users, the clinics to choose from, and what waits"


@pytest.mark.parametrize("query", ["user=", "user"])
def test_an_address_that_names_no_user_shows_no_panel(administrator, query):
    html = administrator.get(f"{ALL}?{query}").content.decode()
    assert 'id="panel-title"' not in html
    assert 'id="panel-title"' in administrator.get(f"{ALL}?user=nobody").content.decode()


def lit(html):
    """Return the current entries of the side menu."""
    return re.findall(r'<a href="([^"]*)" aria-current="page"><svg', html)


@pytest.mark.req("LS-13")
@pytest.mark.parametrize("path", ["", "/edit", "/move", "/permissions", "/delete"])
def test_the_path_of_a_page_decides_its_entry_in_the_menu(administrator, path):
    for came_from in (f"{ALL}?status=ACTIVE", "/user-manage/team", ""):
        assert lit(administrator.get(f"{USER}{path}", {"back": came_from}).content.decode()) == ["/user-manage/clinic"]


@pytest.mark.req("LS-13")
def test_a_list_is_in_its_own_part_of_the_menu_wherever_it_was_opened_from(administrator):
    for path, part in (("/user-manage/clinic/g-2/user", "/user-manage/clinic"), (ALL, ALL)):
        for came_from in (ALL, "/user-manage/clinic"):
            html = administrator.get(path, headers={"Referer": f"http://testserver{came_from}"}).content.decode()
            assert lit(html) == [part]


@pytest.mark.req("LS-03", "LS-04", "DM-41")
@pytest.mark.parametrize(("query", "remaining"), [("clinic=gone", ""), ("clinic=gone&clinic=g-1", "?clinic=g-1")])
def test_a_clinic_that_is_gone_is_reported_and_can_be_removed(administrator, upstream, visit, query, remaining):
    def users(request):
        clinics = re.findall("mainGroupId=([^&]*)", request.url)
        if "gone" in clinics:
            return 404, {}, json.dumps(factories.refusal(10004))
        return 200, {}, json.dumps(factories.listing([factories.user(1)]))

    def clinics(request):
        ids = re.findall("[?&]ids=([^&]*)", request.url)
        rows = [factories.clinic(1)] if "g-1" in ids or not ids else []
        return 200, {}, json.dumps(factories.listing(rows))

    for path, answer in ((CALL, users), ("/v1/bizMainGroups", clinics)):
        upstream.remove("GET", path)
        upstream.callback("GET", path, answer)
    page = visit(f"{ALL}?{query}")
    assert page.texts("[data-notice]") == [
        "This link has a filter that no longer exists: Clinic gone. Remove it from the link"
    ]
    assert page.one("[data-notice] a").attributes["href"] == f"{ALL}{remaining}"
    assert administrator.get(f"{ALL}?{query}", headers={"Accept": "application/json"}).status_code == 422
    for kind in ("", "/xlsx"):
        assert administrator.get(f"{ALL}/export{kind}?{query}").status_code == 422


@pytest.mark.req("LS-03", "LS-04")
def test_anything_missing_other_than_the_clinics_is_still_not_found(administrator, upstream):
    upstream.answers("GET", CALL, factories.refusal(10004), status=404)
    assert administrator.get(f"{ALL}?clinic=g-1").status_code == 404


@pytest.mark.req("DM-06", "DM-13")
def test_without_scripts_the_form_of_the_filters_sends_them_all_at_once(administrator, upstream):
    form = Page.from_response(administrator.get(ALL)).form(".list-search")
    assert (form.method, form.action, form.options("team")) == ("get", ALL, {})
    assert form.options("clinic") == {"g-1": "Clinic 1"}
    query = {**form.values, "clinic": "g-1", "status": ["LOCKED", "INVITED"]}
    assert set(query["status"]) < set(form.options("status"))
    page = Page.from_response(administrator.get(ALL, query))
    assert len(page.all(".chips > li")) == 3
    form = page.form(".list-search")
    assert form.options("team") == {"t-1": "Team 1"}
    page = Page.from_response(administrator.get(ALL, {**form.values, "team": "t-1"}))
    assert len(page.all(".chips > li")) == 4
    query = upstream.query(CALL)
    sent = (query["mainGroupId"], query["subGroupId"], sorted(query["status"]))
    assert sent == (["g-1"], ["t-1"], ["INVITED", "LOCKED"])


def test_a_browser_translates_no_names_in_filters_chips_and_choices(administrator, visit):
    page = visit("/user-manage/user?clinic=g-1&team=t-1")
    for name in ("clinic", "team"):
        choices = [box.parent.css_first("span") for box in page.all(f"input[type=checkbox][name={name}]")]
        assert {choice.attributes.get("translate") for choice in choices} == {"no"}
    assert [chip.attributes.get("translate") for chip in page.all(".chips span")] == ["no", "no"]
    assert all("translate" not in words.attributes for words in page.all("input[name=status]+span"))
    for field in ("clinic_id", "team_id"):
        form = visit("/user-manage/clinic/g-1/user/u-1/move")
        assert form.one(f"select[name={field}]").attributes["translate"] == "no"
