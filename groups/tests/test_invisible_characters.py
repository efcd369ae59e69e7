"""Invisible characters, and international addresses, in input, calls, lists and confirmations."""

import pytest

from groups.tests.test_invitations import CALL, INVITE, administrator, rows  # noqa: F401
from tests.support import factories
from tests.support.imports import upload
from upstream.characters import is_visible

LIST = "/user-manage/clinic/g-1/user"
NOTHING = [
    "\u3164",
    "\u115f\u1160",
    "\uffa0",
    "\u2800 \u2800",
    "\u034f",
    "\ufe0f",
    "\u200b\u200d",
    "\U000e0061",
    "\u00ad",
]
CLINIC = "/v1/bizMainGroups/g-1"


@pytest.mark.req("VA-34", "VA-35")
def test_invisible_characters_are_not_sent(administrator, upstream):  # noqa: F811
    person = ("Kim\u3000\u00adHa\u200bna\ufe0f", "\u202akim@clin\u00adic.example\u3164")
    assert administrator.post(INVITE, rows(person)).status_code == 303
    (sent,) = upstream.bodies("POST", CALL)
    assert (sent["name"], sent["email"]) == ("Kim Hana", "kim@clinic.example")


@pytest.mark.req("VA-35")
@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/user-manage/clinic/new", {"country_code": "KR"}),
        ("/user-manage/clinic/g-1/team/new", {"team_type": "SCAN_TEAM"}),
    ],
)
def test_an_invisible_name_counts_as_empty(administrator, upstream, path, form):  # noqa: F811
    for name in NOTHING:
        response = administrator.post(path, {**form, "name": name})
        assert (response.status_code, ascii(name)) == (422, ascii(name))
        assert "Enter name" in response.content.decode()
    assert upstream.calls("POST") == []


@pytest.mark.req("VA-34", "DM-02")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kim@bücher.example", "kim@xn--bcher-kva.example"),
        ("ada@clinic.example", "ADA@clinic.example\u200b"),
        ("ada@clinic.example", "ａｄａ＠clinic.example"),
    ],
)
def test_two_spellings_of_one_address_are_one_person(administrator, upstream, one, other):  # noqa: F811
    response = administrator.post(INVITE, rows(("A", one), ("B", other)))
    assert response.status_code == 422
    assert "User 1 has the same email address." in response.content.decode()
    assert upstream.calls("POST") == []

    upstream.answers("POST", f"{CALL}/bulkCreate", {"results": [{"index": 0, "ok": True}]})
    file = f"Name,Email,Type\nA,{one},Doctor\nB,{other},Doctor"
    page = upload(administrator, f"{LIST}/import", file).content.decode()
    assert "Row 2 has the same email." in page


@pytest.mark.req("VA-34", "VA-22")
@pytest.mark.parametrize("email", ["kim@bücher.example", "kim@BÜCHER.example", "kim@xn--bcher-kva.example"])
@pytest.mark.parametrize("field", ["email", "all"])
def test_a_domain_is_sent_and_searched_in_one_form_and_shown_readable(administrator, upstream, visit, email, field):  # noqa: F811
    upstream.answers("GET", CALL, factories.listing([factories.user(email="kim@xn--bcher-kva.example")]))
    html = visit(f"{LIST}?searchField={field}&keyword={email}").response.content.decode()
    assert upstream.query(CALL)["keyword"] == ["kim@xn--bcher-kva.example"]
    assert "kim@bücher.example</" in html

    administrator.post(INVITE, rows(("Kim", email)))
    assert [sent["email"] for sent in upstream.bodies("POST", CALL)] == ["kim@xn--bcher-kva.example"]


