"""Every flow of user management in each way of using the console: what is shown, kept and sent, in any language."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from e2e.conftest import Console
from e2e.http_client import logged_in
from e2e.pages import CLINIC_PERMISSIONS, CLINICS, TEAMS, USER_PERMISSIONS, USERS
from e2e.ways import Arabic, Keys, Plain, Touch, Way, row_of

ALL_TEAMS = "/user-manage/team"
IMPORT = "/import"


@pytest.fixture(
    params=[
        pytest.param(Keys, id="keys", marks=pytest.mark.req("AX-02", "DM-24")),
        pytest.param(Touch, id="touch", marks=pytest.mark.req("AX-03", "AX-04", "DM-28")),
        pytest.param(Plain, id="plain"),
        pytest.param(Arabic, id="arabic", marks=pytest.mark.req("LN-17")),
    ]
)
def way(request, open_browser) -> Way:
    chosen: Way = request.param(open_browser)
    return chosen


def names(way: Way) -> Locator:
    """The heads of the rows of a list."""
    return way.page.locator("tbody th[scope=row]")


def reasons(way: Way) -> Locator:
    """Why something can't be deleted."""
    return way.page.locator(".alert[data-tone=warning] .blockers > li")


def submit(way: Way) -> None:
    """Press the button that does what the page is for."""
    way.press(way.page.locator("main form [data-primary]"))


def told(way: Way, tone: str = "success") -> None:
    """The last act was answered in the page, in this tone; a refusal gets the focus where a script can give it."""
    alert = way.page.locator(f"main .alert[data-tone={tone}]").first
    way.sees(alert)
    if tone == "danger" and way.has_scripts:
        expect(alert).to_be_focused()


def refused(way: Way, field: Locator) -> None:
    """What was typed there is not taken, and the page says so."""
    expect(field).to_have_attribute("aria-invalid", "true")
    way.stand()


def search(way: Way, keyword: str, **choices: str) -> None:
    """Type a keyword, choose filters by their names, and ask for the list."""
    form = way.page.locator(".list-search")
    for name, value in choices.items():
        way.choose(form.locator(f"[name={name}]"), value)
    way.fill(form.locator("[name=keyword]"), keyword)
    way.press(form.locator("[type=submit]"))


def choose_rows(way: Way, action: str, *rows: str) -> None:
    """Tick these rows, or all that match when none is named, and ask for a bulk action: its plan is shown."""
    for row in rows:
        way.tick(row_of(way.page, row).locator("[name=id]"))
    if not rows:
        way.tick(way.page.locator(".bulk-bar [name=all]"))
    way.press(way.page.locator(f".bulk-bar [formaction$='/{action}']"))
    way.sees(way.page.locator(".bulk-plan"))


def back_to_list(way: Way) -> None:
    way.press(way.page.locator(".notice-actions a"))


def results(way: Way, tone: str) -> Locator:
    """The rows of a bulk action's or of an import's result that have this tone."""
    return way.page.locator(f".bulk-rows .badge[data-tone={tone}], tbody .badge[data-tone={tone}]")


def permit(way: Way, permission: str, value: str) -> None:
    """Give a permission `on`, `off` or `inherit`: by its switch, or in the form that stands there without scripts."""
    if not way.has_scripts:
        way.tick(way.page.locator(f"[name={permission}][value={value}]"))
        submit(way)
        told(way)
        return
    switch = permitted(way, permission)
    if value == "inherit":
        way.press(way.page.locator(f"[data-permission={permission}] button"))
    else:
        way.tick(switch, on=value == "on")
    expect(way.page.locator("main .permissions-status")).not_to_be_empty()
    expect(switch).not_to_have_attribute("aria-busy", "true")


def permitted(way: Way, permission: str) -> Locator:
    """What is ticked when a permission is on."""
    switch = f"[data-permission={permission}] [role=switch]"
    return way.page.locator(switch if way.has_scripts else f"[name={permission}][value=on]")


def sent(console: Console, method: str, path: str) -> list[Any]:
    """The bodies of the calls that the service got."""
    return [call["body"] for call in console.sandbox.calls(path) if call["method"] == method]


