"""Bulk actions and files, in every way of using the console: what is shown, stored and sent."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import (
    back_to_list,
    choose_rows,
    expect_done,
    expect_message,
    file_link,
    names,
    refused,
    results,
    search,
    sent,
    submit,
)
from tests.e2e.http_client import logged_in
from tests.e2e.pages import CLINICS, USERS

IMPORT = "/import"


@pytest.mark.slow
@pytest.mark.req("DM-01", "LS-09", "LS-13")
def test_the_permissions_of_many_clinics(way, console):
    chosen = ["Smile Atelier Paris", "Tulip Tandartsen"]
    way.go(f"{CLINICS}?size=10")
    choose_rows(way, "permissions", *chosen)
    expect(way.page.locator(".bulk-rows li")).to_have_text([re.compile(name) for name in chosen])
    submit(way)
    expect_message(way, "danger")
    way.tick(way.page.locator("[name=allow_download][value=off]"))
    submit(way)
    expect_done(way, 2)
    (change,) = sent(console, "POST", "bulkPermissions")
    assert (len(change["ids"]), change["permissions"]) == (2, {"allowDownload": False})
    way.at(CLINICS, size="10")
    expect(way.page.locator("tbody [name=id]:checked")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.req("DM-01", "DM-02", "DM-17", "DM-18", "LS-09", "LS-15", "VA-29")
def test_many_clinics_are_deleted_but_those_that_must_stay(way, console):
    for name in ("Nord", "Sud"):
        logged_in(console).post(f"{CLINICS}/new", {"name": name, "country_code": "FR"})
    way.go(f"{CLINICS}?country_code=FR")
    choose_rows(way, "delete", "Nord", "Smile Atelier Paris", "Sud")
    expect_message(way, "warning")
    expect(way.page.locator(".bulk-rows > li", has=way.page.locator(".bulk-blockers"))).to_contain_text(
        "Smile Atelier Paris"
    )
    count_field = way.page.locator("[name=typed]")
    way.fill(count_field, "3")
    submit(way)
    refused(way, count_field)
    assert sent(console, "POST", "bulkDelete") == []
    way.fill(count_field, "2")
    submit(way)
    way.sees(results(way, "danger"))
    expect(results(way, "success")).to_have_count(2)
    back_to_list(way)
    way.at(CLINICS, country_code="FR")
    expect(names(way)).to_have_text(["Smile Atelier Paris"])
    assert [len(body["ids"]) for body in sent(console, "POST", "bulkDelete")] == [2]


@pytest.mark.slow
@pytest.mark.req("DM-13", "LS-11")
def test_clinics_leave_and_come_as_a_file(way, console):
    way.go(CLINICS)
    search(way, "", country_code="EG")
    way.at(CLINICS, country_code="EG")
    _, *rows = way.download(file_link(way, "/export"))
    assert [row[0] for row in rows] == names(way).all_inner_texts()
    way.press(file_link(way, CLINICS + IMPORT))
    way.at(CLINICS + IMPORT)
    header, example = way.download(way.page.locator("a[download]"))
    assert len(header) == len(example)
    way.upload(way.page.locator("[type=file]"), [["Name", "Country"], ["Aswan Dental", "EG"], ["Nowhere", "ZZ"]])
    submit(way)
    expect(way.page.locator(".value-choice bdi")).to_contain_text(["ZZ"])
    submit(way)
    expect_message(way, "warning")
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
    _, *rows = way.download(file_link(way, "/export"))
    assert [row[0] for row in rows] == names(way).all_inner_texts()
    way.press(file_link(way, IMPORT))
    way.at(USERS + IMPORT)
    header, ada = ["Name", "Type", "Email", "Team"], ["Ada New", "DOCTOR", "ada@new.example", "Front desk"]
    way.upload(way.page.locator("[type=file]"), [header, ada, ["No Mail", "STAFF", "", ""]])
    submit(way)
    expect_message(way, "warning")
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


@pytest.mark.req("DM-01", "LS-09", "LS-13")
def test_many_users_get_another_team_type_and_clinic(way, console):
    way.go(f"{USERS}?keyword=park")
    for action, field, value in (("move", "team", "t-3"), ("type", "user_type", "STAFF")):
        choose_rows(way, action, "Hana Park", "박지훈")
        way.choose(way.page.locator(f"main [name={field}]"), value)
        submit(way)
        expect_done(way, 2)
        way.at(USERS, keyword="park")
        expect(way.page.locator("tbody [name=id]:checked")).to_have_count(0)
    choose_rows(way, "move-to-clinic", "Hana Park")
    way.choose(way.page.locator("main [name=clinic]"), "g-2")
    submit(way)
    expect_done(way, 1)
    way.at(USERS, keyword="park")
    expect(names(way)).to_have_text(["박지훈"])
    team, kind, clinic = sent(console, "POST", "bulkUpdate")
    assert (team["set"], kind["set"]) == ({"subGroupId": "t-3"}, {"userType": "STAFF"})
    assert clinic["set"]["mainGroupId"] == "g-2"


@pytest.mark.req("DM-01", "DM-15", "DM-16", "LS-09", "PM-19")
def test_many_users_get_permissions_and_invitations(way, console):
    way.go(f"{USERS}?status=INVITED")
    choose_rows(way, "permissions")
    way.tick(way.page.locator("[name=allow_export][value=off]"))
    way.tick(way.page.locator("[name=allow_download][value=inherit]"))
    submit(way)
    expect_done(way, 2)
    (change,) = sent(console, "POST", "bulkPermissions")
    assert change["permissions"] == {"allowExport": False, "allowDownload": None}
    way.at(USERS, status="INVITED")
    for action in ("resend", "cancel"):
        choose_rows(way, action, "Mei-Ling Chen")
        submit(way)
        expect_done(way, 1)
        way.at(USERS, status="INVITED")
    assert [mail["to"] for mail in console.sandbox.mails()] == ["meiling.chen@demo.example"]
    expect(names(way)).to_have_text(["Анна Кузнецова"])


@pytest.mark.slow
@pytest.mark.req("DM-01", "DM-02", "DM-03", "DM-17", "DM-18", "LS-08", "LS-09", "LS-15", "ER-22")
def test_all_users_that_match_are_deleted_and_the_failed_ones_again(way, console):
    seeded = console.sandbox.seed("g-1", 12, blocked=2)
    console.sandbox.faults({"path": f"bulkDelete/{seeded['last']}$", "code": 10000, "times": 1})
    way.go(f"{USERS}?keyword=seed&size=10")
    choose_rows(way, "delete")
    expect_message(way, "warning")
    expect(way.page.locator(".bulk-blockers a")).to_have_count(2)
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
    way.press(way.page.locator(".notice-actions [name=retry]"))
    expect(results(way, "success")).to_have_count(1)
    expect(results(way, "danger")).to_have_count(2)
    assert [len(body["ids"]) for body in sent(console, "POST", "bulkDelete")] == [10, 1], (
        "what is blocked is not sent again"
    )
    back_to_list(way)
    way.at(USERS, keyword="seed", size="10")
    expect(names(way)).to_have_count(2)
