"""The main flows in Firefox and WebKit; all other browser tests use Chromium."""

from collections.abc import Iterator

import pytest

from tests.e2e.pages import ALL_USERS, CLINICS
from tests.e2e.running import EMAIL, PASSWORD, Console
from tests.e2e.webdriver import DOWN, ENGINES, ENTER, ESCAPE, Driver, started

pytestmark = pytest.mark.slow

TICK = "tbody [name=id]"
BAR_IS_VISIBLE = "document.querySelector('.bulk-bar').checkVisibility({ visibilityProperty: true })"
BAR_IS_HIDDEN = f"!{BAR_IS_VISIBLE}"


@pytest.fixture(scope="module", params=ENGINES)
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    with started(request.param) as driver:
        yield driver


@pytest.fixture
def engine(driver: Driver, console: Console) -> Driver:
    """A browser of each engine in which an administrator is logged in."""
    driver.resize(1280, 800)
    driver.log_in(console.url, console.shared_login())
    return driver


def count(driver: Driver) -> str:
    return str(driver.run("return document.querySelector('.bulk-count').textContent"))


def box(driver: Driver, selector: str) -> dict[str, float]:
    """Return where the first element in sight is."""
    return dict(driver.run("return args[0].getBoundingClientRect().toJSON()", driver.find(selector)))


def test_login_and_logout(driver, console):
    driver.log_out(console.url)
    driver.goto(f"{console.url}/login")
    driver.type("[name=email]", EMAIL)
    driver.type("[name=password]", PASSWORD + ENTER)
    driver.wait("location.pathname === args[0]", CLINICS)
    driver.click("[popovertarget=account-menu]")
    driver.click("[data-logout] button")
    driver.wait("location.pathname === '/login'")
    driver.run("history.back()")
    driver.wait("location.pathname === '/login' && !document.querySelector('table')")


def test_rows_are_selected_at_once_and_cleared(engine, console):
    engine.goto(console.url + ALL_USERS)
    engine.click(TICK)
    engine.wait(BAR_IS_VISIBLE, seconds=2)
    assert count(engine) == "1 user selected"
    engine.click(TICK)
    engine.wait(BAR_IS_HIDDEN)
    engine.click(TICK)
    engine.click("[data-select=none]")
    engine.wait(BAR_IS_HIDDEN)


def test_a_bar_can_be_hidden_from_its_own_menu(engine, console):
    engine.resize(900, 800)
    engine.goto(console.url + ALL_USERS)
    engine.click(TICK)
    engine.click(".bulk-open")
    engine.click(".bulk-actions [name=all]")
    engine.wait("document.querySelector('.bulk-count').textContent.startsWith('560 ')")
    engine.click(".bulk-actions [data-select=none]")
    engine.wait(BAR_IS_HIDDEN)


def test_filters_show_their_names_and_choices(engine, console):
    engine.goto(console.url + ALL_USERS)
    engine.click(".filters-button")
    heights = engine.run("""return [...document.querySelectorAll(".filters:popover-open fieldset")].map(
        (filter) => [...filter.children].map((part) => part.offsetHeight))""")
    assert len(heights) == 4
    for legend, *_, choices in heights:
        assert legend >= 16
        assert choices >= 24
    engine.click("[data-filter=clinic] .check")
    assert engine.run("return document.querySelector('[data-filter=clinic] [name=clinic]').checked")
    engine.wait("location.search.includes('clinic=')")


def test_the_quick_search_shows_what_it_finds(engine, console):
    engine.goto(console.url + CLINICS)
    engine.click("[data-search]")
    engine.type(".search-dialog input", "seo")
    engine.wait("document.querySelectorAll('.search-dialog [role=option]').length > 5")
    assert box(engine, ".search-dialog [role=listbox]")["height"] > 200
    engine.type(".search-dialog input", ESCAPE)


@pytest.mark.parametrize(
    "opener", ["tbody tr:nth-child(3) [popovertarget]", ".filters-button", "[popovertarget=export]"]
)
def test_menus_open_at_their_buttons(engine, console, opener):
    engine.goto(console.url + ALL_USERS)
    engine.click(opener)
    button, menu = box(engine, opener), box(engine, ":popover-open")
    assert min(abs(menu["top"] - button["bottom"]), abs(menu["bottom"] - button["top"])) < 10
    assert menu["left"] <= button["right"]
    assert menu["right"] >= button["left"]
    engine.type(opener, DOWN)
    assert engine.run("return document.activeElement.closest(':popover-open') !== null")


def test_a_form_is_sent_and_its_page_edited(engine, console):
    engine.goto(f"{console.url}{CLINICS}/new")
    engine.type("[name=country_code]", "Italy")
    engine.type("[name=name]", f"Engine{ENTER}")
    engine.wait("document.querySelector('main .alert[data-tone=success]')")
    engine.goto(f"{console.url}{CLINICS}?keyword=Engine")
    engine.click("tbody tr [popovertarget]")
    engine.click("tbody tr [popover] [href$=edit]")
    engine.fill("[name=name]", f"Engine room{ENTER}")
    engine.wait("document.querySelector('main .alert[data-tone=success]')?.textContent.includes('Engine room')")


def test_copied_rows_have_tabs_between_their_columns(engine, console):
    engine.goto(console.url + ALL_USERS)
    rows = engine.run("""const range = document.createRange();
        range.selectNodeContents(document.querySelector("tbody"));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        return getSelection().toString()""")
    lines = rows.strip("\n").split("\n")
    columns = engine.run("return document.querySelectorAll('thead th').length")
    assert len(lines) == 25
    assert {line.count("\t") for line in lines} <= {columns - 1, columns - 2}