def granted(console: Console, permission: str) -> list[bool | None]:
    """What became of a permission, one change after the other; None is the clinic's own value."""
    changes = [body.get("permissions", {}) for body in sent(console, "PUT", "permissions$")]
    return [change[permission] for change in changes if permission in change]


@pytest.mark.req("UC-04", "LS-02", "DM-08", "DM-10")
def test_a_clinic_is_found(way):
    way.go(f"{CLINICS}?size=10&page=2")
    search(way, "smile")
    way.at(CLINICS, keyword="smile")
    expect(names(way)).to_have_text(["Smile Atelier Paris"])
    assert "page" not in way.query
    search(way, "")
    expect(names(way)).to_have_count(10)
    search(way, "", country_code="EG")
    way.at(CLINICS, country_code="EG")
    expect(names(way)).to_have_text(["عيادة النيل لطب الأسنان", "مركز الابتسامة"])
    search(way, "nobody")
    way.sees(way.page.locator(".empty"))
    assert way.query["country_code"] == "EG"
    way.press(way.page.locator(".empty a.button"))
    expect(names(way)).to_have_count(10)
    way.press(way.page.locator(".pager-sizes a[href*='size=25']"))
    expect(names(way)).to_have_count(24)


@pytest.mark.req("LS-03", "DM-04")
@pytest.mark.parametrize(
    ("path", "by", "rows"),
    [
        (CLINICS, "user_count", ["Улыбка", "한강 어린이치과", "مركز الابتسامة"]),
        (USERS, "email", ["أحمد منصور", "Ahmed Nasser", "Amélie Girard"]),
    ],
)
def test_a_list_is_sorted_by_its_columns(way, path, by, rows):
    way.go(path)
    head = way.page.locator("th", has=way.page.locator(f"a[href*='sort={by}']"))
    way.press(head.locator("a"))
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert names(way).all_inner_texts()[:3] == rows
    way.press(head.locator("a"))
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names(way).all_inner_texts()[:3] != rows
    way.at(path, sort=by, order="desc")


@pytest.mark.req("UC-04", "DM-11", "DM-19", "LS-13", "LS-15", "EN-36", "VA-36")
def test_clinics_come_and_go(way, console):
    way.go(f"{CLINICS}?country_code=FR")
    way.press(way.page.locator(".page-actions [data-primary]"))
    name, country = way.page.locator("main [name=name]"), way.page.locator("main [name=country_code]")
    way.fill(name, "Nord")
    way.choose(country, "FR")
    way.press(way.page.locator("[name=another]"))
    told(way)
    expect(name).to_have_value("")
    expect(country).to_have_value("FR")
    way.fill(name, "Sud")
    submit(way)
    way.at(CLINICS, country_code="FR")
    expect(names(way)).to_have_text(["Nord", "Smile Atelier Paris", "Sud"])

    way.act_on("Nord", "/edit")
    way.fill(way.page.locator("[name=dentist_count]"), "٣")
    way.fill(name, "Nord-Est")
    submit(way)
    way.at(CLINICS, country_code="FR")
    told(way)
    assert sent(console, "PUT", "bizMainGroups") == [{"name": "Nord-Est", "dentistCount": 3}]

    way.act_on("Nord-Est", "/delete")
    way.press(way.page.locator("main form [data-variant=danger]"))
    told(way, "danger")
    assert sent(console, "DELETE", "bizMainGroups") == []
    way.fill(way.page.locator("[name=typed_name]"), "Nord-Est")
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(CLINICS, country_code="FR")
    expect(names(way)).to_have_text(["Smile Atelier Paris", "Sud"])
    assert len(sent(console, "DELETE", "bizMainGroups")) == 1


@pytest.mark.req("VA-29", "VA-33", "ER-24", "DM-18")
def test_a_clinic_with_partners_stays_and_says_why(way, console):
    way.go(CLINICS)
    way.act_on("Seoul Central Dental", "/delete")
    expect(reasons(way)).to_have_count(4)
    before = reasons(way).all_inner_texts()
    way.fill(way.page.locator("[name=typed_name]"), "Seoul Central Dental")
    way.press(way.page.locator("main form [data-variant=danger]"))
    told(way, "danger")
    assert reasons(way).all_inner_texts() == before
    assert len(sent(console, "DELETE", "bizMainGroups")) == 1
    way.press(way.page.locator(f"main .facts a[href='{USERS}']"))
    way.at(USERS)
    expect(names(way)).to_have_count(25)


