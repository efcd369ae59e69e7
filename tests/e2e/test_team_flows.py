"""Teams, in every way of using the console: what is shown, stored and sent, in any language."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import expect_message, names, search, sent, submit
from tests.e2e.pages import TEAMS, USERS
from tests.e2e.ways import find_row

ALL_TEAMS = "/user-manage/team"


@pytest.mark.req("UC-05", "DM-11", "EN-39")
def test_teams_come_and_go(way, console):
    way.go(TEAMS)
    way.press(way.page.locator(".page-actions [data-primary]"))
    name, kind = way.page.locator("main [name=name]"), way.page.locator("main [name=team_type]")
    way.fill(name, "North")
    way.choose(kind, "ORTHODONTICS")
    way.press(way.page.locator("[name=another]"))
    expect_message(way)
    expect(kind).to_have_value("ORTHODONTICS")
    way.fill(name, "South")
    submit(way)
    way.at(TEAMS)
    expect(names(way)).to_have_text(["Front desk", "North", "Orthodontics", "Prosthodontics", "South"])

    way.choose_row_action("North", "/edit")
    way.fill(name, "North East")
    way.choose(kind, "GENERAL")
    submit(way)
    way.at(TEAMS)
    assert sent(console, "PUT", "bizSubGroups") == [{"name": "North East", "teamType": "GENERAL"}]

    way.choose_row_action("North East", "/delete")
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(TEAMS)
    expect_message(way)
    expect(names(way)).to_have_text(["Front desk", "Orthodontics", "Prosthodontics", "South"])


@pytest.mark.req("UC-05", "EN-44")
def test_the_users_of_a_team_that_is_deleted_move(way, console):
    way.go(TEAMS)
    way.choose_row_action("Front desk", "/delete")
    way.press(way.page.locator("main form [data-variant=danger]"))
    expect_message(way, "danger")
    assert sent(console, "DELETE", "bizSubGroups") == []
    way.choose(way.page.locator("[name=move_users_to]"), "t-2")
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(TEAMS)
    expect(names(way)).to_have_text(["Orthodontics", "Prosthodontics"])
    way.press(find_row(way.page, "Orthodontics").locator("th a"))
    way.at(USERS, team="t-2")
    expect(names(way)).to_have_count(25)
    expect(way.page.locator(".list-status")).to_contain_text(re.compile(r"\b(?:26|٢٦)\b"))


@pytest.mark.slow
@pytest.mark.req("UC-05", "RT-30", "LS-13")
def test_a_team_is_found_among_those_of_all_clinics(way, console):
    way.go(ALL_TEAMS)
    search(way, "ortho", team_type="ORTHODONTICS")
    way.at(ALL_TEAMS, keyword="ortho", team_type="ORTHODONTICS")
    expect(find_row(way.page, "Orthodontics")).to_have_count(15)
    way.choose_row_action("Orthodontics", "/t-2/edit")
    way.fill(way.page.locator("main [name=name]"), "Orthodontics Seoul")
    submit(way)
    way.at(ALL_TEAMS, keyword="ortho", team_type="ORTHODONTICS")
    expect(find_row(way.page, "Orthodontics Seoul")).to_contain_text("Seoul Central Dental")
    assert sent(console, "PUT", "bizSubGroups/t-2$") == [{"name": "Orthodontics Seoul"}]
