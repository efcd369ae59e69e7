"""The export of the selected rows of a list."""

import csv
import io

import openpyxl
import pytest

from tests.support.bulk import ALL_USERS, CALL, USERS, get_list_query, has_users

EXPORT = f"{USERS}/export"


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 3)
    return administrator


def names(response):
    rows = csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"), newline=""))
    return [row[0] for row in rows]


@pytest.mark.req("LS-10")
@pytest.mark.parametrize("data", [{"id": ["u-1", "u-3"]}, {"id": ["u-1"], "ids": "u-3"}])
def test_only_the_selected_rows_are_exported_also_those_of_other_pages(administrator, upstream, data):
    query = get_list_query(administrator, USERS)
    response = administrator.post(EXPORT, {**data, "query": query})
    assert names(response) == ["Name", "User 1", "User 3"]
    assert upstream.query(CALL)["ids"] == ["u-1", "u-3"]
    assert response.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.req("LS-10")
def test_a_selection_is_exported_as_a_workbook_too(administrator):
    data = {"id": ["u-2"], "query": get_list_query(administrator, USERS)}
    book = openpyxl.load_workbook(io.BytesIO(administrator.post(f"{EXPORT}/xlsx", data).getvalue()))
    assert [row[0].value for row in book.worksheets[0].iter_rows()] == ["Name", "User 2"]


@pytest.mark.req("LS-10")
def test_all_that_match_are_exported_but_those_that_were_left_out(administrator, upstream):
    query = get_list_query(administrator, f"{USERS}?status=ACTIVE&sort=email&order=desc")
    response = administrator.post(EXPORT, {"all": "1", "except": "u-2", "query": query})
    assert names(response) == ["Name", "User 1", "User 3"]
    sent = upstream.query(CALL)
    assert (sent["status"], sent["sort"], sent["order"]) == (["ACTIVE"], ["email"], ["desc"])


@pytest.mark.req("LS-10")
@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "Select at least one row first."),
        ({"id": ["u-1"], "query": "3?#:forged"}, "You can&#x27;t use this selection here."),
    ],
)
def test_a_selection_that_is_empty_or_of_elsewhere_leads_back_to_the_list(administrator, data, message):
    data = {"query": get_list_query(administrator, USERS), **data}
    response = administrator.post(EXPORT, data, follow=True)
    assert response.redirect_chain == [(USERS, 303)]
    assert message.replace("&#x27;", "'") in response.content.decode().replace("&#39;", "'").replace("&#x27;", "'")


@pytest.mark.req("LS-10")
def test_the_bar_offers_both_files_and_only_where_the_list_has_an_export(administrator):
    html = administrator.get(ALL_USERS).content.decode()
    for path in ("export", "export/xlsx"):
        assert f'formaction="{ALL_USERS}/{path}"' in html
    assert "data-download" not in administrator.get("/user-manage/review").content.decode()