@pytest.mark.req("PM-08", "PM-12", "PM-18", "EN-73", "EN-77")
def test_what_a_clinic_may_do_and_where_it_orders(way, console):
    way.go(CLINICS)
    way.act_on("Seoul Central Dental", "/permissions")
    way.at(CLINIC_PERMISSIONS)
    permit(way, "allow_export", "off")
    assert granted(console, "allowExport") == [False]
    way.go(CLINIC_PERMISSIONS)
    expect(permitted(way, "allow_export")).not_to_be_checked()
    expect(permitted(way, "allow_download")).to_be_checked()

    labs = way.page.locator(".labs")
    expect(labs.get_by_role("checkbox")).to_have_count(2)
    strangers = labs.locator("li").filter(has_not=way.page.get_by_role("checkbox"))
    expect(strangers.locator(".muted")).to_have_count(38)
    expect(strangers.locator(".muted:empty")).to_have_count(0)
    way.tick(labs.get_by_label("Borealis Dental Lab"), on=False)
    way.press(labs.locator("[type=submit]"))
    told(way)
    expect(labs.get_by_label("Borealis Dental Lab")).not_to_be_checked()
    (change,) = [body for body in sent(console, "PUT", "permissions$") if body.get("orderLabs")]
    assert change["orderLabs"] == [{"labId": change["orderLabs"][0]["labId"], "allowed": False}]


@pytest.mark.req("DM-01", "LS-09", "LS-13")
def test_the_permissions_of_many_clinics(way, console):
    chosen = ["Smile Atelier Paris", "Tulip Tandartsen"]
    way.go(f"{CLINICS}?size=10")
    choose_rows(way, "permissions", *chosen)
    expect(way.page.locator(".bulk-rows li")).to_have_text([re.compile(name) for name in chosen])
    submit(way)
    told(way, "danger")
    way.choose(way.page.locator("[name=allow_download]"), "off")
    submit(way)
    told(way)
    expect(results(way, "success")).to_have_count(2)
    (change,) = sent(console, "POST", "bulkPermissions")
    assert (len(change["ids"]), change["permissions"]) == (2, {"allowDownload": False})
    back_to_list(way)
    way.at(CLINICS, size="10")
    expect(way.page.locator("tbody [name=id]:checked")).to_have_count(0)


@pytest.mark.req("DM-01", "DM-02", "DM-17", "DM-18", "LS-09", "LS-15", "VA-29")
def test_many_clinics_are_deleted_but_those_that_must_stay(way, console):
    for name in ("Nord", "Sud"):
        logged_in(console).post(f"{CLINICS}/new", {"name": name, "country_code": "FR"})
    way.go(f"{CLINICS}?country_code=FR")
    choose_rows(way, "delete", "Nord", "Smile Atelier Paris", "Sud")
    told(way, "warning")
    expect(way.page.locator(".bulk-rows li", has=way.page.locator(".badge"))).to_contain_text("Smile Atelier Paris")
    typed = way.page.locator("[name=typed]")
    way.fill(typed, "3")
    submit(way)
    refused(way, typed)
    assert sent(console, "POST", "bulkDelete") == []
    way.fill(typed, "2")
    submit(way)
    way.sees(results(way, "danger"))
    expect(results(way, "success")).to_have_count(2)
    back_to_list(way)
    way.at(CLINICS, country_code="FR")
    expect(names(way)).to_have_text(["Smile Atelier Paris"])
    assert [len(body["ids"]) for body in sent(console, "POST", "bulkDelete")] == [2]


