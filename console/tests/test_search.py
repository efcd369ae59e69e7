"""The search of the whole console: each kind separately, pages by their words, and no keyword in a log."""

import json
import logging
import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from console.config.logging import JsonFormatter
from tests.support import factories
from tests.support.reading import one_line
from upstream.nouns import plain

LISTS = {
    "clinics": "/v1/bizMainGroups",
    "teams": "/v1/bizSubGroups",
    "users": "/v1/bizUsers",
    "scanners": "/v1/bizScanners",
    "labs": "/v1/bizPartnerLists",
}
NONE = factories.listing([])


@pytest.fixture
def administrator(administrator, upstream):
    upstream.has_lab()
    return administrator


def search_json(client, keyword, **more):
    """Return the JSON for the dialog: the whole response, and the groups by their names."""
    response = client.get("/search", {"q": keyword, **more}, headers={"Accept": "application/json"})
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    item = response.json()["item"]
    return item, {group["name"]: group for group in item["groups"]}


def searched_urls(upstream):
    return [call.path_url for call in upstream.calls("GET") if "keyword=" in call.url]


def nothing_but(upstream, **answers):
    for kind, path in LISTS.items():
        upstream.remove("GET", path)
        upstream.answers("GET", path, answers.get(kind, NONE))


@pytest.mark.req("DM-46")
def test_all_kinds_are_read_concurrently_by_one_call_each(administrator, upstream):
    _item, groups = search_json(administrator, "one")
    assert sorted(path.split("?")[0] for path in searched_urls(upstream)) == sorted(LISTS.values())
    assert all("searchField=all&keyword=one" in path and "size=10" in path for path in searched_urls(upstream))
    assert {name: group["hits"][0]["href"] for name, group in groups.items()} == {
        "clinics": "/user-manage/clinic/g-1/user",
        "teams": "/user-manage/clinic/g-1/user?team=t-1",
        "users": "/user-manage/clinic/g-1/user/u-1",
        "scanners": "/scanner-manage/s-1",
        "labs": "/partner-manage/lab/l-1",
    }


@pytest.mark.req("DM-46")
def test_details_distinguish_objects_of_the_same_name(administrator):
    _item, groups = search_json(administrator, "one")
    details = {name: group["hits"][0]["details"] for name, group in groups.items()}
    user, scanner = factories.user(), factories.scanner()
    assert details["users"] == [user["email"], user["mainGroupName"]]
    assert details["scanners"][-1] == "Pending"
    assert scanner["model"] in details["scanners"]
    assert all(text for texts in details.values() for text in texts), "what is not known leaves no gap"


@pytest.mark.req("DM-46")
def test_five_of_a_kind_are_shown_and_a_link_leads_to_all_in_its_list(administrator, upstream):
    nothing_but(upstream, users=factories.listing([factories.user(n) for n in range(1, 11)], total=1234))
    item, groups = search_json(administrator, "a & b")
    assert len(groups["users"]["hits"]) == 5
    assert groups["users"]["count"] == "1,234"
    assert groups["users"]["more"] == {"label": "See all results in Users", "href": "/user-manage/user?keyword=a+%26+b"}
    assert item["messages"] == ["1,234 results"]
    html = unescape(administrator.get("/user-manage/user?keyword=a+%26+b").content.decode())
    assert 'value="a & b"' in html, "the list takes the keyword"


@pytest.mark.req("DM-46")
def test_all_labs_are_linked_if_none_of_the_own_list_is_found(administrator, upstream):
    nothing_but(upstream)
    item, groups = search_json(administrator, "zzzz")
    assert item["messages"] == ["No matches."]
    assert {name: group["more"]["href"] for name, group in groups.items()} == {
        "labs": "/partner-manage/search?keyword=zzzz"
    }


@pytest.mark.req("DM-46")
@pytest.mark.parametrize("kind", LISTS)
def test_a_kind_that_fails_is_reported_in_its_group_and_hides_no_other(administrator, upstream, kind):
    upstream.remove("GET", LISTS[kind])
    upstream.answers("GET", LISTS[kind], {}, status=500)
    item, groups = search_json(administrator, "one")
    failed = [name for name, group in groups.items() if group["failed"]]
    assert failed == [kind]
    assert groups[kind]["failed"] == "Couldn't load this."
    assert groups[kind]["more"] == {"label": "Try again", "href": "/search?q=one"}
    assert item["messages"] == ["4 results", f"{kind.capitalize()}: Couldn't load this."]
    assert all(group["hits"] for name, group in groups.items() if name != kind)


