"""The clicks, keys and page loads of ten daily jobs, whatever is chosen or pasted between them."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.flows import choose_rows, expect_message, names, permitted, reasons, sent, submit
from tests.e2e.pages import ALL_USERS, CLINICS, USERS
from tests.e2e.ways import Way, find_row

pytestmark = pytest.mark.slow

COUNT = """(() => {
  if (!location.protocol.startsWith("http")) return;
  const add = (what) => { sessionStorage[what] = Number(sessionStorage[what] ?? 0) + 1; };
  add("pages");
  addEventListener("pointerdown", () => add("clicks"), true);
  addEventListener("keydown", () => add("keys"), true);
})()"""


@dataclass(frozen=True)
class Effort:
    """The pages are those after the first."""

    clicks: int
    keys: int = 0
    pages: int = 0


@pytest.fixture
def pointer(open_browser):
    """A browser that counts."""
    way = Way(open_browser)
    way.page.add_init_script(COUNT)
    return way


def effort(page: Page) -> Effort:
    clicks, keys, pages = (int(page.evaluate(f"sessionStorage.{what} ?? 0")) for what in ("clicks", "keys", "pages"))
    return Effort(clicks, keys, pages - 1)


@pytest.mark.req("UC-06", "LS-01", "CO-18")
def test_a_person_of_any_clinic_is_found_by_one_click_and_typing(pointer):
    page = pointer.page
    pointer.go(CLINICS)
    pointer.press(page.locator(f"#navigation a[href='{ALL_USERS}']"))
    pointer.at(ALL_USERS)
    page.keyboard.press("/")
    page.keyboard.type("Hana Park")
    expect(names(pointer)).to_have_text(["Hana Park"])
    assert effort(page) == Effort(clicks=1, keys=1 + len("Hana Park"), pages=1)


@pytest.mark.req("DM-01", "LS-06", "LS-08", "LS-15")
def test_three_people_are_removed_by_three_clicks_and_two(pointer, console):
    console.sandbox.seed("g-1", 3)
    page = pointer.page
    pointer.go(f"{USERS}?keyword=seed")
    choose_rows(pointer, "delete", *names(pointer).all_inner_texts())
    submit(pointer)
    expect_message(pointer)
    assert effort(page) == Effort(clicks=3 + 2, pages=2)
    (deletion,) = sent(console, "POST", "bulkDelete$")
    assert len(deletion["ids"]) == 3


@pytest.mark.req("UC-06", "DM-41")
def test_five_people_are_invited_by_four_clicks_and_one_paste(pointer, console):
    page = pointer.page
    pointer.go(ALL_USERS)
    pointer.press(page.locator(".page-actions [data-primary]"))
    pointer.press(page.locator("main .tabs a[href*=several]"))
    pointer.choose(page.locator("main [name=clinic_id]"), "g-2")
    page.locator("main [name=people]").focus()
    page.keyboard.insert_text("\n".join(f"Person {letter} <{letter}@new.example>" for letter in "abcde"))
    pointer.choose(page.locator("main [name=user_type]"), "STAFF")
    pointer.press(page.locator("main [name=add_people]"))
    expect(page.locator("main [name$=-email]")).to_have_count(5)
    submit(pointer)
    pointer.at(ALL_USERS)
    expect_message(pointer)
    assert effort(page) == Effort(clicks=4, pages=4)
    assert {mail["to"] for mail in console.sandbox.mails()} == {f"{letter}@new.example" for letter in "abcde"}
    assert {user["mainGroupId"] for user in sent(console, "POST", "bizUsers$")} == {"g-2"}


@pytest.mark.req("UC-06", "DM-19")
def test_a_user_is_moved_by_three_clicks(pointer):
    page = pointer.page
    pointer.go(f"{USERS}?keyword=hana")
    pointer.choose_row_action("Hana Park", "/u-1/move")
    pointer.choose(page.locator("main [name=clinic_id]"), "g-2")
    expect(page.locator("main .show-teams [role=status]")).to_contain_text("Smile Atelier Paris")
    pointer.choose(
        page.locator("main [name=team_id]"), page.locator("[name=team_id] option").nth(1).get_attribute("value")
    )
    submit(pointer)
    pointer.at(USERS, keyword="hana")
    expect(find_row(page, "Hana Park")).to_have_count(0)
    assert effort(page) == Effort(clicks=3, pages=2)


@pytest.mark.req("PM-12", "UC-06")
def test_the_export_of_a_clinic_is_off_after_two_clicks(pointer, console):
    page = pointer.page
    pointer.go(USERS)
    pointer.press(page.locator(".tabs a[href$='/permissions']"))
    expect(permitted(pointer, "allow_export")).to_be_checked()
    pointer.press(permitted(pointer, "allow_export"))
    expect(page.locator("main .permission-saved:not(:empty)")).not_to_be_empty()
    assert effort(page) == Effort(clicks=2, pages=1)
    (change,) = sent(console, "PUT", "bizMainGroups/g-1/permissions$")
    assert change["permissions"] == {"allowExport": False}


@pytest.mark.req("DM-18", "VA-33")
def test_two_clicks_show_why_a_clinic_is_blocked(pointer):
    pointer.go(CLINICS)
    pointer.choose_row_action("Seoul Central Dental", "/delete")
    expect(reasons(pointer)).to_have_count(4)
    assert effort(pointer.page) == Effort(clicks=2, pages=1)


@pytest.mark.req("LS-11", "UC-06")
def test_a_file_is_imported_by_four_clicks(pointer, console):
    page = pointer.page
    pointer.go(USERS)
    pointer.press(page.locator(".page-actions a[href$='/import']"))
    with page.expect_file_chooser() as chooser:
        pointer.press(page.locator("main [type=file]"))
    text = "Name,Type,Email,Team\nAda New,Doctor,ada.new@clinic.example,\n"
    chooser.value.set_files({"name": "rows.csv", "mimeType": "text/csv", "buffer": text.encode()})
    submit(pointer)
    pointer.sees(page.locator(".csv-import"))
    submit(pointer)
    expect_message(pointer)
    assert effort(page) == Effort(clicks=4, pages=3)
    assert [mail["to"] for mail in console.sandbox.mails()] == ["ada.new@clinic.example"]


@pytest.mark.req("UC-06", "DM-11")
def test_a_typo_in_a_name_is_mended_by_three_clicks(pointer, console):
    page = pointer.page
    pointer.go(f"{USERS}?keyword=hana")
    pointer.choose_row_action("Hana Park", "/u-1/edit")
    pointer.fill(page.locator("main [name=name]"), "Hannah Park")
    submit(pointer)
    pointer.at(USERS, keyword="hana")
    expect_message(pointer)
    assert effort(page) == Effort(clicks=3, pages=2)
    (change,) = sent(console, "PUT", "bizUsers/u-1$")
    assert change["name"] == "Hannah Park"


@pytest.mark.req("DM-15", "DM-19")
def test_an_invitation_is_sent_again_by_one_click_in_the_menu_of_its_row_and_no_page(pointer, console):
    page = pointer.page
    pointer.go(f"{USERS}?status=INVITED")
    pointer.choose_row_action("Mei-Ling Chen", "/u-5/invitation/resend")
    expect(page.locator(".toast")).to_have_text(re.compile("^Invitation sent to .*It expires"))
    assert effort(page) == Effort(clicks=1 + 1)
    assert len(console.sandbox.mails()) == 1


@pytest.mark.req("DM-15")
def test_an_invitation_is_sent_again_by_one_click_on_the_page_of_its_user(pointer, console):
    page = pointer.page
    pointer.go(f"{USERS}/u-5")
    pointer.press(page.locator(".page-actions form button"))
    pointer.sees(page.get_by_text(re.compile("Invitation sent to .*It expires")).first)
    assert effort(page) == Effort(clicks=1, pages=1)
    assert len(console.sandbox.mails()) == 1


@pytest.mark.req("PM-12", "PM-19")
def test_permissions_are_copied_from_another_user_by_four_clicks(pointer, console):
    page = pointer.page
    pointer.go(USERS)
    pointer.press(find_row(page, "Hana Park").locator("th a"))
    pointer.press(page.locator(".panel a[href*='/u-1/permissions/copy']"))
    pointer.press(find_row(page, "Grace Kim").locator("th a"))
    submit(pointer)
    expect_message(pointer)
    assert effort(page) == Effort(clicks=4, pages=3)
    (change,) = sent(console, "PUT", "bizUsers/u-1/permissions$")
    assert change["permissions"] == {"allowExport": True}


@pytest.mark.req("PM-12", "PM-19", "DM-01")
def test_permissions_are_copied_to_three_others_by_three_clicks_and_three(pointer, console):
    page = pointer.page
    pointer.go(f"{USERS}?size=10")
    chosen = names(pointer).all_inner_texts()[:3]
    choose_rows(pointer, "permissions", *chosen)
    pointer.choose(page.locator("main [name=source]"), "u-1")
    submit(pointer)
    expect_message(pointer)
    assert effort(page) == Effort(clicks=3 + 3, pages=2)
    (change,) = sent(console, "POST", "bulkPermissions$")
    assert len(change["ids"]) == 3
    assert len(change["permissions"]) == 5