@pytest.mark.req("DM-13", "LS-11")
def test_clinics_leave_and_come_as_a_file(way, console):
    way.go(CLINICS)
    search(way, "", country_code="EG")
    way.at(CLINICS, country_code="EG")
    _, *rows = way.download(way.page.locator(".page-actions a[href*='/export']"))
    assert [row[0] for row in rows] == names(way).all_inner_texts()
    way.press(way.page.locator(f".page-actions a[href$='{IMPORT}']"))
    way.at(CLINICS + IMPORT)
    header, example = way.download(way.page.locator("a[download]"))
    assert len(header) == len(example)
    way.upload(way.page.locator("[type=file]"), [["Name", "Country"], ["Aswan Dental", "EG"], ["Nowhere", "ZZ"]])
    submit(way)
    told(way, "warning")
    expect(results(way, "danger")).to_have_count(1)
    assert sent(console, "POST", "bulkCreate")[-1]["dryRun"] is True
    submit(way)
    way.sees(results(way, "success"))
    assert sent(console, "POST", "bulkCreate")[-1]["dryRun"] is False
    _, bad = way.download(way.page.locator("[name=rejected]"))
    assert bad[:2] == ["Nowhere", "ZZ"]
    assert bad[2]
    way.press(way.page.locator(".csv-import .form-actions a[data-variant=ghost]"))
    way.at(CLINICS, country_code="EG")
    expect(names(way).first).to_have_text("Aswan Dental")


@pytest.mark.req("DM-13", "LS-11")
def test_users_leave_and_come_as_a_file(way, console):
    way.go(USERS)
    search(way, "", status="INVITED")
    way.at(USERS, status="INVITED")
    expect(names(way)).to_have_count(2)
    _, *rows = way.download(way.page.locator(".page-actions a[href*='/export']"))
    assert [row[0] for row in rows] == names(way).all_inner_texts()
    way.press(way.page.locator(f".page-actions a[href$='{IMPORT}']"))
    way.at(USERS + IMPORT)
    header, ada = ["Name", "Type", "Email", "Team"], ["Ada New", "DOCTOR", "ada@new.example", "Front desk"]
    way.upload(way.page.locator("[type=file]"), [header, ada, ["No Mail", "STAFF", "", ""]])
    submit(way)
    told(way, "warning")
    expect(results(way, "danger")).to_have_count(1)
    assert console.sandbox.mails() == []
    submit(way)
    way.sees(results(way, "success"))
    assert [mail["to"] for mail in console.sandbox.mails()] == ["ada@new.example"]
    _, bad = way.download(way.page.locator("[name=rejected]"))
    assert bad[0] == "No Mail"
    way.press(way.page.locator(".csv-import .form-actions a[data-variant=ghost]"))
    way.at(USERS, status="INVITED")
    expect(names(way).first).to_have_text("Ada New")


@pytest.mark.req("UC-05", "DM-11", "EN-39")
def test_teams_come_and_go(way, console):
    way.go(TEAMS)
    way.press(way.page.locator(".page-actions [data-primary]"))
    name, kind = way.page.locator("main [name=name]"), way.page.locator("main [name=team_type]")
    way.fill(name, "North")
    way.choose(kind, "ORTHODONTICS")
    way.press(way.page.locator("[name=another]"))
    told(way)
    expect(kind).to_have_value("ORTHODONTICS")
    way.fill(name, "South")
    submit(way)
    way.at(TEAMS)
    expect(names(way)).to_have_text(["Front desk", "North", "Orthodontics", "Prosthodontics", "South"])

    way.act_on("North", "/edit")
    way.fill(name, "North East")
    way.choose(kind, "GENERAL")
    submit(way)
    way.at(TEAMS)
    assert sent(console, "PUT", "bizSubGroups") == [{"name": "North East", "teamType": "GENERAL"}]

    way.act_on("North East", "/delete")
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(TEAMS)
    told(way)
    expect(names(way)).to_have_text(["Front desk", "Orthodontics", "Prosthodontics", "South"])


@pytest.mark.req("UC-05", "EN-44")
def test_the_users_of_a_team_that_is_deleted_move(way, console):
    way.go(TEAMS)
    way.act_on("Front desk", "/delete")
    way.press(way.page.locator("main form [data-variant=danger]"))
    told(way, "danger")
    assert sent(console, "DELETE", "bizSubGroups") == []
    way.choose(way.page.locator("[name=move_users_to]"), "t-2")
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(TEAMS)
    expect(names(way)).to_have_text(["Orthodontics", "Prosthodontics"])
    way.press(row_of(way.page, "Orthodontics").locator("th a"))
    way.at(USERS, team="t-2")
    expect(names(way)).to_have_count(25)
    expect(way.page.locator(".list-status")).to_contain_text(re.compile("26|٢٦"))


