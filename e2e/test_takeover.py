"""A new administrator takes over an organization from a spreadsheet: twelve clinics and three hundred people."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import Console
from e2e.pages import CLINICS

EMAIL, PASSWORD = "empty@demo.example", "Empty123!"
TYPES = ("Doctor", "Staff", "Staff")


def sheet(rows: list[list[str]]) -> dict[str, object]:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return {"name": "sheet.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()}


def people(clinic: int) -> list[list[str]]:
    rows = [[f"Person {clinic}-{n}", TYPES[n % 3], f"p{n}@c{clinic}.example", ""] for n in range(25)]
    return [["Name", "Type", "Email", "Team"], *rows]


def bring(page: Page, rows: list[list[str]], good: int) -> None:
    """Upload a file, and import its good rows."""
    page.get_by_label("CSV file").set_input_files(sheet(rows))  # type: ignore[arg-type]  # a file as a dictionary
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_text(f"{good} rows can be imported.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.get_by_text(f"{good} rows were imported.")).to_be_visible()


def choose_all(page: Page, action: str) -> None:
    page.get_by_label("All rows that match, on all pages").check()
    page.locator("form.bulk-bar").get_by_role("button", name=action, exact=True).click()
    expect(page.get_by_text(re.compile("rows? chosen"))).to_be_visible()


@pytest.mark.req("UC-04", "UC-05", "UC-06", "LS-06", "LS-08", "LS-11", "DM-01", "DM-03", "DM-14", "DM-15", "ER-22")
def test_twelve_clinics_and_three_hundred_people(console: Console, open_browser):
    page = open_browser(logged_in=False)
    page.context.add_cookies([{"name": "auth", "value": console.log_in(EMAIL, PASSWORD), "url": console.url}])
    page.goto(f"{CLINICS}/import")
    bring(page, [["Name", "Country"], *([f"Clinic {n:02}", "KR"] for n in range(12))], 12)
    page.get_by_role("link", name="Back to the list").click()
    expect(page.get_by_role("rowheader")).to_have_count(12)
    homes = [link.get_attribute("href") for link in page.get_by_role("rowheader").get_by_role("link").all()]

    # The people of each clinic; in the first file five rows are wrong, and come back corrected.
    for number, home in enumerate(homes):
        page.goto(f"{home}/import")
        rows = people(number)
        if number:
            bring(page, rows, 25)
            continue
        wrong = [row[:] for row in rows]
        wrong[1][2], wrong[2][1], wrong[3][0], wrong[4][2], wrong[5][3] = "nobody", "Robot", "", wrong[6][2], "No such"
        bring(page, wrong, 20)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the rows not imported").click()
        header, *bad = csv.reader(io.StringIO(download.value.path().read_text("utf-8-sig"), newline=""))
        assert header[-1] == "Reason"
        assert len(bad) == 5
        assert all(row[-1] for row in bad)
        page.get_by_role("link", name="Choose another file").click()
        missing = [row for row in rows[1:] if row[2] not in {r[2] for r in wrong[1:]} or row in rows[1:6]]
        bring(page, [rows[0], *missing[:5]], 5)
    page.goto(CLINICS)
    expect(page.get_by_text("300 users")).to_be_visible()

    # Put people into a team.
    home = homes[0]
    page.goto(f"{str(home).removesuffix('/user')}/team/new")
    page.get_by_label("Name").fill("Front desk")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Team created.").first).to_be_visible()
    page.goto(f"{home}?user_type=STAFF&size=50")
    staff = page.get_by_role("rowheader").count()
    choose_all(page, "Move to a team")
    page.get_by_label("Team", exact=True).select_option(label="Front desk")
    page.get_by_role("button", name="Move users").click()
    expect(page.get_by_text(f"{staff} rows are done.")).to_be_visible()

    # No export for staff.
    page.goto(f"{home}?user_type=STAFF")
    choose_all(page, "Change permissions")
    page.get_by_label("Allow export").select_option(label="Off")
    page.get_by_role("button", name="Change permissions").click()
    expect(page.get_by_text(f"{staff} rows are done.")).to_be_visible()

    # Four leavers, of whom one has an ongoing case.
    clinic = str(home).split("/")[-2]
    console.sandbox.seed(clinic, 1, blocked=1)
    page.goto(f"{home}?size=50")
    for name in ("Person 0-10", "Person 0-11", "Person 0-12"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    names = [head.inner_text() for head in page.get_by_role("rowheader").all()]
    page.get_by_role("checkbox", name=next(n for n in names if not n.startswith("Person")), exact=True).check()
    page.locator("form.bulk-bar").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("1 row can't be done right now; the others can.")).to_be_visible()
    page.get_by_role("button", name="Delete users").click()
    expect(page.get_by_text("3 rows are done.")).to_be_visible()
    expect(page.get_by_text(re.compile("ongoing ordered case"))).to_be_visible()

    # The invitations that ended in the meantime go out again.
    console.sandbox.advance(8 * 24 * 3600)
    page.goto(f"{home}?status=INVITATION_EXPIRED&size=50")
    ended = page.get_by_role("rowheader").count()
    assert ended == 22
    choose_all(page, "Send invitations again")
    page.get_by_role("button", name="Send invitations again").click()
    expect(page.get_by_text(f"{ended} rows are done.")).to_be_visible()
