"""Users, in every way of using the console: what is shown, stored and sent, in any language."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import (
    choose_rows,
    expect_done,
    expect_message,
    granted,
    names,
    permit,
    reasons,
    search,
    sent,
    submit,
)
from tests.e2e.pages import ALL_USERS, CLINICS, USER_PERMISSIONS, USERS
from tests.e2e.ways import find_row

PANEL_WIDTH = 640
"""Pixels of a window in which a name opens the side panel."""


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


def open_profile(way, name):
    """Press a name: without scripts and on phones it leads to the page, else the panel has a button for it."""
    way.press(way.page.get_by_role("link", name=name, exact=True))
    if way.has_scripts and way.page.viewport_size["width"] >= PANEL_WIDTH:
        way.press(way.page.locator(".panel [data-page]"))


@pytest.mark.req("UC-06", "EN-41", "EN-43", "LS-13")
def test_a_user_in_the_panel_and_on_a_page_of_their_own(way):
    way.go(f"{USERS}?keyword=hana")
    open_profile(way, "Hana Park")
    way.at(f"{USERS}/u-1")
    expect(way.page.locator("main .facts").first).to_contain_text("hana.park@demo.example")
    way.go(f"{USERS}?keyword=hana&user=u-1")
    panel = way.page.locator(".panel")
    expect(panel).to_contain_text("hana.park@demo.example")
    expect(names(way)).to_have_text(["Hana Park"])
    way.press(panel.locator("[data-close]"))
    way.at(USERS, keyword="hana")
    expect(panel).to_have_count(0)


@pytest.mark.slow
@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-44", "LS-13", "DM-07", "DM-19")
def test_a_user_gets_another_name_type_and_team(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.choose_row_action("Hana Park", "/u-1/edit")
    way.fill(way.page.locator("main [name=name]"), "Hana Park-Lee")
    way.choose(way.page.locator("main [name=user_type]"), "STAFF")
    way.choose(way.page.locator("main [name=team_id]"), "t-3")
    submit(way)
    way.at(USERS, keyword="hana")
    expect_message(way)
    expect(names(way)).to_have_text(["Hana Park-Lee"])
    (change,) = sent(console, "PUT", "bizUsers/u-1$")
    assert change == {"name": "Hana Park-Lee", "userType": "STAFF", "subGroupId": "t-3"}


@pytest.mark.req("UC-06", "LS-13")
def test_a_user_moves_to_another_clinic(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.choose_row_action("Hana Park", "/u-1/move")
    way.choose(way.page.locator("main [name=clinic_id]"), "g-2")
    if way.has_scripts:
        expect(way.page.locator("main .show-teams [role=status]")).to_contain_text("Smile Atelier Paris")
    else:
        way.press(way.page.locator("main [name=show_teams]"))
        expect_message(way, "info")
    team = way.page.locator("main [name=team_id]")
    way.choose(team, team.locator("option").nth(1).get_attribute("value") or "")
    submit(way)
    way.at(USERS, keyword="hana")
    expect_message(way)
    expect(names(way)).to_have_count(0)
    (change,) = sent(console, "PUT", "bizUsers/u-1$")
    assert change["mainGroupId"] == "g-2"
    assert change["subGroupId"]
    way.go(f"{CLINICS}/g-2/user?keyword=hana%20park")
    expect(names(way)).to_have_text(["Hana Park"])


@pytest.mark.slow
@pytest.mark.req("UC-06", "LS-13", "DM-17", "DM-18", "VA-30", "VA-31", "VA-33", "ER-22", "ER-23")
def test_a_user_is_deleted_and_another_must_stay(way, console):
    way.go(f"{USERS}?user_type=DOCTOR&size=50")
    way.choose_row_action("Hana Park", "/u-1/delete")
    expect(reasons(way)).to_have_count(0)
    submit(way)
    way.at(USERS, user_type="DOCTOR", size="50")
    expect_message(way)
    expect(find_row(way.page, "Hana Park")).to_have_count(0)
    assert sent(console, "DELETE", "bizUsers/u-1$") == [{}]

    way.choose_row_action("Ahmed Nasser", "/u-4/delete")
    expect(reasons(way)).to_have_count(2)
    expect(reasons(way).first).to_contain_text("Case ")
    expect(way.page.locator("main form [data-variant=danger]")).to_have_count(0)
    way.press(way.page.locator("main .form-actions [data-primary]"))
    expect(reasons(way)).to_have_count(2)
    assert sent(console, "DELETE", "bizUsers/u-4$") == []
    way.press(way.page.locator("main .form-actions a").last)
    way.at(USERS, user_type="DOCTOR", size="50")
    expect(find_row(way.page, "Ahmed Nasser")).to_have_count(1)


@pytest.mark.req("PM-08", "PM-11", "PM-12", "PM-19", "EN-77")
def test_a_user_gets_a_permission_and_follows_the_clinic_again(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.choose_row_action("Hana Park", "/u-1/permissions")
    way.at(USER_PERMISSIONS)
    permit(way, "allow_export", "off")
    assert granted(console, "allowExport") == [False]
    permit(way, "allow_download", "off")
    permit(way, "allow_export", "inherit")
    assert granted(console, "allowExport")[-1] is None
    assert granted(console, "allowDownload")[-1] is False
    way.press(way.page.locator("main a.back"))
    way.at(USERS, keyword="hana")
    open_profile(way, "Hana Park")
    way.at(f"{USERS}/u-1")
    way.press(way.page.locator(f"form[action^='{USER_PERMISSIONS}'] [type=submit]"))
    expect_message(way)
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
    expect_message(way)
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
    expect_message(way, "danger")
    expect(page.locator(".alert[data-tone=success] li")).to_have_text(["bea@new.example"])
    way.fill(page.locator("[name=row-1-email]"), "cy@new.example")
    submit(way)
    way.at(USERS, status="INVITED")
    for name in ("Ada One", "Bea Two", "Cy Three"):
        expect(find_row(page, name)).to_have_count(1)
    assert {mail["to"] for mail in console.sandbox.mails()} == {
        f"{local_part}@new.example" for local_part in ("ada", "bea", "cy")
    }


@pytest.mark.req("DM-48", "EN-45", "LS-13")
def test_a_user_is_locked_and_found_among_the_locked_and_unlocked(way, console):
    way.go(f"{USERS}?keyword=hana")
    way.choose_row_action("Hana Park", "/u-1/lock")
    submit(way)
    way.at(USERS, keyword="hana")
    expect_message(way)
    way.go(f"{USERS}?keyword=hana&status=LOCKED")
    way.choose_row_action("Hana Park", "/u-1/unlock")
    submit(way)
    way.at(USERS, keyword="hana", status="LOCKED")
    expect_message(way)
    expect(names(way)).to_have_count(0)
    assert len(sent(console, "PUT", "u-1/(un)?lock$")) == 2


@pytest.mark.slow
@pytest.mark.req("DM-15", "DM-16", "LS-13")
def test_an_invitation_is_sent_again_and_taken_back(way, console):
    way.go(f"{USERS}?status=INVITED")
    way.choose_row_action("Mei-Ling Chen", "/u-5/invitation/resend")
    way.sees(way.page.locator(".toast" if way.has_scripts else "main .alert[data-tone=success]"))
    way.at(USERS, status="INVITED")
    assert [mail["to"] for mail in console.sandbox.mails()] == ["meiling.chen@demo.example"]
    way.choose_row_action("Mei-Ling Chen", "/u-5/invitation/cancel")
    submit(way)
    way.at(USERS, status="INVITED")
    expect_message(way)
    expect(names(way)).to_have_text(["Анна Кузнецова"])
    assert len(sent(console, "DELETE", "u-5/invitation$")) == 1


@pytest.mark.req("UC-06", "DM-01", "LS-09", "LS-13", "PM-19")
def test_a_user_of_any_clinic_is_found_and_several_are_changed(way, console):
    way.go(ALL_USERS)
    search(way, "hana")
    way.at(ALL_USERS, keyword="hana")
    expect(names(way)).to_have_text(["Hana Park"])
    way.choose_row_action("Hana Park", "/u-1/edit")
    way.fill(way.page.locator("main [name=name]"), "Hana Park-Lee")
    submit(way)
    way.at(ALL_USERS, keyword="hana")
    expect_message(way)
    expect(find_row(way.page, "Hana Park-Lee")).to_contain_text("Seoul Central Dental")

    search(way, "kim")
    way.at(ALL_USERS, keyword="kim")
    expect(names(way)).to_have_count(8)
    choose_rows(way, "permissions")
    way.tick(way.page.locator("[name=allow_export][value=off]"))
    submit(way)
    expect_done(way, 8)
    (change,) = sent(console, "POST", "bulkPermissions")
    assert (len(change["ids"]), change["permissions"]) == (8, {"allowExport": False})
    way.at(ALL_USERS, keyword="kim")
