"""The details of a failure can be copied."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import BY_NAME, go

pytestmark = pytest.mark.slow


@pytest.mark.req("ER-33")
def test_what_support_asks_for_is_copied(open_browser, console):
    page = open_browser()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    go(page, BY_NAME["clinics, fault"], console)
    page.get_by_role("button", name="Copy details").click()
    expect(page.locator(".toast")).to_have_text("Copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert f"request_id: {page.locator('.request-id code').text_content()}\n" in copied
    assert "page: /user-manage/clinic\n" in copied
    assert copied.endswith("\nlanguage: en-US")