@pytest.mark.req("LS-15")
@pytest.mark.parametrize(
    ("name", "confirmation"),
    [
        ("O’Neil Dental", "O'Neil Dental"),
        ("O’Neil Dental", "o'neil dental"),
        ("Smile–Dental", "Smile-Dental"),
        ("Smile‑Two", "Smile-Two"),
        ("„Zahn“", '"Zahn"'),
        ("«Зуб»", '"Зуб"'),
        ("A…", "A..."),
        ("Dental\u00adNorth\u2060", "DentalNorth"),
        ("Dental\u200bWest", "DentalWest"),
        ("Dent\u3164", "Dent"),
        ("山田　歯科", "山田 歯科"),
        ("کلینیک می\u200cخواهم", "کلینیک می\u200cخواهم"),
    ],
)
def test_a_name_can_be_typed_as_it_looks(administrator, upstream, name, confirmation):  # noqa: F811
    upstream.answers("GET", CLINIC, factories.clinic(name=name))
    upstream.answers("DELETE", CLINIC, {})
    response = administrator.post("/user-manage/clinic/g-1/delete", {"typed_name": confirmation, "version": "1"})
    assert (response.status_code, len(upstream.calls("DELETE", CLINIC))) == (303, 1)


@pytest.mark.req("LS-15")
@pytest.mark.parametrize("confirmation", ["ONeil Dental", "O'Neil", "O-Neil Dental"])
def test_a_name_with_different_letters_or_signs_is_not_accepted(administrator, upstream, confirmation):  # noqa: F811
    upstream.answers("GET", CLINIC, factories.clinic(name="O’Neil Dental"))
    response = administrator.post("/user-manage/clinic/g-1/delete", {"typed_name": confirmation, "version": "1"})
    assert response.status_code == 422
    assert upstream.calls("DELETE") == []


@pytest.mark.parametrize("name", ["\u3164", "\u200b\u2800", "\U000e0061"])
def test_each_page_shows_something_visible_for_each_name(administrator, upstream, visit, name):  # noqa: F811
    """Links, choices, headings and sentences show the ID if there is no visible name."""
    user = factories.user(name=name, mainGroupName=name, subGroupId="t-1", subGroupName=name)
    team, scanner = (
        factories.team(name=name, mainGroupName=name),
        factories.scanner(mainGroupName=name, connectedUserName=name),
    )
    upstream.has_clinic(name=name)
    upstream.has_scanners(scanner)
    for path, rows_in_list in ((CALL, [user]), ("/v1/bizSubGroups", [team]), ("/v1/bizScanners", [scanner])):
        upstream.remove("GET", path)
        upstream.answers("GET", path, factories.listing(rows_in_list))
        upstream.answers("GET", f"{path}/{rows_in_list[0]['id']}", rows_in_list[0])
    event = factories.notification(type="INVITATION_EXPIRED", params={"name": name, "email": "kim@clinic.example"})
    upstream.answers("GET", "/v1/bizNotifications", factories.listing([event]))
    for path in (
        *(
            LIST,
            f"{LIST}/u-1",
            f"{LIST}/u-1/edit",
            f"{LIST}/u-1/move",
            f"{LIST}/u-1/delete",
            f"{LIST}/u-1/lock",
            INVITE,
        ),
        *(f"{LIST}/u-1/permissions", "/user-manage/user", "/user-manage/user/new", "/user-manage/team"),
        *("/user-manage/clinic/g-1/team", "/user-manage/clinic/g-1/team/t-1/edit", "/user-manage/clinic/g-1/edit"),
        *("/user-manage/clinic/g-1/delete", "/user-manage/clinic/g-1/permissions", "/user-manage/review"),
        *(
            "/scanner-manage",
            "/scanner-manage/s-1",
            "/scanner-manage/s-1/approve",
            "/notifications",
            "/user-manage/clinic",
        ),
    ):
        page = visit(path)
        for node in page.all("a, option, h1, h2, label, button, dd, td[data-label], .muted bdi"):
            label = node.attributes.get("aria-label") or node.text(deep=True) or ""
            is_empty = not label.strip() or node.css_first("svg, img, input")
            assert is_empty or is_visible(label.strip("\u2066\u2067\u2068\u2069")), (path, node.html)
        assert "\u2068\u2069" not in page.html.replace(name, ""), path


@pytest.mark.parametrize("name", NOTHING)
def test_a_row_with_an_invisible_name_is_named_by_its_id(administrator, upstream, visit, name):  # noqa: F811
    upstream.answers("GET", CALL, factories.listing([factories.user(name=name)]))
    upstream.answers("GET", f"{CALL}/u-1", factories.user(name=name))
    assert visit(f"{LIST}/u-1").heading == "u-1"
    page = visit(LIST)
    assert page.texts("tbody th a") == ["u-1"]
    assert "Actions for u-1" in page.response.content.decode()
