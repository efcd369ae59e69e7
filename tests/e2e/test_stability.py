"""Nothing moves on pages that change, or that the walk over the screens does not load."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import ALL_USERS, BY_NAME, USERS, all_ready, bulk_action, go
from tests.e2e.rendering import wait_until_painted
from tests.e2e.stability import LIMIT, WATCH

pytestmark = pytest.mark.slow

WINDOWS = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}


@pytest.mark.req("AX-10")
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("path", [f"{USERS}/u-1/move", f"{USERS}/u-1/edit", f"{ALL_USERS}/new"])
def test_nothing_moves_when_a_clinic_is_chosen(open_browser, window, path):
    page = open_browser(viewport=WINDOWS[window])
    page.goto(path)
    all_ready(page)
    page.evaluate(WATCH)
    before = page.evaluate(FIELDS)
    page.locator("main [name=clinic_id]").select_option("g-2")
    expect(page.locator("main .show-teams [role=status]")).to_contain_text("Smile Atelier Paris")
    wait_until_painted(page)
    assert sum(shift["value"] for shift in page.evaluate("window.shifts")) <= LIMIT
    assert page.evaluate(FIELDS) == before


FIELDS = """() => [...document.querySelectorAll("main .field, main .form-actions")].map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y + scrollY, width, height].map(Math.round);
})"""


@pytest.mark.req("AX-10")
@pytest.mark.parametrize("locale", ["en-US", "de-DE", "ar-EG"])
@pytest.mark.parametrize("name", ["clinic permissions", "user permissions"])
def test_switches_stand_where_the_form_stood(open_browser, console, name, locale):
    """At more widths than layout shifts are measured at, and where a user has settings of their own."""
    with_form, with_switches = open_browser(locale=locale), open_browser(locale=locale)
    go(with_form, BY_NAME[f"{name}, form"], console)
    if name == "user permissions":
        with_form.locator("[name=allow_export][value=off]").check(force=True)
        with_form.locator("main form [data-primary]").first.click()
        expect(with_form.locator(".messages")).to_be_visible()
        with_form.goto(BY_NAME[name].path)
    go(with_switches, BY_NAME[name], console)
    for width in (1280, 800, 390):
        boxes = []
        for page in (with_form, with_switches):
            page.set_viewport_size({"width": width, "height": 800})
            boxes.append(page.locator(".permissions, .permission, .permissions > .card-foot").evaluate_all(BOXES))
        assert boxes[0] == boxes[1], width


BOXES = """(parts) => parts.map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y + scrollY, width, height].map(Math.round);
})"""


@pytest.mark.req("AX-10")
def test_nothing_moves_on_the_pages_of_many_rows(open_browser):
    """Without scripts the search of their rows has a button, which may not leave a gap behind."""
    page = open_browser(viewport=WINDOWS["phone"], reduced_motion="reduce")
    page.goto(f"{USERS}?size=100")
    all_ready(page)
    boxes = page.locator("tbody [name=id]")
    boxes.first.check()
    boxes.last.click(modifiers=["Shift"])
    bulk_action(page, "type", Locator.click).click()
    _has_not_moved(page, ".bulk-plan")
    page.locator(".bulk-plan select").select_option("STAFF")
    page.locator(".bulk-plan [data-primary]").click()
    _has_not_moved(page, "#messages")


def _has_not_moved(page: Page, part: str) -> None:
    expect(page.locator(part).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate(WATCH)
    wait_until_painted(page)
    assert sum(shift["value"] for shift in page.evaluate("shifts")) <= LIMIT