@pytest.mark.req("DM-46")
@pytest.mark.parametrize("lists", [{"status": 500}, {"status": 404}, {"body": "no list"}])
def test_if_nothing_can_be_read_the_page_reports_it(administrator, upstream, visit, lists):
    for path in LISTS.values():
        upstream.remove("GET", path)
        upstream.answers("GET", path, lists.get("body"), status=lists.get("status", 200))
    html = unescape(visit("/search?q=one").response.content.decode())
    assert html.count("Try again") == len(LISTS)
    assert "No matches." not in html, "no one knows that"


@pytest.mark.req("DM-46")
@pytest.mark.parametrize("keyword", ["김", "李", "あ", "ア", "ก", "𠮷", "ສ", "ｱ", " \u3000金\u200b"])
def test_one_character_that_may_be_a_word_is_searched_for(administrator, upstream, keyword):
    search_json(administrator, keyword)
    assert len(searched_urls(upstream)) == len(LISTS)


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    "gap", ["\u3000", "\xa0", "\t", "\u2009", "\u202f", "\u2028", "\u1680", "\u3164", "  ", "\u200b", " \u00ad "]
)
def test_all_kinds_of_blanks_between_words_are_equal(administrator, upstream, gap):
    search_json(administrator, f"Anna{gap}Schmidt")
    assert upstream.query(LISTS["scanners"])["keyword"] == ["Anna Schmidt"]
    assert {upstream.query(LISTS[kind])["keyword"][0] for kind in LISTS if kind != "scanners"} == {"Schmidt"}
    administrator.get("/user-manage/user", {"keyword": f"Anna{gap}Schmidt"})
    assert upstream.query(LISTS["users"])["keyword"] == ["Schmidt"]


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("entered", "keyword"),
    [
        ("Sch\u200bmi\u00addt\ufe0f", "Schmidt"),
        ("\u202eAnna\u202c\ufeff", "Anna"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("a\u200cb", "ab"),
        ("🫨🪿", "🫨🪿"),
        ("\ue000x", "\ue000x"),
    ],
)
def test_invisible_characters_are_not_searched_for(administrator, upstream, entered, keyword):
    administrator.get("/user-manage/user", {"keyword": entered})
    assert upstream.query(LISTS["users"])["keyword"] == [keyword]


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("entered", "keyword"),
    [
        ("Mu\u0308ller", "Müller"),
        ("\u1112\u1161\u11ab\u1102\u1161", "한나"),
        ("か\u3099", "が"),
        ("Nguye\u0302\u0303n", "Nguyễn"),
        ("e\u0301" * 60, "é" * 60),
    ],
)
def test_each_character_is_searched_for_in_one_spelling(administrator, upstream, entered, keyword):
    administrator.get("/user-manage/user", {"keyword": entered})
    assert upstream.query(LISTS["users"])["keyword"] == [keyword]
    upstream.clear_calls()
    search_json(administrator, entered)
    assert upstream.query(LISTS["users"])["keyword"] == [keyword]


@pytest.mark.req("DM-46")
@pytest.mark.parametrize("keyword", ["", " ", "k", " k ", "\x00k", "k\u200b", "\ufeffk\u3164"])
def test_less_than_two_characters_are_not_searched_for(administrator, upstream, keyword):
    item, groups = search_json(administrator, keyword)
    assert searched_urls(upstream) == []
    assert item["messages"] == (["Enter at least two characters."] if "k" in keyword else [])
    assert list(groups) == ([] if "k" in keyword else ["pages"])


