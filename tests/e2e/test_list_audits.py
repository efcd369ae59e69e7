"""Negative controls of the audits of lists, the focus and toasts: each reports a page that is broken on purpose."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.focus_audits import FOCUS_AUDITS, focus, focus_rings, skip_link, toasts
from tests.e2e.list_audits import INTRODUCED, LIST_AUDITS, phone_list, tabs, wide_list
from tests.e2e.pages import BY_NAME, Screen, visit, walk
from tests.e2e.running import Console

Audit = Callable[[Page, Screen], list[str]]
Control = tuple[str, Audit, str, str, str, str]
"""A screen, an audit, the element that is broken, its attribute, the value, and the beginning of the fault."""

LIST_CONTROLS: list[Control] = [
    ("clinics", wide_list, "section.list", "style", "margin-block-start: 30rem", "the first row is"),
    ("clinics", wide_list, "tbody td", "style", "block-size: 9rem", "1 of 24 rows are 90px high"),
    ("clinics", wide_list, "thead th[data-kind]", "style", "min-inline-size: 120rem", "the columns are"),
    (
        "clinics",
        wide_list,
        "thead th a",
        "style",
        "display: block; inline-size: 1ch; overflow-wrap: anywhere",
        "the head",
    ),
    ("clinics", wide_list, "td[data-kind=number]", "style", "padding-inline-end: 3rem", "the numbers of a column"),
    ("clinics", phone_list, "section.list", "style", "margin-block-start: 30rem", "the first row is"),
    ("clinics", phone_list, "td[data-kind=number]", "data-label", "W" * 60, "the label of a card"),
    ("users", tabs, ".tabs [aria-current]", "style", "translate: -300rem", "the current tab is out of sight"),
    ("users", tabs, ".tabs a:last-child", "style", "position: fixed; inset-inline-start: -90rem", "a tab cannot be"),
]
FOCUS_CONTROLS: list[Control] = [
    ("clinics", skip_link, ".skip-link", "style", "display: none", "the first stop is no skip link"),
    ("clinics", skip_link, ".skip-link", "style", "translate: -90rem", "the skip link is out of sight"),
    ("clinics", skip_link, ".skip-link", "href", "#nothing", "the skip link leads to"),
    (
        "clinics",
        focus,
        "main [data-primary]",
        "style",
        "position: fixed; inset-inline-start: -90rem",
        "the focus is out of sight",
    ),
    (
        "clinics",
        focus,
        ".header",
        "style",
        "position: fixed; inset: 0; block-size: 100vh; z-index: 9",
        "the focus is covered",
    ),
    ("clinics", focus, "main [data-primary]", "style", "outline: none", "the focus does not show"),
    ("clinics", focus_rings, ".page-actions", "style", "overflow: hidden", "the ring of the focus is cut off"),
    ("clinics", toasts, "#toasts", "style", "inset-block-start: 0 !important", "toasts are at 0"),
    ("clinics", toasts, "#toasts", "style", "translate: 90rem", "a toast leaves the window"),
    ("unknown", toasts, "#toasts", "style", "inline-size: 12rem !important", "a text has"),
    ("unknown", toasts, ".toasts", "id", "gone", "the page has no region"),
]

SET = """([selector, name, value]) => {
  const element = document.querySelector(selector), before = element.getAttribute(name);
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
  return before;
}"""


@pytest.mark.req("AX-02", "AX-10", "CO-07", "CO-08", "DM-04", "DM-32", "LN-33")
@pytest.mark.parametrize(
    ("audits", "controls"), [(LIST_AUDITS, LIST_CONTROLS), (FOCUS_AUDITS, FOCUS_CONTROLS)], ids=["lists", "focus"]
)
def test_each_audit_reports_a_page_that_is_broken_on_purpose(
    open_browser: Callable[..., Page], console: Console, audits: tuple[Audit, ...], controls: list[Control]
) -> None:
    assert {audit for _name, audit, *_others in controls} == set(audits)
    screens = [BY_NAME[name] for name in dict.fromkeys(name for name, *_others in controls)]
    size = {"width": 1280, "height": 800}
    outcomes = {}
    for screen, page in walk(screens, console, open_browser, viewport=size, reduced_motion="reduce", bypass_csp=True):
        outcomes[f"{screen}, as it is"] = [fault for audit in audits for fault in audit(page, screen)]
        for name, audit, selector, attribute, value, fault in controls:
            if name != screen.name:
                continue
            before = page.evaluate(SET, [selector, attribute, value])
            faults = audit(page, screen)
            outcomes[f"{screen}, {audit.__name__}: {fault}"] = (
                [] if any(each.startswith(fault) for each in faults) else faults or ["none"]
            )
            page.evaluate(SET, [selector, attribute, before])
        assert page.viewport_size == size
    assert len(outcomes) == len(screens) + len(controls)
    assert {case: faults for case, faults in outcomes.items() if faults} == {}


def test_the_exceptions_of_audits_name_screens() -> None:
    assert set(BY_NAME) >= INTRODUCED


def test_tabs_that_still_snap_to_the_current_one_are_no_fault(open_browser: Callable[..., Page]) -> None:
    page, screen = open_browser(reduced_motion="no-preference"), BY_NAME["access review"]
    visit(page, screen.path)
    assert tabs(page, screen) == []
