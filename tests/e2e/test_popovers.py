"""The popovers of the lists by pointer: the words of a choice choose it, and a click next to them closes nothing."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import CLINICS, SCANNERS, USERS, ready

LISTS = (USERS, CLINICS, SCANNERS, "/notifications", "/activity", "/partner-manage/search", "/partner-manage/list")


def choose_by_its_words(page: Page, popover: Locator, *, touch: bool) -> str:
    """Press the words of a choice and the words above the choices; return what went wrong."""
    press = Locator.tap if touch else Locator.click
    choice = popover.locator("label.check").last
    box, words = choice.locator("input"), choice.locator("span").first
    before = box.is_checked()
    press(popover.locator("legend").first)
    if not popover.is_visible():
        return "closed by a press beside its choices"
    press(words)
    if not popover.is_visible():
        return "closed by the words of a choice"
    expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
    return "" if popover.is_visible() and box.is_checked() != before else "not chosen by its words"


@pytest.mark.slow
@pytest.mark.req("DM-28")
@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_the_words_of_a_choice_choose_it_in_each_popover_of_the_lists(open_browser, touch):
    page = open_browser(has_touch=touch, viewport={"width": 390, "height": 844} if touch else None)
    faults, tried = {}, 0
    for path in LISTS:
        page.goto(path)
        ready(page)
        for opener in page.locator(".list .button[popovertarget]").filter(visible=True).all():
            popover = page.locator(f"[id='{opener.get_attribute('popovertarget')}']")
            (opener.tap if touch else opener.click)()
            if popover.locator("label.check").count():
                tried += 1
                faults[path, opener.inner_text()] = choose_by_its_words(page, popover, touch=touch)
            page.keyboard.press("Escape")
            expect(popover).to_be_hidden()
    assert tried > len(LISTS)
    assert {case: fault for case, fault in faults.items() if fault} == {}