@pytest.mark.req("DM-46")
def test_without_a_keyword_there_are_starting_points(administrator):
    _item, groups = search_json(administrator, "")
    addresses = {hit["label"]: hit["href"] for hit in groups["pages"]["hits"]}
    assert addresses["Invite user"] == "/user-manage/user/new"
    assert "Users" not in addresses, "the navigation has it"


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("keyword", "first"),
    [("users", "Users"), ("INV", "Invite user"), ("user invite", "Invite user"), ("my acc", "My account")],
)
def test_a_page_is_found_by_its_words_without_a_call_of_its_own(administrator, upstream, keyword, first):
    nothing_but(upstream)
    _item, groups = search_json(administrator, keyword)
    assert groups["pages"]["hits"][0]["label"] == first
    assert len(searched_urls(upstream)) == len(LISTS)


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("keyword", "label", "target"),
    [
        ("log out", "Log out", "logout"),
        ("sign out", "Log out", "logout"),
        ("dark", "Theme: dark", "theme-dark"),
        ("language", "Choose a language", "language"),
        ("support", "Contact support", "mailto:help@example.org"),
        ("export", "Export users (CSV)", "/user-manage/user/export"),
        ("preset", "Permission presets", "/user-manage/permissions/presets"),
        ("change perm", "Change permissions", "/user-manage/permissions"),
        ("change perm", "Permission presets", "/user-manage/permissions/presets"),
        ("perm", "Permissions", "/user-manage/permissions"),
        ("audit", "Activity", "/activity"),
        ("sign off", "Access review", "/user-manage/review"),
        ("lock", "Users", "/user-manage/user"),
        ("new user", "Invite user", "/user-manage/user/new"),
        ("invitation", "Invite user", "/user-manage/user/new"),
        ("send invitations", "Invite user", "/user-manage/user/new"),
    ],
)
def test_commands_and_pages_are_found_by_other_words_for_them(
    administrator, upstream, settings, keyword, label, target
):
    settings.SUPPORT_EMAIL = "help@example.org"
    nothing_but(upstream)
    _item, groups = search_json(administrator, keyword)
    hits = groups["pages"]["hits"]
    assert (label, target) in [(hit["label"], hit.get("command") or hit["href"]) for hit in hits]
    assert len({hit.get("command") or hit["href"] for hit in hits}) == len(hits)


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("keyword", "label", "page", "href"),
    [
        ("received", "Received requests", "Partners", "/partner-manage/list"),
        ("requests", "Received requests", "Partners", "/partner-manage/list"),
        ("requests", "Sent requests", "Partners", "/partner-manage/list/sent"),
        ("history", "History", "Partners", "/partner-manage/list/history"),
        ("partner hist", "History", "Partners", "/partner-manage/list/history"),
        ("partners", "Partners", "Partners", "/partner-manage/list/partners"),
        ("partnership", "Partners", "Partners", "/partner-manage/list/partners"),
        ("who can", "Who can order", "Partners", "/partner-manage/list/ordering"),
        ("my list", "Labs on my list", None, "/partner-manage/list/mine"),
        ("pending scanners", "Pending", "Scanners", "/scanner-manage?status=PENDING"),
        ("disapproved", "Disapproved", "Scanners", "/scanner-manage?status=DISAPPROVED"),
        ("unread", "Unread", "Notifications", "/notifications?filter=unread"),
        ("never logged", "Never logged in", "Access review", "/user-manage/review?group=never"),
        ("reviews", "Signed-off reviews", None, "/user-manage/review/signed"),
    ],
)
def test_a_tab_is_found_by_its_name_and_that_of_its_page(administrator, upstream, keyword, label, page, href):
    nothing_but(upstream)
    _item, groups = search_json(administrator, keyword)
    hits = {hit["href"]: (hit["label"], hit["details"]) for hit in groups["pages"]["hits"]}
    assert hits.get(href) == (label, [page] if page else []), hits
    assert administrator.get(href).status_code == 200


@pytest.mark.req("DM-46")
def test_the_page_has_no_commands_because_its_header_has_them(administrator, upstream, visit):
    nothing_but(upstream)
    assert "Theme: dark</bdi>" not in visit("/search?q=theme").response.content.decode().replace("<mark>", "")


@pytest.mark.req("DM-46")
@pytest.mark.usefixtures("live_catalogs")
@pytest.mark.parametrize(
    ("lng", "keyword", "href"),
    [
        ("de-DE", "einlad", "/user-manage/user/new"),
        ("ja-JP", "招待", "/user-manage/user/new"),
        ("tr-TR", "KULLANICI", "/user-manage/user"),
    ],
)
def test_pages_are_found_by_the_words_of_the_readers_language(administrator, upstream, lng, keyword, href):
    nothing_but(upstream)
    _item, groups = search_json(administrator, keyword, lng=lng)
    assert href in [hit["href"] for hit in groups["pages"]["hits"]]


@pytest.mark.req("DM-46")
def test_pages_come_first_if_one_begins_with_the_keyword_and_last_otherwise(administrator):
    item, _groups = search_json(administrator, "us")
    assert item["groups"][0]["name"] == "pages"
    item, _groups = search_json(administrator, "er")
    assert item["groups"][-1]["name"] == "pages"


@pytest.mark.req("DM-46")
def test_every_page_that_is_offered_can_be_opened_and_changes_nothing(administrator, upstream):
    _item, groups = search_json(administrator, "")
    for hit in groups["pages"]["hits"]:
        assert administrator.get(hit["href"]).status_code == 200, hit
    writes = [call for call in upstream.calls() if call.method != "GET" and "/oauth/" not in call.url]
    assert {call.path_url.split("?")[0] for call in writes} <= {"/v1/accounts/search"}, "the login"


