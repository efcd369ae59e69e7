"""Every screen in the pseudo-locale: each text is marked for translation, and has space for a longer one."""

import pytest

from e2e import pseudo
from e2e.looks import broken
from e2e.pages import SCREENS, walk
from e2e.running import MAINTENANCE, start
from e2e.test_layout import STILL, resize
from e2e.tiers import alternating, named, parts

WIDTHS = (360, 1280)


@pytest.fixture(scope="module")
def console_process(tmp_path_factory, sandbox_process):
    """A console of its own: the pseudo-locale takes the place of a language."""
    folder = tmp_path_factory.mktemp("pseudo")
    console, process = start(folder, sandbox_process, MAINTENANCE_FILE=str(folder / MAINTENANCE))
    pseudo.publish(folder / "locale")
    yield console
    process.stop()


@pytest.mark.req("LN-32", "AX-10")
@pytest.mark.parametrize(("screens", "width"), alternating(parts(SCREENS, len(WIDTHS)), WIDTHS), ids=named)
def test_every_text_is_marked_and_fits(open_browser, console, screens, width):
    found: dict[str, list[str]] = {}
    for screen, page in walk(screens, console, open_browser, locale=pseudo.TAG, **STILL):
        resize(page, width)
        found[screen.name] = broken(page) + pseudo.unmarked(page)
    assert len(found) == len(screens)
    assert {name: what for name, what in found.items() if what} == {}


def test_a_text_that_is_not_marked_is_found(open_browser):
    page = open_browser(locale=pseudo.TAG, **STILL)
    page.goto("/my-account")
    assert pseudo.unmarked(page) == []
    page.evaluate("document.querySelector('h1').append(' Plain words')")
    page.evaluate("document.querySelector('h1').title = 'More words'")
    assert len(pseudo.unmarked(page)) == 2
