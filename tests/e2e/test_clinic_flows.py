"""Clinics, in every way of using the console: what is shown, stored and sent, in any language."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import (
    back_to_list,
    expect_message,
    granted,
    names,
    permit,
    permitted,
    reasons,
    search,
    sent,
    submit,
)
from tests.e2e.pages import CLINIC_PERMISSIONS, CLINICS


@pytest.mark.req("UC-04", "LS-02", "LS-03", "DM-04", "DM-08", "DM-10")
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
    way.press(way.page.locator(".empty > a.button"))
    expect(names(way)).to_have_count(10)
    way.press(way.page.locator(".pager-sizes a[href*='size=25']"))
    expect(names(way)).to_have_count(24)
    head = way.page.locator("th", has=way.page.locator("a[href*='sort=user_count']"))
    way.press(head.locator("a"))
    expect(head).to_have_attribute("aria-sort", "ascending")
    fewest = ["Улыбка", "한강 어린이치과", "مركز الابتسامة"]
    assert names(way).all_inner_texts()[:3] == fewest
    way.press(head.locator("a"))
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names(way).all_inner_texts()[:3] != fewest
    way.at(CLINICS, sort="user_count", order="desc")


@pytest.mark.req("UC-04", "DM-11", "DM-19", "LS-13", "LS-15", "EN-36", "VA-36")
def test_clinics_come_and_go(way, console):
    way.go(f"{CLINICS}?country_code=FR")
    way.press(way.page.locator(".page-actions [data-primary]"))
    name, country = way.page.locator("main [name=name]"), way.page.locator("main [name=country_code]")
    way.fill(name, "Nord")
    way.choose(country, "FR")
    way.press(way.page.locator("[name=another]"))
    expect_message(way)
    expect(name).to_have_value("")
    expect(country).to_have_value("FR")
    way.fill(name, "Sud")
    submit(way)
    way.at(CLINICS, country_code="FR")
    expect(names(way)).to_have_text(["Nord", "Smile Atelier Paris", "Sud"])

    way.choose_row_action("Nord", "/edit")
    way.fill(way.page.locator("[name=dentist_count]"), "٣")
    way.fill(name, "Nord-Est")
    submit(way)
    way.at(CLINICS, country_code="FR")
    expect_message(way)
    assert sent(console, "PUT", "bizMainGroups") == [{"name": "Nord-Est", "dentistCount": 3}]

    way.choose_row_action("Nord-Est", "/delete")
    way.press(way.page.locator("main form [data-variant=danger]"))
    expect_message(way, "danger")
    assert sent(console, "DELETE", "bizMainGroups") == []
    way.fill(way.page.locator("[name=typed_name]"), "Nord-Est")
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(CLINICS, country_code="FR")
    expect(names(way)).to_have_text(["Smile Atelier Paris", "Sud"])
    assert len(sent(console, "DELETE", "bizMainGroups")) == 1


@pytest.mark.slow
@pytest.mark.req("VA-29", "VA-33", "ER-24", "DM-18")
def test_a_clinic_with_partners_stays_and_says_why(way, console):
    way.go(CLINICS)
    way.choose_row_action("Seoul Central Dental", "/delete")
    expect(reasons(way)).to_have_count(4)
    expect(way.page.locator("[name=typed_name]")).to_have_count(0)
    assert sent(console, "DELETE", "bizMainGroups") == []


@pytest.mark.slow
@pytest.mark.req("DM-18", "VA-33", "LS-13")
def test_the_users_of_a_blocked_clinic_are_moved_in_two_presses(way, console):
    blocked = f"{CLINICS}/g-18/delete"
    way.go(f"{CLINICS}?country_code=EG")
    way.choose_row_action("مركز الابتسامة", "/delete")
    way.at(blocked)
    way.press(reasons(way).locator("button"))
    way.choose(way.page.locator("main [name=clinic]"), "g-1")
    submit(way)
    way.sees(way.page.locator("[data-selection-done] ~ .alert[data-tone=warning]"))
    (move,) = sent(console, "POST", "bulkUpdate")
    assert (len(move["ids"]), move["set"]) == (8, {"mainGroupId": "g-1"})
    back_to_list(way)
    way.at(blocked)
    expect(reasons(way)).to_have_count(2)
    expect(reasons(way).last.locator("a")).to_have_count(1)
    way.press(way.page.locator("main .form-actions a").last)
    way.at(CLINICS, country_code="EG")


@pytest.mark.req("PM-08", "PM-12", "PM-18", "EN-73", "EN-77")
def test_what_a_clinic_may_do_and_where_it_orders(way, console):
    way.go(CLINICS)
    way.choose_row_action("Seoul Central Dental", "/permissions")
    way.at(CLINIC_PERMISSIONS)
    permit(way, "allow_export", "off")
    assert granted(console, "allowExport") == [False]
    way.go(CLINIC_PERMISSIONS)
    expect(permitted(way, "allow_export")).not_to_be_checked()
    expect(permitted(way, "allow_download")).to_be_checked()

    labs = way.page.locator(".labs")
    expect(labs.get_by_role("checkbox")).to_have_count(2)
    strangers = labs.locator("li").filter(has_not=way.page.get_by_role("checkbox"))
    expect(strangers).to_have_count(41)
    expect(strangers.locator(".muted")).to_have_count(41)
    expect(strangers.locator(".muted:empty")).to_have_count(0)
    way.tick(labs.get_by_label("Borealis Dental Lab"), on=False)
    way.press(labs.locator("[type=submit]"))
    expect_message(way)
    expect(labs.get_by_label("Borealis Dental Lab")).not_to_be_checked()
    (change,) = [body for body in sent(console, "PUT", "permissions$") if body.get("orderLabs")]
    assert change["orderLabs"] == [{"labId": change["orderLabs"][0]["labId"], "allowed": False}]