@pytest.mark.req("UC-05", "RT-30", "LS-13")
def test_a_team_is_found_among_those_of_all_clinics(way, console):
    way.go(ALL_TEAMS)
    search(way, "ortho", team_type="ORTHODONTICS")
    way.at(ALL_TEAMS, keyword="ortho", team_type="ORTHODONTICS")
    expect(row_of(way.page, "Orthodontics")).to_have_count(15)
    way.act_on("Orthodontics", "/t-2/edit")
    way.fill(way.page.locator("main [name=name]"), "Orthodontics Seoul")
    submit(way)
    way.at(ALL_TEAMS, keyword="ortho", team_type="ORTHODONTICS")
    expect(row_of(way.page, "Orthodontics Seoul")).to_contain_text("Seoul Central Dental")
    assert sent(console, "PUT", "bizSubGroups/t-2$") == [{"name": "Orthodontics Seoul"}]


@pytest.mark.req("UC-06", "RT-14", "LS-02", "DM-06", "DM-08")
def test_a_user_is_found(way):
    way.go(f"{USERS}?size=10")
    way.press(way.page.locator(".pager a[rel=next]"))
    way.at(USERS, page="2")
    expect(names(way)).to_have_count(10)
    search(way, "hana.park@demo.example", searchField="email")
    expect(names(way)).to_have_text(["Hana Park"])
    assert way.query["searchField"] == "email"
    assert "page" not in way.query
    search(way, "front desk", searchField="team")
    expect(names(way)).to_have_count(10)
    assert way.query["searchField"] == "team"
    search(way, "", user_type="DOCTOR", status="INVITATION_EXPIRED")
    expect(names(way)).to_have_text(["أحمد منصور"])
    way.press(way.page.locator(".chips a").nth(1))
    expect(names(way)).to_have_count(10)
    assert "status" not in way.query


