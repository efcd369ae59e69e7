"""Every page of the console in every state that looks different, and how a browser gets there."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

from e2e.http_client import forget_attempts
from e2e.running import Console

CLINICS = "/user-manage/clinic"
USERS = f"{CLINICS}/g-1/user"
ALL_USERS = "/user-manage/user"
TEAMS = f"{CLINICS}/g-1/team"
CLINIC_PERMISSIONS = f"{CLINICS}/g-1/permissions"
USER_PERMISSIONS = f"{USERS}/u-1/permissions"
ISLANDS = re.compile(r"/islands-\w+\.js$")


@dataclass(frozen=True)
class Place:
    """One page in one state. `shows` is what only this state draws, in any language."""

    name: str
    path: str
    shows: str
    logged_in: bool = True
    island: bool = False
    server_form: bool = False
    """The page as the server drew it, with its scripts but without its island."""
    given: Callable[[Console], object] = field(default=lambda console: None)
    act: Callable[[Page], object] = field(default=lambda page: None)

    def __str__(self) -> str:
        return self.name


def go(page: Page, place: Place, console: Console, *, language: str = "") -> None:
    """Bring a browser to this place and wait until it stands; `language` is chosen by the query."""
    console.sandbox.no_faults()
    console.maintenance.unlink(missing_ok=True)
    place.given(console)
    if place.server_form:
        page.route(ISLANDS, lambda route: route.fulfill(body="", content_type="text/javascript"))
    else:
        page.unroute(ISLANDS)
    page.goto(place.path + (f"{'&' if '?' in place.path else '?'}lng={language}" if language else ""))
    if place.island:
        ready(page)
    place.act(page)
    expect(page.locator(place.shows).first).to_be_visible()
    page.wait_for_load_state()  # with its styles: what is shown may have come before them


def ready(page: Page) -> None:
    """Wait until the island of the page has taken over."""
    expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")


def _faults(*rules: dict[str, Any]) -> Callable[[Console], None]:
    return lambda console: console.sandbox.faults(*[{"times": -1, **rule} for rule in rules])


def _is_maintained(console: Console) -> None:
    notice = {
        "active": True,
        "startDate": "2026-03-01T22:00:00Z",
        "endDate": "2026-03-02T04:00:00Z",
        "reason": {"en-US": "The database moves to newer machines."},
        "unavailableServices": ["ORDER", "SHARE"],
    }
    console.maintenance.write_text(json.dumps(notice))


def _submit(page: Page) -> None:
    page.locator("main form [data-primary]").click()


def _log_in_wrongly(page: Page) -> None:
    page.locator("[name=email]").fill("admin@demo.example")
    page.locator("[name=password]").fill("Wrong123!")
    _submit(page)


def _send_a_stale_form(page: Page) -> None:
    page.context.clear_cookies(name="csrf")
    page.locator("[name=email]").fill("admin@demo.example")
    page.locator("[name=password]").fill("Demo123!")
    _submit(page)


def _save_permissions(page: Page) -> None:
    page.locator("[name=allow_export]:not(:checked)").first.check(force=True)
    _submit(page)


def _choose(count: int) -> Callable[[Page], None]:
    """Tick so many rows of a list."""

    def act(page: Page) -> None:
        for box in page.locator("tbody [name=id]").all()[:count]:
            box.check()

    return act


def _plan(action: str, *, count: int = 3) -> Callable[[Page], None]:
    """Tick rows and ask for a bulk action, which shows what it would do."""

    def act(page: Page) -> None:
        _choose(count)(page)
        page.locator(f"[formaction$='/{action}']").click()

    return act


def _send_again_in_bulk(page: Page) -> None:
    _plan("resend")(page)
    _submit(page)


def _check_file(text: str) -> Callable[[Page], None]:
    """Let a file be checked for an import."""

    def act(page: Page) -> None:
        page.locator("[type=file]").set_input_files(
            {"name": "rows.csv", "mimeType": "text/csv", "buffer": text.encode("utf-8-sig")}
        )
        _submit(page)

    return act


_USER_FILE = "Name,Type,Email,Team\nAda New,Doctor,ada.new@clinic.example,\nNo Mail,Doctor,,\n"
_CLINIC_FILE = "Name,Country\nHarbour Dental,US\nNowhere Dental,ZZ\n"

_NO_CLINICS = _faults({"path": "/v1/bizMainGroups$", "status": 200, "body": {"resultCount": 0, "results": []}})
_NO_USERS = _faults({"path": "/v1/bizUsers$", "status": 200, "body": {"resultCount": 0, "results": []}})
_FAILS = _faults({"path": "/v1/bizMainGroups$", "status": 500})
_REFUSES = _faults({"path": "/permissions$", "method": "PUT", "status": 409, "code": 13005})

ROW, NOTICE, REQUEST_ID = "tbody tr", ".notice", ".request-id"
NOTHING, NOTHING_MATCHES = ".empty", ".empty a.button"

PLACES = (
    Place("login", "/login", "form.form", logged_in=False),
    Place("login, expired", "/login?reason=expired&next=%2Fuser-manage", "[role=status].alert", logged_in=False),
    Place("login, refused", "/login", REQUEST_ID, logged_in=False, given=forget_attempts, act=_log_in_wrongly),
    Place("login, nothing entered", "/login", ".field-error", logged_in=False, act=_submit),
    Place("login, maintenance", "/login", "a[href='/maintenance']", logged_in=False, given=_is_maintained),
    Place("form refused", "/login", REQUEST_ID, logged_in=False, act=_send_a_stale_form),
    Place("unknown, logged out", "/no/such/page", "code.asked", logged_in=False),
    Place("server error, logged out", "/520", REQUEST_ID, logged_in=False),
    Place("version, logged out", "/version", "dl.facts", logged_in=False),
    Place("maintenance", "/maintenance", ".badge[data-tone=danger]", logged_in=False, given=_is_maintained),
    Place("no maintenance", "/maintenance", "a[data-primary]", logged_in=False),
    Place("clinics", CLINICS, ROW),
    Place("clinics, none", CLINICS, NOTHING, given=_NO_CLINICS),
    Place("clinics, nothing matches", f"{CLINICS}?keyword=zzz", NOTHING_MATCHES),
    Place("users", USERS, ROW, island=True),
    Place("all users", ALL_USERS, ROW, island=True),
    Place("all users, one beside", f"{ALL_USERS}?user=u-1", "aside.card", island=True),
    Place("users, filtered", f"{USERS}?status=ACTIVE&user_type=DOCTOR&size=10&page=2", ".chips", island=True),
    Place("users, none", USERS, NOTHING, given=_NO_USERS, island=True),
    Place("users, nothing matches", f"{USERS}?keyword=zzz", NOTHING_MATCHES, island=True),
    Place("users, half an email", f"{USERS}?searchField=email&keyword=hana", ".field-error", island=True),
    Place("clinic, new", f"{CLINICS}/new", "form.form"),
    Place("clinic, nothing entered", f"{CLINICS}/new", ".field-error", act=_submit),
    Place("clinic, edit", f"{CLINICS}/g-1/edit", "dl.facts"),
    Place("clinic, delete", f"{CLINICS}/g-1/delete", ".alert[data-tone=warning]"),
    Place("clinics, chosen", CLINICS, ".bulk-actions", act=_choose(2)),
    Place("clinics, bulk permissions", CLINICS, ".bulk-plan select", act=_plan("permissions")),
    Place("clinics, nothing to delete", CLINICS, ".bulk-blockers", act=_plan("delete")),
    Place("clinics, import", f"{CLINICS}/import", "[type=file]"),
    Place("clinics, import, nothing chosen", f"{CLINICS}/import", ".field-error", act=_submit),
    Place("clinics, import, rows", f"{CLINICS}/import", ".csv-import", act=_check_file(_CLINIC_FILE)),
    Place("users of all clinics, import", f"{ALL_USERS}/import", "[type=file]"),
    Place("all teams", "/user-manage/team", ROW),
    Place("teams", TEAMS, ROW),
    Place("team, new", f"{TEAMS}/new", "form.form"),
    Place("team, nothing entered", f"{TEAMS}/new", ".field-error", act=_submit),
    Place("team, edit", f"{TEAMS}/t-1/edit", "form.form"),
    Place("team, delete", f"{TEAMS}/t-1/delete", "dl.facts"),
    Place("users, one beside", f"{USERS}?user=u-1", "aside.card", island=True),
    Place("users, chosen", USERS, ".bulk-actions", island=True, act=_choose(2)),
    Place("users, bulk move", USERS, ".bulk-plan select", island=True, act=_plan("move")),
    Place("users, bulk permissions", USERS, ".bulk-plan select", island=True, act=_plan("permissions")),
    Place(
        "users, bulk deletion", USERS, ".bulk-plan [data-variant=danger]", island=True, act=_plan("delete", count=12)
    ),
    Place(
        "users, bulk done",
        f"{USERS}?status=INVITED",
        "[data-selection-done] ~ .alert",
        island=True,
        act=_send_again_in_bulk,
    ),
    Place("users, import", f"{USERS}/import", "[type=file]"),
    Place("users, import, rows", f"{USERS}/import", ".csv-import", act=_check_file(_USER_FILE)),
    Place("user", f"{USERS}/u-1", "dl.facts"),
    Place("user, invited", f"{USERS}/u-5", "dl.facts"),
    Place("user, edit", f"{USERS}/u-1/edit", "form.form"),
    Place("user, delete", f"{USERS}/u-1/delete", "dl.facts"),
    Place("user, invite", f"{USERS}/new", "form.form"),
    Place("user, invite, nothing entered", f"{USERS}/new", ".error-summary", act=_submit),
    Place("user, resend", f"{USERS}/u-5/invitation/resend", "dl.facts"),
    Place("user, cancel", f"{USERS}/u-5/invitation/cancel", "dl.facts"),
    Place("clinic permissions", CLINIC_PERMISSIONS, "[role=switch]", island=True),
    Place("user permissions", USER_PERMISSIONS, "[role=switch]", island=True),
    Place("user permissions, whom to copy", f"{USER_PERMISSIONS}/copy", ROW),
    Place("user permissions, copied", f"{USER_PERMISSIONS}?copy_from=u-2", "form.permissions"),
    Place("clinic permissions, form", CLINIC_PERMISSIONS, "form.permissions", server_form=True),
    Place("user permissions, form", USER_PERMISSIONS, "form.permissions", server_form=True),
    Place(
        "permissions, refused",
        CLINIC_PERMISSIONS,
        ".error-summary",
        server_form=True,
        given=_REFUSES,
        act=_save_permissions,
    ),
    Place("permissions, saved", CLINIC_PERMISSIONS, ".messages", server_form=True, act=_save_permissions),
    Place("clinics, fault", CLINICS, REQUEST_ID, given=_FAILS),
    Place("users of no clinic", f"{CLINICS}/nope/user", REQUEST_ID),
    Place("unknown", "/no/such/page", "code.asked"),
    Place("server error", "/520", REQUEST_ID),
    Place("version", "/version", "dl.facts"),
)
BY_NAME = {place.name: place for place in PLACES}


def phone(page: Page) -> None:
    """Make the window as small as a phone."""
    page.set_viewport_size({"width": 390, "height": 844})


def raise_toasts(page: Page, count: int, *, tone: str = "success") -> None:
    """Let the page tell so many things, as its islands do; each is another one."""
    page.evaluate(
        """([count, tone]) => {
          for (let number = 1; number <= count; number += 1) {
            window.raised = (window.raised ?? 0) + 1;
            const detail = { tone, title: `Message ${window.raised}`, text: "Something was done." };
            document.dispatchEvent(new CustomEvent("console:toast", { detail }));
          }
        }""",
        [count, tone],
    )


def act_on(page: Page, row: str, action: str) -> None:
    """Choose an action of a row from its menu."""
    page.get_by_role("button", name=f"Actions for {row}", exact=True).click()
    page.locator(".menu:popover-open").get_by_role("link", name=action, exact=True).click()
