"""Files that are chosen in a browser: one that is gone by then, and another sheet of a workbook."""

import io
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import CLINICS


def workbook() -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Summary"
    book.worksheets[0].append(["Export summary"])
    sheet = book.create_sheet("Clinics")
    for row in (["Name", "Country"], ["Harbor", "US"], ["Nord", "DE"], ["Ost", "DE"]):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.req("DM-42")
def test_a_file_that_was_deleted_after_it_was_chosen_is_reported_in_the_form(page: Page, tmp_path: Path):
    path = tmp_path / "clinics.csv"
    path.write_text("Name,Country\nHarbor,US\n")
    page.goto(f"{CLINICS}/import")
    page.locator("main [type=file]").set_input_files(path)
    page.locator("main [name=overwrite]").check()
    path.unlink()
    page.get_by_role("button", name="Check file").click()
    error = page.get_by_text("The file was changed, moved, or deleted after you chose it.")
    expect(error).to_be_visible()
    expect(page.locator("main [name=overwrite]")).to_be_checked()
    path.write_text("Name,Country\nHarbor,US\n")
    page.locator("main [type=file]").set_input_files(path)
    expect(error).to_be_hidden()
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_text("1 row can be imported.")).to_be_visible()


@pytest.mark.slow
@pytest.mark.req("DM-42")
def test_another_sheet_is_read_without_choosing_the_file_again(page: Page):
    page.goto(f"{CLINICS}/import")
    mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    page.locator("main [type=file]").set_input_files({"name": "a.xlsx", "mimeType": mime, "buffer": workbook()})
    page.get_by_role("button", name="Check file").click()
    page.get_by_label("Sheet").select_option("Clinics")
    page.get_by_role("button", name="Use this sheet").click()
    expect(page.get_by_text("2 rows can be imported.")).to_be_visible()
    expect(page.get_by_text("1 hidden row was ignored.")).to_be_visible()


@pytest.mark.req("DM-42", "RT-44")
def test_back_leads_through_the_steps_of_an_import_with_its_answers(page: Page):
    text = "Person;Funktion;Kontakt\nAda New;Zahnarzt;ada.new@clinic.example\n"
    page.goto(f"{CLINICS}/g-1/user/import")
    page.locator("main [type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": text.encode()})
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_label("Email")).to_have_value("2")
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Zahnarzt").select_option("Staff")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("1 row can be imported.")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Zahnarzt")).to_have_value("=STAFF")
    page.go_back()
    expect(page.get_by_label("Email")).to_have_value("2")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("1 row can be imported.")).to_be_visible()