@pytest.mark.req("DM-46")
def test_the_page_has_the_same_results_as_the_dialog(administrator, upstream, visit):
    upstream.answers("GET", LISTS["users"], factories.listing([factories.user(n) for n in range(1, 8)], total=7))
    item, _groups = search_json(administrator, "one")
    html = unescape(visit("/search?q=one").response.content.decode())
    for group in item["groups"]:
        for link in (*group["hits"], *([group["more"]] if group["more"] else [])):
            assert f'href="{link["href"]}"' in html
            assert link["label"] in html
    assert re.search(r'<input[^>]* name="q" value="one"', html)


@pytest.mark.req("DM-46", "LS-04")
@pytest.mark.parametrize("keyword", ["\u0301\u0301", "..", "%%", "👩‍⚕️", "x" * 500, "<b>&amp;", "?q=1&q=2"])
def test_an_odd_keyword_is_searched_for_as_it_is(administrator, visit, keyword):
    item, _groups = search_json(administrator, keyword)
    assert item["messages"]
    assert "<b>&amp;" not in visit(f"/search?{urlencode({'q': keyword})}").response.content.decode()


@pytest.mark.req("DM-46", "LS-04")
@pytest.mark.parametrize(
    "row",
    [
        {"id": "../x", "name": "Odd"},
        {"id": "", "name": "Odd"},
        {"id": "new", "name": "Odd"},
        {"id": "u-1", "name": "\u200b", "mainGroupName": None},
        {"id": 7, "name": "<b>Odd</b>"},
    ],
)
def test_an_odd_row_of_the_service_hides_no_other_results(administrator, upstream, visit, row):
    nothing_but(upstream, **{kind: factories.listing([row, factories.user(2)]) for kind in ("clinics", "users")})
    html = visit("/search?q=odd").response.content.decode()
    assert "User 2" in html
    assert "<b>Odd" not in html


@pytest.mark.req("DM-46", "CA-39")
def test_no_keyword_is_in_a_log(administrator, upstream, caplog):
    caplog.set_level(logging.DEBUG)
    upstream.answers("GET", LISTS["users"], {}, status=500)
    upstream.raw("GET", LISTS["teams"], body=ConnectionError("GET /v1/bizSubGroups?keyword=Grizelda"))
    assert administrator.get("/search", {"q": "Grizelda"}).status_code == 200
    lines = [JsonFormatter().format(r) for r in caplog.records if r.name.split(".")[0] in ("console", "django")]
    assert any('"route": "search"' in line for line in lines)
    assert [line for line in lines if "Grizelda" in line] == []


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("system", "key", "key_name"),
    [("Macintosh; Intel Mac OS X 10_15_7", "metaKey", "⌘K"), ("Windows NT 10.0", "ctrlKey", "Ctrl+K")],
)
def test_each_private_page_has_the_button_that_opens_it_and_its_key(administrator, system, key, key_name):
    headers = {"Accept": "text/html", "User-Agent": f"Mozilla/5.0 ({system})"}
    html = one_line(administrator.get("/user-manage/clinic", headers=headers).content.decode())
    assert re.search(rf'<form class="header-search" action="/search"><button[^>]* data-key="{key}"', html)
    assert html.count(f"<kbd>{key_name}</kbd>") == 2, "on the button, and in the list of keys"


@pytest.mark.req("DM-46")
def test_without_a_login_there_is_nothing_to_search(client, db, upstream):
    assert "data-search=" not in client.get("/login").content.decode()


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(("keyword", "has_user"), [("preset", False), ("review", False), ("preset", True)])
def test_a_page_comes_before_a_link_to_all_labs_and_after_what_was_found(administrator, upstream, keyword, has_user):
    nothing_but(upstream, **({"users": factories.listing([factories.user(name="Ann Preset")])} if has_user else {}))
    groups = [group["name"] for group in search_json(administrator, keyword)[0]["groups"]]
    assert groups == [*(["users"] if has_user else []), "pages", "labs"]


def finds(upstream, kind, *rows):
    """Let the service find these rows of a kind by their names, and nothing else."""

    def answer(request):
        (keyword,) = parse_qs(urlsplit(request.url).query)["keyword"]
        return 200, {}, json.dumps(factories.listing([row for row in rows if plain(keyword) in plain(row["name"])]))

    nothing_but(upstream)
    upstream.remove("GET", LISTS[kind])
    upstream.callback("GET", LISTS[kind], answer)


