"""The walk: load each screen once per variant, and run all audits on it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pytest
from playwright.sync_api import Page, Route

from tests.e2e import audit, axe, pseudo, stability
from tests.e2e.focus_audits import FOCUS_AUDITS
from tests.e2e.http_client import wait_until
from tests.e2e.list_audits import LIST_AUDITS
from tests.e2e.pages import BY_NAME, SCREENS, Screen, go, open_screen, walk
from tests.e2e.rendering import broken, dead_controls, resize, small_targets, spaced, untranslated_texts

Audit = Callable[[Page, Screen], list[str]]
Faults = dict[tuple[str, str], list[str]]

PARTS = [SCREENS[first::8] for first in range(8)]
PART_NAMES = [f"part{number}" for number, _screens in enumerate(PARTS, 1)]


@dataclass(frozen=True)
class Variant:
    """The browser of a walk."""

    locale: str
    theme: Literal["light", "dark"] = "light"
    width: int = 1280

    def __str__(self) -> str:
        return f"{self.locale}-{self.theme}-{self.width}"


ENGLISH = Variant("en-US")
ARABIC = Variant("ar-EG", "dark", 390)
PSEUDO = Variant(pseudo.TAG, width=360)
OTHER_LANGUAGES = [Variant(locale) for locale in ("de-DE", "ko-KR", "pt-BR", "th-TH")] * (len(PARTS) // 4)


def accessibility(page: Page, _screen: Screen) -> list[str]:
    """axe finds nothing."""
    return axe.violations(page)


def document(page: Page, _screen: Screen) -> list[str]:
    """The audits of browsers find nothing, and one rem is ten pixels."""
    size = page.evaluate("getComputedStyle(document.documentElement).fontSize")
    return audit.faults(page) + ([] if size == "10px" else [f"one rem is {size}"])


def texts(page: Page, _screen: Screen) -> list[str]:
    """No text stays English in another language."""
    return untranslated_texts(page, page.evaluate("document.documentElement.lang"))


def marked_texts(page: Page, _screen: Screen) -> list[str]:
    """Each text is marked for translation."""
    return pseudo.unmarked(page)


def layout(page: Page, _screen: Screen) -> list[str]:
    """Nothing is cut off or wider than the window, and targets are large enough."""
    faults = []
    for width in (320, 390, 1280):
        resize(page, width)
        faults += [f"{width}px: {fault}" for fault in broken(page) + small_targets(page)]
    return faults


def layout_with_spaced_texts(page: Page, _screen: Screen) -> list[str]:
    """Nothing is cut off or wider than the window with the text spacing of WCAG 1.4.12."""
    faults = []
    with spaced(page):
        for width in (1280, 320):
            resize(page, width)
            faults += [f"{width}px: {fault}" for fault in broken(page)]
    return faults


def layout_with_long_texts(page: Page, _screen: Screen) -> list[str]:
    """Nothing is cut off or wider than the window in the pseudo-locale."""
    faults = []
    for width in (360, 1280):
        resize(page, width)
        faults += [f"{width}px: {fault}" for fault in broken(page)]
    return faults


def controls_without_scripts(page: Page, _screen: Screen) -> list[str]:
    """Every control does something without a script, and nothing waits for one."""
    return dead_controls(page)


AUDITS: list[Audit] = [
    accessibility,
    document,
    texts,
    layout,
    layout_with_spaced_texts,
]
"""The audits of every page; each needs a negative control below."""


def open_without_scripts(page: Page, screen: Screen) -> list[str]:
    open_screen(page, screen)
    return []


@pytest.fixture
def find_faults(open_browser, console, page_problems) -> Callable[..., Faults]:
    """Return a function that walks over screens and returns the faults that each audit found."""

    def find(
        screens: list[Screen],
        variant: Variant,
        audits: list[Audit],
        load: Callable[[Page, Screen], list[str]] = stability.load,
        **options: object,
    ) -> Faults:
        faults: Faults = {}
        moved: list[str] = []

        def load_screen(page: Page, screen: Screen) -> None:
            resize(page, variant.width)
            moved[:] = load(page, screen)

        options = {"locale": variant.locale, "color_scheme": variant.theme, "reduced_motion": "reduce"} | options
        language = [variant.locale, "rtl" if variant.locale.startswith("ar") else "ltr"]
        for screen, page in walk(screens, console, open_browser, load=load_screen, **options):
            actual = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
            faults[screen.name, "language"] = [] if actual == language else actual
            faults[screen.name, "stability"] = list(moved)
            for check in audits:
                resize(page, variant.width)
                faults[screen.name, check.__name__] = check(page, screen)
            faults[screen.name, "problems"] = page_problems.take()
        assert len(faults) == len(screens) * (len(audits) + 3)
        return {case: texts for case, texts in faults.items() if texts}

    return find


@pytest.mark.req("AX-01", "AX-03", "AX-05", "AX-10", "AX-11", "AX-12", "AX-14", "CO-14", "DM-25", "DM-26")
@pytest.mark.req("AX-02", "CO-07", "CO-08", "DM-04", "DM-32", "LN-32", "LN-33")
@pytest.mark.parametrize("screens", PARTS, ids=PART_NAMES)
@pytest.mark.parametrize("variant", [ENGLISH, pytest.param(ARABIC, marks=pytest.mark.slow)], ids=str)
def test_every_screen(find_faults, screens, variant):
    # The audits of the focus come last: they move it.
    assert find_faults(screens, variant, [*AUDITS, *LIST_AUDITS, *FOCUS_AUDITS]) == {}


@pytest.mark.slow
@pytest.mark.req("LN-32", "AX-10")
@pytest.mark.parametrize("screens", PARTS, ids=PART_NAMES)
def test_every_screen_in_the_pseudo_locale(find_faults, console, screens):
    with pseudo.published(console.data_dir / "locale"):
        assert find_faults(screens, PSEUDO, [marked_texts, layout_with_long_texts]) == {}


@pytest.mark.slow
@pytest.mark.req("AX-03", "AX-10", "AX-11", "LN-32")
@pytest.mark.parametrize(("screens", "variant"), list(zip(PARTS, OTHER_LANGUAGES, strict=True)), ids=PART_NAMES)
def test_every_screen_in_one_more_language(find_faults, screens, variant):
    # With animations, so that the stability of pages is measured with them, too.
    audits = [texts, layout]
    assert find_faults(screens, variant, audits, reduced_motion="no-preference") == {}


@pytest.mark.slow
@pytest.mark.parametrize("screens", PARTS, ids=PART_NAMES)
def test_every_screen_without_scripts(find_faults, screens):
    static = [screen for screen in screens if not screen.scripted]
    audits = [controls_without_scripts]
    assert find_faults(static, ENGLISH, audits, open_without_scripts, java_script_enabled=False) == {}


def load_in_french(page: Page, screen: Screen) -> list[str]:
    open_screen(page, screen)
    page.evaluate("document.documentElement.lang = 'fr'")
    return []


def test_a_page_in_another_language_is_noticed(find_faults):
    screen = BY_NAME["version"]
    assert find_faults([screen], ENGLISH, [], load_in_french) == {(screen.name, "language"): ["fr", "ltr"]}


ADD = """
  const add = (tag, properties = {}, style = {}) => {
    const element = Object.assign(document.createElement(tag), properties);
    Object.assign(element.style, style);
    document.querySelector("main").append(element);
  };
