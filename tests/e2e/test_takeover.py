"""A new administrator sets up an organization from spreadsheets: twelve clinics and three hundred users."""

import csv
import io
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.e2e.pages import ALL_USERS, CLINICS, bulk_action
from tests.e2e.running import Console
from tests.e2e.ways import find_row

pytestmark = pytest.mark.slow
EMAIL, PASSWORD = "empty@demo.example", "Empty123!"
HEADER = ["Name", "Type", "Email", "Clinic", "Team"]
TYPES = ("Doctor", "Staff", "Staff")
STAFF = 192

Rows = list[list[str]]


def clinic_name(number: int) -> str:
    return f"Clinic {number:02}"


def people() -> Rows:
    """Return 25 people for each clinic, in no team yet."""
    return [
        [f"Person {clinic}-{n}", TYPES[n % 3], f"p{n}@c{clinic}.example", clinic_name(clinic), ""]
        for clinic in range(12)
        for n in range(25)
    ]


def upload(page: Page, rows: Rows) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    file = {"name": "sheet.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()}
    page.get_by_label("CSV or XLSX file").set_input_files(file)  # type: ignore[arg-type]  # a file as a dictionary
    page.get_by_role("button", name="Check file").click()


def bring(page: Page, rows: Rows, good: int) -> None:
    """Upload a file and import its valid rows, without those that have unknown values."""
    upload(page, rows)
    if good < len(rows) - 1:
        expect(page.get_by_role("heading", name="Match the values")).to_be_visible()
        for choice in page.locator(".value-choices select").all():
            choice.select_option("")
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text(f"{good} rows can be imported.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.locator(".csv-import").get_by_text(f"{good} rows were imported.")).to_be_visible()


def read_rows(download: Download) -> Rows:
    return list(csv.reader(io.StringIO(download.path().read_text("utf-8-sig"), newline="")))


def do_to_all(page: Page, address: str, action: str, answer: Callable[[], object] = lambda: None) -> int:
    """Do something to all rows of a list, on all pages; return the number of rows."""
    page.goto(address)
    page.locator("tbody [name=id]").first.check()
    page.locator(".bulk-bar [name=all]").check()
    bulk_action(page, action, Locator.click).click()
    chosen = page.get_by_text(re.compile(r"^\d+ (users?|clinics?) selected$"))
    expect(chosen).to_be_visible()
    count = int(chosen.inner_text().split()[0])
    answer()
    page.locator(".bulk-plan [data-primary]").click()
    done = page.locator("#messages .alert[data-tone=success]")
    expect(done).to_contain_text(str(count), timeout=20_000)
    return count


@pytest.mark.req("UC-04", "UC-05", "UC-06", "LS-06", "LS-08", "LS-11", "DM-01", "DM-03", "DM-14", "DM-15", "ER-22")
def test_twelve_clinics_and_three_hundred_people(console: Console, open_browser):
    page = open_browser(logged_in=False)
    page.context.add_cookies([{"name": "auth", "value": console.log_in(EMAIL, PASSWORD), "url": console.url}])

    # First the clinics, then their users, from files of a hundred rows.
    page.goto(CLINICS)
    page.get_by_role("link", name="Import clinics").click()
    bring(page, [["Name", "Country"], *([clinic_name(n), "KR"] for n in range(12))], 12)
    page.get_by_role("link", name="Import users for all clinics").click()
    everybody = people()
    first = [row[:] for row in everybody[:100]]
    first[0][2], first[1][1], first[2][0], first[3][3], first[4][4] = "nobody", "Robot", "", "Clinic 99", "No such team"
    bring(page, [HEADER, *first], 95)

    # The five rejected rows come back with reasons; the same file is corrected and uploaded again.
    with page.expect_download() as download:
        page.get_by_role("button", name="Download rows that weren't imported").click()
    header, *bad = read_rows(download.value)
    assert header == ["Name", "Type", "Email", "Team", "Clinic", "Reason"]
    assert [row[-1] for row in bad] == [
        "Invalid email",
        "The type must be Doctor or Staff.",
        "Enter name",
        "No clinic has this name.",
        "No team has this name",
    ]
    bad[0][2], bad[1][1], bad[2][0], bad[3][4], bad[4][3] = "p0@c0.example", "Staff", "Person 0-2", clinic_name(0), ""
    page.get_by_role("link", name="Choose another file").click()
    bring(page, [header, *bad], 5)
    for start in (100, 200):
        page.get_by_role("link", name="Choose another file").click()
        bring(page, [HEADER, *everybody[start : start + 100]], 100)

    # Uploading a file again changes nothing, because everybody in it already exists.
    page.get_by_role("link", name="Choose another file").click()
    upload(page, [HEADER, *everybody[:100]])
    expect(page.get_by_text("0 rows can be imported.")).to_be_visible()
    expect(page.get_by_text("Up to date")).to_have_count(100)
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator(".list-status")).to_have_text("1 to 25 of 300")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Clinics").click()
    expect(page.get_by_text("300 users")).to_be_visible()
    homes = [link.evaluate("a => a.pathname") for link in page.get_by_role("rowheader").get_by_role("link").all()]
    assert len(homes) == 12

    # Add a team to three of the clinics, and move the clinic's staff into it.
    team = page.get_by_label("Team", exact=True)
    for home in homes[:3]:
        page.goto(f"{str(home).removesuffix('/user')}/team/new")
        page.get_by_label("Name").fill("Front desk")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("was created.").first).to_be_visible()
        do_to_all(page, f"{home}?user_type=STAFF", "move", lambda: team.select_option(label="Front desk"))
    page.goto("/user-manage/team?sort=user_count")
    expect(page.get_by_role("cell", name="16", exact=True)).to_have_count(3)

    # Turn export off for the staff of all clinics; doctors keep it.
    switch = page.get_by_role("group", name="Allow exports").get_by_label("Off")
    off = do_to_all(page, f"{ALL_USERS}?user_type=STAFF", "permissions", switch.check)
    assert off == STAFF
    for home in homes[::5]:
        for kind, may_export in (("STAFF", False), ("DOCTOR", True)):
            page.goto(f"{home}?user_type={kind}")
            page.goto(
                f"{page.get_by_role('rowheader').get_by_role('link').last.evaluate('a => a.pathname')}/permissions"
            )
            description = re.compile(r"On \(" if may_export else r"Off \(own setting")
            expect(page.get_by_role("group", name="Allow exports")).to_have_accessible_description(description)

    # Four people leave, one of whom has an ongoing case.
    home = str(homes[0])
    console.sandbox.seed(home.split("/")[-2], 1, blocked=1)
    page.goto(f"{home}?size=50")
    names = page.locator("tbody th bdi:not(small *)")
    busy = next(name for name in names.all_inner_texts() if not name.startswith("Person"))
    page.goto(ALL_USERS)
    for name in ("Person 0-10", "Person 4-11", "Person 11-12", busy):
        page.get_by_role("searchbox").fill(name)
        expect(names.first).to_have_text(name)
        find_row(page, name).locator("[name=id]").check()
    bulk_action(page, "delete", Locator.click).click()
    expect(page.get_by_text("1 user can't be deleted.")).to_be_visible()
    page.get_by_role("button", name="Delete 3 users").click()
    expect(page.get_by_text("3 users deleted.")).to_be_visible()
    expect(page.get_by_text(re.compile("ordered cases? (is|are) still in progress"))).to_be_visible()

    # All invitations have expired in the meantime and are sent again.
    console.sandbox.advance(8 * 24 * 3600)
    before = len(console.sandbox.mails())
    assert do_to_all(page, f"{ALL_USERS}?status=INVITATION_EXPIRED", "resend") == 297
    assert len(console.sandbox.mails()) - before == 297
