"""The steps that make up the flows, for every way of using the console."""

import re
from typing import Any

from playwright.sync_api import Locator, expect

from tests.e2e.pages import bulk_action
from tests.e2e.running import Console
from tests.e2e.ways import Way, find_row

ARABIC_NUMBERS = {1: "واحدة?", 2: "ين[ .]"}
"""The words or endings that Arabic messages have in place of these numbers."""


def names(way: Way) -> Locator:
    """The names in the row headers of a list, without the notes next to them."""
    return way.page.locator("tbody th[scope=row] bdi:not(small *)")


def reasons(way: Way) -> Locator:
    """Why something can't be deleted."""
    return way.page.locator("main .card.blockers > li")


def submit(way: Way) -> None:
    """Press the page's main button."""
    way.press(way.page.locator("main form [data-primary]"))


def expect_message(way: Way, tone: str = "success") -> None:
    """Check that the page answered the last action in this tone; with scripts, a refusal gets the focus."""
    alert = way.page.locator(f"main .alert[data-tone={tone}]").first
    way.sees(alert)
    if tone == "danger" and way.has_scripts:
        expect(alert).to_be_focused()


def refused(way: Way, field: Locator) -> None:
    """Check that the value of this field was rejected, and that the page says so."""
    expect(field).to_have_attribute("aria-invalid", "true")
    way.wait_until_ready()


def search(way: Way, keyword: str, **choices: str) -> None:
    """Type a keyword and search, and choose filters by name."""
    form = way.page.locator(".list-search")
    way.fill(form.locator("[name=keyword]"), keyword)
    if not choices and not way.has_scripts:
        way.press(form.locator(".search-submit"))
    if not choices:
        return
    way.press(form.locator(".filters-button"))
    for name, value in choices.items():
        field = form.locator(f"[name={name}]")
        if field.first.evaluate("field => field.localName") == "select":
            way.choose(field, value)
        else:
            way.tick(form.locator(f"[name={name}][value={value}]"))
    way.press(form.locator(".filters > [type=submit]"))


def narrow(way: Way, **choices: str) -> None:
    """Tick choices of the filters, which are next to the labs if there is space, and in a menu otherwise."""
    form = way.page.locator(".list-search")
    opener, button = form.locator(".filters-button"), form.locator(".filters > [type=submit]")
    if opener.is_visible():
        way.press(opener)
    for name, value in choices.items():
        way.tick(form.locator(f"[name={name}][value={value}]"))
    if button.is_visible():
        way.press(button)
    way.sees(way.page.locator(".chips > li").nth(len(choices) - 1))


def choose_rows(way: Way, action: str, *rows: str) -> None:
    """Tick these rows (if none is named, all that match) and ask for a bulk action, which shows its plan."""
    for row in rows:
        way.tick(find_row(way.page, row).locator("[name=id]"))
    if not rows:
        tick_all(way)
    way.press(bulk_action(way.page, action, way.press))
    way.sees(way.page.locator(".bulk-plan"))


def tick_all(way: Way) -> None:
    """Tick all that match; with scripts the bar that offers it comes with the first tick, if there are others."""
    rows = way.page.locator("tbody [name=id]")
    if way.has_scripts:
        way.tick(rows.first)
        if rows.count() == 1:
            return
    if (opener := way.page.locator(".bulk-open")).is_visible():
        way.press(opener)
    way.tick(way.page.locator(".bulk-bar [name=all]"))


def page_action(way: Way, selector: str) -> Locator:
    """An action next to the heading; on a phone it is in a menu, which a message can cover and this opens."""
    menu = way.page.locator("[popovertarget=page-menu]")
    if menu.is_visible():
        close = way.page.locator(".toast[data-newest] .icon-button")
        while close.is_visible():
            way.press(close)
        way.press(menu)
    return way.page.locator(".page-actions").locator(selector).first


def file_link(way: Way, end: str) -> Locator:
    """The link to a file or to its import, by the end of its address."""
    link = page_action(way, f"a[href*='{end}']")
    if not link.is_visible():
        way.press(way.page.locator("[popovertarget=export]"))
    return link


def back_to_list(way: Way) -> None:
    way.press(way.page.locator(".notice-actions a"))


def expect_done(way: Way, count: int) -> None:
    """Check that the list reports a bulk action that succeeded for so many rows."""
    message = way.page.locator("#messages .alert[data-tone=success]")
    way.sees(message)
    number = rf"\b{count}\b"
    if arabic := ARABIC_NUMBERS.get(count):
        number += f"|{arabic}"
    expect(message).to_contain_text(re.compile(number))


def results(way: Way, tone: str) -> Locator:
    """The rows with this tone in the result of a bulk action or an import."""
    return way.page.locator(f".bulk-rows .badge[data-tone={tone}], tbody .badge[data-tone={tone}]")


def permit(way: Way, permission: str, value: str) -> None:
    """Set a permission to `on`, `off` or `inherit`: by a clinic's switch, a user's choice of three, or in the form."""
    if not way.has_scripts:
        way.tick(way.page.locator(f"[name={permission}][value={value}]"))
        submit(way)
        expect_message(way)
        return
    setting = way.page.locator(f"[data-permission={permission}]")
    choice = setting.locator(f"[type=radio][value={value}]")
    if choice.count():
        way.tick(choice)
    else:
        way.tick(setting.get_by_role("switch"), on=value == "on")
    expect(way.page.locator("main .permission-saved:not(:empty)")).not_to_be_empty()
    expect(setting.locator("[aria-busy]")).to_have_count(0)


def permitted(way: Way, permission: str) -> Locator:
    """The control that is checked when a clinic's permission is on."""
    switch = f"[data-permission={permission}] [role=switch]"
    return way.page.locator(switch if way.has_scripts else f"[name={permission}][value=on]")


def sent(console: Console, method: str, path: str) -> list[Any]:
    """The bodies of the calls that the service received."""
    return [call["body"] for call in console.sandbox.calls(path) if call["method"] == method]


def granted(console: Console, permission: str) -> list[bool | None]:
    """The values that a permission was set to, in order; None means the clinic's value."""
    changes = [body.get("permissions", {}) for body in sent(console, "PUT", "permissions$")]
    return [change[permission] for change in changes if permission in change]