"""
BROKEN_PAGES: list[tuple[Audit, str, str]] = [
    (accessibility, "add('input')", "label: "),
    (document, "add('h1', { textContent: '2' })", "not one h1"),
    (document, "document.documentElement.style.fontSize = '12px'", "one rem is 12px"),
    (texts, "add('p', { textContent: 'Clinics' })", "English: Clinics"),
    (layout, "add('div', {}, { width: '2000px', height: '9px' })", "320px: the page scrolls sideways"),
    (layout, "add('p', { textContent: '2' }, { height: '5px', overflow: 'hidden' })", "1280px: too low"),
    (layout, "add('button', { className: 'menu-item' }, { all: 'unset', width: '9px', height: '9px' })", "9.0 x 9.0"),
    (
        layout_with_spaced_texts,
        "add('p', { textContent: '2' }, { fontSize: '20px', lineHeight: '22px', height: '22px', overflow: 'hidden' })",
        "1280px: too low",
    ),
    (marked_texts, "add('p', { textContent: 'Plain words' })", "not marked: Plain words"),
    (marked_texts, "add('p', { title: 'Plain words' })", "not marked: Plain words"),
    (layout_with_long_texts, "add('div', {}, { width: '2000px', height: '9px' })", "360px: the page scrolls sideways"),
    (controls_without_scripts, "add('button', { textContent: '2' })", "<button>2"),
    (controls_without_scripts, "add('a', { href: '#', textContent: '2' })", "<a href"),
    (controls_without_scripts, "add('p', { ariaBusy: 'true', textContent: '2' })", "<p aria-busy"),
]
"""Audits, scripts that break a page, and what the audit must say then."""


CONTROLS = [
    (AUDITS, {"locale": "ar-EG"}),
    ([marked_texts, layout_with_long_texts], {"locale": pseudo.TAG}),
    ([controls_without_scripts], {"java_script_enabled": False}),
]


@pytest.mark.parametrize(("audits", "options"), CONTROLS, ids=["arabic", "pseudo", "without scripts"])
def test_each_audit_notices_a_broken_page(open_browser, console, audits, options):
    page, unnoticed = open_browser(**options), {}
    with pseudo.published(console.data_dir / "locale"):
        for check, script, fault in BROKEN_PAGES:
            if check in audits:
                go(page, BY_NAME["version"], console, scripts=options.get("java_script_enabled", True))
                before = check(page, BY_NAME["version"])
                page.evaluate(f"() => {{ {ADD} {script} }}")
                after = check(page, BY_NAME["version"])
                if before or not any(fault in text for text in after):
                    unnoticed[script] = before, after
    assert unnoticed == {}
    assert {check for check, _script, _fault in BROKEN_PAGES} >= set(audits)


@pytest.mark.req("AX-10")
def test_code_that_moves_a_page_is_noticed(open_browser):
    page = open_browser()

    def add_to_code(route: Route) -> None:
        answer = route.fetch()
        script = "const box = document.createElement('h2'); box.style.height = '1200px'; main.prepend(box);"
        route.fulfill(response=answer, body=answer.text() + script)

    assert stability.load(page, BY_NAME["about"]) == []
    page.route(stability.CODE, add_to_code, times=1)
    faults = stability.load(page, BY_NAME["about"])
    assert any("shifted by" in fault for fault in faults), faults
    assert any("page-head" in fault and " -> " in fault for fault in faults), faults


PROBLEMS = {
    "error": ("console.error('an error')", "an error"),
    "warning": ("console.warn('a warning')", "a warning"),
    "uncaught": ("setTimeout(() => missing())", "uncaught: missing is not defined"),
    "html": ("document.body.innerHTML = '<b>2</b>'", "policy: require-trusted-types-for"),
    "style": ("document.body.setAttribute('style', 'color: red')", "policy: style-src-attr"),
    "image": ("add('img', { src: '//elsewhere.example/' })", "policy: img-src"),
    "fetch": ("fetch('https://elsewhere.example/').catch(() => {})", "policy: connect-src"),
    "fetch of an opened page": ("fetch('/about', { method: 'PUT' })", "status of 403"),
    "deprecation": (
        "const request = new XMLHttpRequest(); request.open('GET', '/about', false); request.send()",
        "deprecation: Synchronous",
    ),
    "missing": ("add('img', { src: '/static/missing.png' })", "status of 404"),
    "host": ("location = 'http://elsewhere.example/'", "request to http://elsewhere.example/"),
}
"""Scripts that do what no page may do, and how the browser reports it."""


def test_a_failed_page_is_no_problem_but_a_failed_request_of_its_address_is(open_browser, page_problems):
    page = open_browser()
    for _ in range(2):
        page.goto("/no/such/page")
        page.wait_for_load_state("networkidle")
    assert page_problems.take() == []
    with page.expect_console_message():
        page.evaluate("fetch(location)")
    (problem,) = page_problems.take()
    assert "status of 404" in problem


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_of_a_page_is_noticed(open_browser, page_problems, name):
    page = open_browser()
    page.goto("/about")
    script, problem = PROBLEMS[name]
    page.evaluate(f"() => {{ {ADD} try {{ {script} }} catch {{ }} }}")
    reported: list[str] = []

    def is_reported() -> bool:
        page.wait_for_timeout(1)
        reported.extend(page_problems.take())
        return any(problem in text for text in reported)

    wait_until(is_reported)
    page.close()
    page_problems.take()  # what else was reported of it