@pytest.mark.req("DM-46", "RT-43")
@pytest.mark.parametrize(
    ("keyword", "tab", "path"),
    [
        ("uptown partners", "Partners", "partner"),
        ("partners uptown", "Partners", "partner"),
        ("UPTÓWN part", "Partners", "partner"),
        ("uptown dental users", "Users", "user"),
        ("teams uptown dental", "Teams", "team"),
        ("uptown permissions", "Permissions", "permissions"),
        ("uptown scanner", "Scanners", "scanner"),
        ("dental settings", "Settings", "edit"),
    ],
)
def test_a_tab_of_a_clinic_is_found_by_its_label_and_the_clinics_name(
    administrator, upstream, visit, keyword, tab, path
):
    finds(upstream, "clinics", factories.clinic(name="Uptown Dental"))
    item, groups = search_json(administrator, keyword)
    assert len(searched_urls(upstream)) <= len(LISTS) + 2, "a call more for each kind that has the tab"
    (hit,) = groups["clinics"]["hits"]
    assert (hit["label"], hit["details"]) == ("Uptown Dental", [tab, "South Korea"])
    assert hit["href"] == f"/user-manage/clinic/g-1/{path}"
    assert item["messages"] == ["1 result"]
    assert f'href="{hit["href"]}"' in visit(f"/search?{urlencode({'q': keyword})}").response.content.decode()


@pytest.mark.req("DM-46")
@pytest.mark.parametrize(
    ("keyword", "text"), [("kim permissions", "Permissions"), ("move kim", "Move"), ("edit kim", "Edit")]
)
def test_a_page_of_a_user_is_found_by_its_label_and_the_users_name(administrator, upstream, keyword, text):
    finds(upstream, "users", factories.user(name="Kim"))
    (hit,) = search_json(administrator, keyword)[1]["users"]["hits"]
    assert (hit["label"], hit["details"][0]) == ("Kim", text)
    assert hit["href"] == f"/user-manage/clinic/g-1/user/u-1/{text.lower()}"


@pytest.mark.req("DM-46")
@pytest.mark.usefixtures("live_catalogs")
@pytest.mark.parametrize(
    ("lng", "keyword", "path"),
    [
        ("de-DE", "uptown berecht", "permissions"),
        ("tr-TR", "UPTOWN İZİNLER", "permissions"),
        ("ar-EG", "الماسحات الفموية uptown", "scanner"),
    ],
)
def test_a_tab_is_found_in_the_readers_language(administrator, upstream, lng, keyword, path):
    finds(upstream, "clinics", factories.clinic(name="Uptown Dental"))
    _item, groups = search_json(administrator, keyword, lng=lng)
    assert [hit["href"] for hit in groups["clinics"]["hits"]] == [f"/user-manage/clinic/g-1/{path}"]


@pytest.mark.req("DM-46")
def test_what_has_the_whole_keyword_is_found_instead_of_tabs(administrator, upstream):
    clinics = [factories.clinic(1, name="Dental Uptown"), factories.clinic(2, name="Partners Dental")]
    finds(upstream, "clinics", *clinics)
    item, groups = search_json(administrator, "dental partners")
    assert [hit["href"] for hit in groups["clinics"]["hits"]] == ["/user-manage/clinic/g-2/user"]
    assert item["messages"] == ["1 result"]
    assert len(searched_urls(upstream)) == len(LISTS)


@pytest.mark.req("DM-46")
def test_more_things_with_a_tab_than_are_shown_are_in_their_list(administrator, upstream):
    many = [factories.clinic(number, name=f"Uptown {number}") for number in range(1, 7)]
    finds(upstream, "clinics", *many)
    group = search_json(administrator, "uptown partners")[1]["clinics"]
    assert [hit["details"][0] for hit in group["hits"]] == ["Partners"] * 5
    assert group["more"]["href"] == "/user-manage/clinic?keyword=uptown", "the list knows no tabs"


@pytest.mark.req("DM-46")
@pytest.mark.parametrize("keyword", ["permissions", "x permissions", "uptown p", "invite user"])
def test_words_that_are_no_name_and_a_tab_take_no_more_calls(administrator, upstream, keyword):
    finds(upstream, "clinics", factories.clinic(name="Uptown Dental"))
    search_json(administrator, keyword)
    assert len(searched_urls(upstream)) == len(LISTS)


@pytest.mark.req("DM-46")
def test_no_tabs_are_looked_for_while_a_kind_can_not_be_read(administrator, upstream):
    finds(upstream, "clinics", factories.clinic(name="Uptown Dental"))
    upstream.answers("GET", LISTS["teams"], {}, status=503)
    _item, groups = search_json(administrator, "uptown partners")
    assert (list(groups), groups["teams"]["hits"]) == (["teams", "labs"], [])