@pytest.mark.req("UC-06", "EN-41", "EN-43", "LS-13")
def test_a_user_beside_the_list_and_on_their_own_page(way):
    way.go(f"{USERS}?keyword=hana")
    way.press(way.page.get_by_role("link", name="Hana Park", exact=True))
    way.at(f"{USERS}/u-1")
    expect(way.page.locator("main .facts").first).to_contain_text("hana.park@demo.example")
    way.press(way.page.locator("main a[href$='user=u-1']"))
    way.at(USERS, keyword="hana", user="u-1")
    beside = way.page.locator("aside.card")
    expect(beside).to_contain_text("hana.park@demo.example")
    expect(names(way)).to_have_text(["Hana Park"])
    way.press(beside.locator(".panel-head a"))
    way.at(USERS, keyword="hana")
    expect(beside).to_have_count(0)


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-44", "LS-13", "DM-07", "DM-19")
def test_a_user_gets_another_name_type_and_team(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.act_on("Hana Park", "/u-1/edit")
    way.fill(way.page.locator("main [name=name]"), "Hana Park-Lee")
    way.choose(way.page.locator("main [name=user_type]"), "STAFF")
    way.choose(way.page.locator("main [name=team_id]"), "t-3")
    submit(way)
    way.at(USERS, keyword="hana")
    told(way)
    expect(names(way)).to_have_text(["Hana Park-Lee"])
    (change,) = sent(console, "PUT", "bizUsers/u-1$")
    assert change == {"name": "Hana Park-Lee", "userType": "STAFF", "subGroupId": "t-3"}


@pytest.mark.req("UC-06", "LS-13")
def test_a_user_moves_to_another_clinic(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.act_on("Hana Park", "/u-1/edit")
    way.choose(way.page.locator("main [name=clinic_id]"), "g-2")
    submit(way)
    told(way, "info")
    team = way.page.locator("main [name=team_id]")
    way.choose(team, team.locator("option").nth(1).get_attribute("value") or "")
    submit(way)
    way.at(USERS, keyword="hana")
    told(way)
    expect(names(way)).to_have_count(0)
    (change,) = sent(console, "PUT", "bizUsers/u-1$")
    assert change["mainGroupId"] == "g-2"
    assert change["subGroupId"]
    way.go(f"{CLINICS}/g-2/user?keyword=hana%20park")
    expect(names(way)).to_have_text(["Hana Park"])


@pytest.mark.req("UC-06", "LS-13", "DM-17", "DM-18", "VA-30", "VA-31", "VA-33", "ER-22", "ER-23")
def test_a_user_is_deleted_and_another_must_stay(way, console):
    way.go(f"{USERS}?user_type=DOCTOR&size=50")
    way.act_on("Hana Park", "/u-1/delete")
    expect(reasons(way)).to_have_count(0)
    submit(way)
    way.at(USERS, user_type="DOCTOR", size="50")
    told(way)
    expect(row_of(way.page, "Hana Park")).to_have_count(0)
    assert sent(console, "DELETE", "bizUsers/u-1$") == [{}]

    way.act_on("Ahmed Nasser", "/u-4/delete")
    expect(reasons(way)).to_have_count(2)
    before = reasons(way).all_inner_texts()
    assert "Case " in before[0]
    submit(way)
    told(way, "danger")
    assert reasons(way).all_inner_texts() == before
    assert len(sent(console, "DELETE", "bizUsers/u-4$")) == 1
    way.press(way.page.locator("main .form-actions a"))
    way.at(USERS, user_type="DOCTOR", size="50")
    expect(row_of(way.page, "Ahmed Nasser")).to_have_count(1)


@pytest.mark.req("PM-08", "PM-11", "PM-12", "PM-19", "EN-77")
def test_a_user_gets_a_permission_and_follows_the_clinic_again(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.act_on("Hana Park", "/u-1/permissions")
    way.at(USER_PERMISSIONS)
    permit(way, "allow_export", "off")
    assert granted(console, "allowExport") == [False]
    permit(way, "allow_download", "off")
    permit(way, "allow_export", "inherit")
    assert granted(console, "allowExport")[-1] is None
    assert granted(console, "allowDownload")[-1] is False
    way.press(way.page.locator("main a.back"))
    way.at(USERS, keyword="hana")
    way.press(way.page.get_by_role("link", name="Hana Park", exact=True))
    way.at(f"{USERS}/u-1")
    way.press(way.page.locator(f"form[action^='{USER_PERMISSIONS}'] [type=submit]"))
    told(way)
    assert granted(console, "allowDownload")[-1] is None


@pytest.mark.req("UC-06", "EN-42", "EN-44", "DM-11", "LS-13", "AX-06")
def test_people_are_invited(way, console):
    page = way.page
    way.go(f"{USERS}?status=INVITED")
    way.press(page.locator(".page-actions [data-primary]"))
    way.fill(page.locator("[name=row-0-name]"), "Ada One")
    way.fill(page.locator("[name=row-0-email]"), "ada@new.example")
    way.choose(page.locator("[name=row-0-user_type]"), "DOCTOR")
    way.choose(page.locator("[name=row-0-team_id]"), "t-3")
    way.press(page.locator("[name=another]"))
    told(way)
    expect(page.locator("[name=row-0-team_id]")).to_have_value("t-3")
    way.fill(page.locator("[name=row-0-name]"), "Bea Two")
    way.fill(page.locator("[name=row-0-email]"), "bea@new.example")
    way.press(page.locator("[name=add_row]"))
    way.sees(page.locator("[name=row-1-name]"))
    expect(page.locator("[name=row-0-name]")).to_have_value("Bea Two")
    way.fill(page.locator("[name=row-1-name]"), "Cy Three")
    way.fill(page.locator("[name=row-1-email]"), "ada@new.example")
    way.choose(page.locator("[name=row-1-user_type]"), "STAFF")
    submit(way)
    told(way, "danger")
    expect(page.locator(".alert[data-tone=success] li")).to_have_text(["bea@new.example"])
    way.fill(page.locator("[name=row-1-email]"), "cy@new.example")
    submit(way)
    way.at(USERS, status="INVITED")
    for name in ("Ada One", "Bea Two", "Cy Three"):
        expect(row_of(page, name)).to_have_count(1)
    assert {mail["to"] for mail in console.sandbox.mails()} == {f"{who}@new.example" for who in ("ada", "bea", "cy")}


@pytest.mark.req("DM-15", "DM-16", "LS-13")
def test_an_invitation_is_sent_again_and_taken_back(way, console):
    way.go(f"{USERS}?status=INVITED")
    way.act_on("Mei-Ling Chen", "/u-5/invitation/resend")
    submit(way)
    way.at(USERS, status="INVITED")
    told(way)
    assert [mail["to"] for mail in console.sandbox.mails()] == ["meiling.chen@demo.example"]
    way.act_on("Mei-Ling Chen", "/u-5/invitation/cancel")
    submit(way)
    way.at(USERS, status="INVITED")
    told(way)
    expect(names(way)).to_have_text(["Анна Кузнецова"])
    assert len(sent(console, "DELETE", "u-5/invitation$")) == 1


@pytest.mark.req("DM-01", "LS-09", "LS-13")
def test_many_users_get_another_team_type_and_clinic(way, console):
    way.go(f"{USERS}?keyword=park")
    for action, field, value in (("move", "team", "t-3"), ("type", "user_type", "STAFF")):
        choose_rows(way, action, "Hana Park", "박지훈")
        way.choose(way.page.locator(f"main [name={field}]"), value)
        submit(way)
        told(way)
        expect(results(way, "success")).to_have_count(2)
        back_to_list(way)
        way.at(USERS, keyword="park")
        expect(way.page.locator("tbody [name=id]:checked")).to_have_count(0)
    choose_rows(way, "move-to-clinic", "Hana Park")
    way.choose(way.page.locator("main [name=clinic]"), "g-2")
    submit(way)
    told(way)
    back_to_list(way)
    way.at(USERS, keyword="park")
    expect(names(way)).to_have_text(["박지훈"])
    team, kind, clinic = sent(console, "POST", "bulkUpdate")
    assert (team["set"], kind["set"]) == ({"subGroupId": "t-3"}, {"userType": "STAFF"})
    assert clinic["set"]["mainGroupId"] == "g-2"


@pytest.mark.req("DM-01", "DM-15", "DM-16", "LS-09", "PM-19")
def test_many_users_get_permissions_and_invitations(way, console):
    way.go(f"{USERS}?status=INVITED")
    choose_rows(way, "permissions")
    way.choose(way.page.locator("[name=allow_export]"), "off")
    way.choose(way.page.locator("[name=allow_download]"), "inherit")
    submit(way)
    told(way)
    expect(results(way, "success")).to_have_count(2)
    (change,) = sent(console, "POST", "bulkPermissions")
    assert change["permissions"] == {"allowExport": False, "allowDownload": None}
    back_to_list(way)
    way.at(USERS, status="INVITED")
    for action in ("resend", "cancel"):
        choose_rows(way, action, "Mei-Ling Chen")
        submit(way)
        told(way)
        back_to_list(way)
        way.at(USERS, status="INVITED")
    assert [mail["to"] for mail in console.sandbox.mails()] == ["meiling.chen@demo.example"]
    expect(names(way)).to_have_text(["Анна Кузнецова"])


@pytest.mark.req("DM-01", "DM-02", "DM-03", "DM-17", "DM-18", "LS-08", "LS-09", "LS-15", "ER-22")
def test_all_users_that_match_are_deleted_and_the_failed_ones_again(way, console):
    seeded = console.sandbox.seed("g-1", 12, blocked=2)
    console.sandbox.faults({"path": f"bulkDelete/{seeded['last']}$", "code": 10000, "times": 1})
    way.go(f"{USERS}?keyword=seed&size=10")
    choose_rows(way, "delete")
    told(way, "warning")
    expect(way.page.locator(".bulk-rows .badge[data-tone=warning]")).to_have_count(2)
    number = way.page.locator("[name=typed]")
    way.fill(number, "12")
    submit(way)
    refused(way, number)
    assert sent(console, "POST", "bulkDelete") == []
    way.fill(number, "١٠")
    submit(way)
    way.sees(results(way, "danger").first)
    expect(results(way, "danger")).to_have_count(3)
    expect(results(way, "success")).to_have_count(9)
    way.press(way.page.locator(".notice-actions form button"))
    expect(results(way, "success")).to_have_count(1)
    expect(results(way, "danger")).to_have_count(2)
    assert [len(body["ids"]) for body in sent(console, "POST", "bulkDelete")] == [10, 3]
    back_to_list(way)
    way.at(USERS, keyword="seed", size="10")
    expect(names(way)).to_have_count(2)
