"""Every screen of the console in every state that looks different, and how a browser gets there."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e import http_client
from tests.e2e.http_client import reset_attempts, wait_until
from tests.e2e.running import Console, database

CLINICS = "/user-manage/clinic"
USERS = f"{CLINICS}/g-1/user"
ALL_USERS = "/user-manage/user"
REVIEW = "/user-manage/review"
TEAMS = f"{CLINICS}/g-1/team"
ALL_PERMISSIONS = "/user-manage/permissions"
PRESETS = f"{ALL_PERMISSIONS}/presets"
PERMISSIONS = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")
CLINIC_PERMISSIONS = f"{CLINICS}/g-1/permissions"
USER_PERMISSIONS = f"{USERS}/u-1/permissions"
SCANNERS = "/scanner-manage"
SAVE_VIEW = "/saved-view/new?back=/user-manage/team%3Fkeyword%3Da%26size%3D25"
NEW_PASSWORD = "/reset-password/0b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11?r=EU"
ACTIVATE_EMAIL = "/change-email/0b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11?r=EU"
TRANSLATORS = "/translate/login?next=%2Ftranslate%2F"
TRANSLATOR, TRANSLATES_WITH = "Noor", "A long password 1"
ISLANDS = re.compile(r"/islands-\w+\.js$")


@dataclass(frozen=True)
class Screen:
    """One page in one state. `shows` selects what only this state shows, in any language."""

    name: str
    path: str
    shows: str
    logged_in: bool = True
    scripted: bool = False
    """Only a browser with scripts comes here."""
    server_form: bool = False
    """The page as the server rendered it, with its scripts but without its island."""
    given: Callable[[Console], object] = field(default=lambda console: None)
    interact: Callable[[Page], object] = field(default=lambda page: None)

    def __str__(self) -> str:
        return self.name


def open_screen(page: Page, screen: Screen) -> None:
    """Open the page of a screen."""
    page.goto(screen.path)


def go(
    page: Page,
    screen: Screen,
    console: Console,
    *,
    scripts: bool = True,
    load: Callable[[Page, Screen], object] = open_screen,
) -> None:
    """Bring a browser, with or without scripts, to this screen and wait until it is complete."""
    console.sandbox.no_faults()
    console.maintenance.unlink(missing_ok=True)
    screen.given(console)
    if screen.server_form:
        page.route(ISLANDS, lambda route: route.fulfill(body="", content_type="text/javascript"))
    else:
        page.unroute(ISLANDS)
    load(page, screen)
    if scripts and not screen.server_form:
        all_ready(page)
    screen.interact(page)
    expect(page.locator(screen.shows).first).to_be_visible()
    page.wait_for_load_state()  # the styles: what it shows may have come before them


def walk(
    screens: Iterable[Screen],
    console: Console,
    open_browser: Callable[..., Page],
    *,
    load: Callable[[Page, Screen], object] = open_screen,
    **options: Any,
) -> Iterator[tuple[Screen, Page]]:
    """Go to one screen after another, logged out and then logged in, in browsers with these options."""
    for logged_in, chosen in groupby(sorted(screens, key=_logged_in), key=_logged_in):
        page = open_browser(logged_in=logged_in, **options)
        for screen in chosen:
            go(page, screen, console, scripts=options.get("java_script_enabled", True), load=load)
            yield screen, page


def _logged_in(screen: Screen) -> bool:
    return screen.logged_in


def all_ready(page: Page) -> None:
    """Wait until each island of the page has taken over, if there is one."""
    for island in page.locator("[data-island]").all():
        expect(island).to_have_attribute("data-island-ready", "")


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


def _has_translator(console: Console) -> None:
    if not database(console, "SELECT 1 FROM translator WHERE name = ?", TRANSLATOR):
        console.process.manage("translator", "add", TRANSLATOR, stdin=TRANSLATES_WITH + "\n")


def _has_preset(console: Console) -> None:
    """A preset of ours that was applied to a clinic; another organization may have some, too."""
    client = http_client.logged_in(console)
    if "Reception" not in client.get(PRESETS).text:
        client.post(f"{PRESETS}/new", {"name": "Reception", **dict.fromkeys(PERMISSIONS, "on")})
        plan = client.post(f"{CLINICS}/bulk/permissions", {"id": "g-1"}).text
        job, preset = (re.search(pattern, plan) for pattern in (r'name="job" value="([^"]+)"', r'value="(\d+)">Rec'))
        assert job
        assert preset
        client.post(f"{CLINICS}/bulk/permissions", {"job": job[1], "preset": preset[1]})


def _open_preset(page: Page) -> None:
    page.locator("tbody th a").first.click()


def _translate(page: Page) -> None:
    page.locator("[name=name]").fill(TRANSLATOR)
    page.locator("[name=password]").fill(TRANSLATES_WITH)
    _submit(page)


def _translate_wrongly(page: Page) -> None:
    """Enter an invalid text of each kind: each comes back with the reason next to it."""
    _translate(page)
    texts = page.locator(".translate-text textarea")
    expect(texts.first).to_be_visible()
    for text in texts.all()[:3]:
        text.fill("%(unknown)s <b>")
    page.locator(".translate-actions [data-primary]").click()


def _show_history(page: Page) -> None:
    _translate(page)
    page.locator(".translate-links a").last.click()


def _paste(page: Page) -> None:
    page.locator("main [name=people]").fill(
        "Ada <ada@new.example>, Ada again <ada@new.example>, hana.park@demo.example"
    )
    page.locator("main [name=add_people]").click()


def _set_date(user: str, then: str = "") -> Callable[[Page], None]:
    """Set the day of today for a user, unless that was done, and open a page that shows it."""

    def interact(page: Page) -> None:
        page.goto(f"{USERS}/{user}")
        form = page.locator("#reminders form")
        if form.locator("option[value=user]").count():
            page.locator("[popovertarget=reminders]").first.click()
            day = form.locator("[name=day]")
            day.fill(day.get_attribute("min") or "")
            form.locator("[name=note]").fill("Back from leave?")
            page.locator("#reminders [type=submit]").click()
            expect(page.locator(".reminder-chips")).to_be_visible()
        page.goto(then or f"{USERS}/{user}")
        if not then:
            page.locator(".reminder-chips button").first.click()

    return interact


def _log_in_wrongly(page: Page) -> None:
    page.locator("[name=email]").fill("admin@demo.example")
    page.locator("[name=password]").fill("Wrong123!")
    _submit(page)


def _send_password_reset(page: Page) -> None:
    page.locator("[name=email]").fill("admin@demo.example")
    _submit(page)


def _set_password(page: Page) -> None:
    for name in ("new_password", "confirm_password"):
        page.locator(f"[name={name}]").fill("Demo456!")
    _submit(page)


def _send_a_stale_form(page: Page) -> None:
    page.context.clear_cookies(name="csrf")
    page.locator("[name=email]").fill("admin@demo.example")
    page.locator("[name=password]").fill("Demo123!")
    _submit(page)


def _save_permissions(page: Page) -> None:
    page.locator("[name=allow_export]:not(:checked)").first.check(force=True)
    _submit(page)


def _save_view(page: Page) -> None:
    page.locator("[name=name]").fill("With an a")
    _submit(page)


def _edit_view(page: Page) -> None:
    _save_view(page)
    page.locator("a.views-act").click()


def _choose(count: int) -> Callable[[Page], None]:
    """Tick the first rows of a list."""

    def interact(page: Page) -> None:
        for box in page.locator("tbody [name=id]").all()[:count]:
            box.check()

    return interact


def _plan(action: str, *, count: int = 3) -> Callable[[Page], None]:
    """Tick rows and ask for a bulk action, which shows its plan."""

    def interact(page: Page) -> None:
        _choose(count)(page)
        bulk_action(page, action, Locator.click).click()

    return interact


def _resend_in_bulk(page: Page) -> None:
    _plan("resend")(page)
    _submit(page)


def _check_file(text: str) -> Callable[[Page], None]:
    """Upload a file to be checked before an import."""

    def interact(page: Page) -> None:
        page.locator("[type=file]").set_input_files(
            {"name": "rows.csv", "mimeType": "text/csv", "buffer": text.encode("utf-8-sig")}
        )
        _submit(page)

    return interact


_USER_FILE = "Name,Type,Email,Team\nAda New,Doctor,ada.new@clinic.example,\nNo Mail,Doctor,,\n"
_FOREIGN_FILE = "Person;Funktion;Kontakt\nAda New;Zahnarzt;ada.new@clinic.example\n"
_FOREIGN_VALUES = "Name,Type,Email,Team\nAda New,Zahnarzt,ada.new@clinic.example,Night shift\n"
_CLINIC_FILE = "Name,Country\nHarbor Dental,US\nNowhere Dental,\n"

_NO_CLINICS = _faults({"path": "/v1/bizMainGroups$", "status": 200, "body": {"resultCount": 0, "results": []}})
_NO_PERMISSIONS = _faults({"path": "/v1/bizMainGroups$", "status": 400, "body": {"code": 10002}})
_NO_LISTS = _faults(*({"path": f"/v1/biz{noun}$", "status": 500} for noun in ("MainGroups", "Users", "Scanners")))
_NO_USERS = _faults({"path": "/v1/bizUsers$", "status": 200, "body": {"resultCount": 0, "results": []}})
_UNREADABLE_SETTINGS = _faults({"path": "/permissions$", "status": 404, "code": 10004})
_NO_SCANNERS = _faults({"path": "/v1/bizScanners$", "status": 200, "body": {"resultCount": 0, "results": []}})
_NO_SCANNER_SEARCH = _faults({"path": "/v1/bizScanners$", "status": 500})
_NO_HISTORY = _faults({"path": "/history$", "status": 500})
_FAILS = _faults({"path": "/v1/bizMainGroups$", "status": 500})
_REFUSES = _faults({"path": "/permissions$", "method": "PUT", "status": 409, "code": 13005})


def _translators(name: str, path: str, shows: str, interact: Callable[[Page], object] = _translate) -> Screen:
    """Return a screen of the translators' site, which has a login of its own."""
    given = _has_translator
    return Screen(f"translators, {name}", TRANSLATORS + path, shows, logged_in=False, given=given, interact=interact)


ROW, NOTICE, REQUEST_ID = "tbody tr", ".notice", ".request-id"


def _paste_serial_numbers(page: Page) -> None:
    page.locator("[name=pasted]").fill("EA1-1, Seoul Central Dental, Room 4\nEA1-2\nEA1-2\nEA1-3, Nowhere")
    page.locator("main form [data-primary]").click()


NOTHING, NOTHING_MATCHES = ".empty", ".empty > a.button"

SCREENS = (
    Screen("login", "/login", "form.form", logged_in=False),
    Screen("login, expired", "/login?reason=expired&next=%2Fuser-manage", "[role=status].alert", logged_in=False),
    Screen("login, refused", "/login", REQUEST_ID, logged_in=False, given=reset_attempts, interact=_log_in_wrongly),
    Screen("login, nothing entered", "/login", ".field-error", logged_in=False, interact=_submit),
    Screen("login, maintenance", "/login", "a[href='/maintenance']", logged_in=False, given=_is_maintained),
    Screen("form refused", "/login", ".public-card .alert", logged_in=False, interact=_send_a_stale_form),
    Screen("sign up", "/create-account", "form.sign-up", logged_in=False),
    Screen("sign up, nothing entered", "/create-account", ".field-error", logged_in=False, interact=_submit),
    Screen("forgot", "/confirm-password", "form.form", logged_in=False),
    Screen(
        "forgot, sent",
        "/confirm-password",
        "[data-wait]",
        logged_in=False,
        given=reset_attempts,
        interact=_send_password_reset,
    ),
    Screen("new password", NEW_PASSWORD, ".rules", logged_in=False),
    Screen("new password, link ended", NEW_PASSWORD, REQUEST_ID, logged_in=False, interact=_set_password),
    Screen("activate an email", ACTIVATE_EMAIL, "form.form", logged_in=False),
    Screen("activate an email, unknown", ACTIVATE_EMAIL, ".error-summary", logged_in=False, interact=_submit),
    Screen("terms, logged out", "/terms", ".document", logged_in=False),
    Screen("unknown, logged out", "/no/such/page", "main code[dir]", logged_in=False),
    Screen("server error, logged out", "/520", REQUEST_ID, logged_in=False),
    Screen("version, logged out", "/version", "dl.facts", logged_in=False),
    Screen("maintenance", "/maintenance", ".badge[data-tone=danger]", logged_in=False, given=_is_maintained),
    Screen("no maintenance", "/maintenance", "a[data-primary]", logged_in=False),
    Screen("translators, log in", "/translate/login", "form.form", logged_in=False),
    Screen("translators, nothing entered", "/translate/login", ".field-error", logged_in=False, interact=_submit),
    _translators("languages", "", "tbody tr"),
    _translators("texts", "th-TH%2F", ".translate-text"),
    _translators("texts, not published", "de-DE%2F", ".translate-text [aria-invalid]", _translate_wrongly),
    _translators("nothing matches", "fr-FR%2F%3Fquery%3Dzzzz", "p.card"),
    _translators("history", "de-DE%2F", ".breadcrumbs li:nth-child(2)", _show_history),
    _translators("gone", "de-DE%2Fgone", ".breadcrumbs"),
    _translators("password", "password", "form.form"),
    Screen("clinics", CLINICS, ROW),
    Screen("clinics, none", CLINICS, ".setup-steps", given=_NO_CLINICS),
    Screen("clinics, nothing matches", f"{CLINICS}?keyword=zzz", NOTHING_MATCHES),
    Screen("users", USERS, ROW),
    Screen("all users", ALL_USERS, ROW),
    Screen("all users, one beside", f"{ALL_USERS}?user=u-1", ".panel"),
    Screen("access review", REVIEW, ROW),
    Screen("access review, own settings", f"{REVIEW}?group=own", ROW),
    Screen("access review, keep", REVIEW, ".bulk-plan [name=reason]", interact=_plan("keep")),
    Screen("access review, reduce", REVIEW, ".bulk-plan select", interact=_plan("reduce")),
    Screen("access review, not told", f"{REVIEW}?group=own", NOTHING, given=_UNREADABLE_SETTINGS),
    Screen("access review, sign off", f"{REVIEW}/sign-off", "[name=note]"),
    Screen("access review, signed off", f"{REVIEW}/sign-off", ROW, interact=_submit),
    Screen("users, filtered", f"{USERS}?status=ACTIVE&user_type=DOCTOR&size=10&page=2", ".chips"),
    Screen("users, none", USERS, NOTHING, given=_NO_USERS),
    Screen("users, nothing matches", f"{USERS}?keyword=zzz", NOTHING_MATCHES),
    Screen("users, half an email", f"{USERS}?searchField=email&keyword=hana", ".field-error"),
    Screen("clinic, new", f"{CLINICS}/new", "form.form"),
    Screen("clinic, nothing entered", f"{CLINICS}/new", ".field-error", interact=_submit),
    Screen("clinic, edit", f"{CLINICS}/g-1/edit", "dl.facts"),
    Screen("clinic, scanners", f"{CLINICS}/g-1/scanner", ROW),
    Screen("clinic, partners", f"{CLINICS}/g-1/partner", ROW),
    Screen("clinic, delete", f"{CLINICS}/g-1/delete", ".alert[data-tone=warning]"),
    Screen("clinics, chosen", CLINICS, ".bulk-bar", interact=_choose(2)),
    Screen("clinics, bulk permissions", CLINICS, ".bulk-plan [type=radio]", interact=_plan("permissions")),
    Screen("permissions of all clinics", ALL_PERMISSIONS, ROW),
    Screen("permissions of all clinics, filtered", f"{ALL_PERMISSIONS}?differs=true&allow_export=off", ".chips"),
    Screen("permissions of all clinics, not offered", ALL_PERMISSIONS, "main .alert", given=_NO_PERMISSIONS),
    Screen(
        "permissions of all clinics, plan", ALL_PERMISSIONS, ".bulk-plan [type=radio]", interact=_plan("permissions")
    ),
    Screen("presets", PRESETS, ROW, given=_has_preset),
    Screen("preset, new", f"{PRESETS}/new", "form.form"),
    Screen("preset, nothing entered", f"{PRESETS}/new", ".field-error", interact=_submit),
    Screen("preset, used", PRESETS, "#used", given=_has_preset, interact=_open_preset),
    Screen("clinics, nothing to delete", CLINICS, ".bulk-blockers", interact=_plan("delete")),
    Screen("clinics, import", f"{CLINICS}/import", "[type=file]"),
    Screen("clinics, import, nothing chosen", f"{CLINICS}/import", ".field-error", interact=_submit),
    Screen("clinics, import, rows", f"{CLINICS}/import", ".csv-import", interact=_check_file(_CLINIC_FILE)),
    Screen("users of all clinics, import", f"{ALL_USERS}/import", "[type=file]"),
    Screen("notifications", "/notifications", ROW),
    Screen("notifications, unread", "/notifications?filter=unread", "tr:has(.row-mark)"),
    Screen("notification, mark as read", "/notifications/n-1/read", "dl.facts"),
    Screen("dashboard", "/dashboard", ".bars"),
    Screen("dashboard, lists fail", "/dashboard", ".tiles", given=_NO_LISTS),
    Screen("decisions", "/decisions", ROW),
    Screen("all teams", "/user-manage/team", ROW),
    Screen("save a view", SAVE_VIEW, "[name=is_default]"),
    Screen("save a view, nothing entered", SAVE_VIEW, ".field-error", interact=_submit),
    Screen("saved views", SAVE_VIEW, ".views [aria-current]", interact=_save_view),
    Screen("edit a view", SAVE_VIEW, ".page-head a[href*='/delete']", interact=_edit_view),
    Screen("teams", TEAMS, ROW),
    Screen("labs", "/partner-manage/search", ROW),
    Screen("labs, none found", "/partner-manage/search?country=KR&language=de&lab_type=BOTH", ".empty-actions"),
    Screen("who can order", "/partner-manage/list/ordering", ".cell-links a"),
    Screen("lab", "/partner-manage/lab/l-64", ".lab-states"),
    Screen("lab, add", "/partner-manage/lab/l-2/add", "form.form"),
    Screen("team, new", f"{TEAMS}/new", "form.form"),
    Screen("team, nothing entered", f"{TEAMS}/new", ".field-error", interact=_submit),
    Screen("team, edit", f"{TEAMS}/t-1/edit", "form.form"),
    Screen("team, delete", f"{TEAMS}/t-1/delete", "dl.facts"),
    Screen("users, one beside", f"{USERS}?user=u-1", ".panel"),
    Screen("users, chosen", USERS, ".bulk-bar", interact=_choose(2)),
    Screen("users, bulk move", USERS, ".bulk-plan select", interact=_plan("move")),
    Screen("users, bulk permissions", USERS, ".bulk-plan [type=radio]", interact=_plan("permissions")),
    Screen("users, bulk deletion", USERS, ".bulk-plan [data-variant=danger]", interact=_plan("delete", count=12)),
    Screen(
        "users, bulk done in part",
        f"{USERS}?status=INVITED",
        "[data-selection-done] ~ .alert",
        given=_faults({"path": "bulkResendInvitation/u-5$", "code": 10000}),
        interact=_resend_in_bulk,
    ),
    Screen("users, import", f"{USERS}/import", "[type=file]"),
    Screen("users, import, rows", f"{USERS}/import", ".csv-import", interact=_check_file(_USER_FILE)),
    Screen("users, import, columns", f"{USERS}/import", "[name=column-email]", interact=_check_file(_FOREIGN_FILE)),
    Screen("users, import, values", f"{USERS}/import", ".value-choices", interact=_check_file(_FOREIGN_VALUES)),
    Screen("user", f"{USERS}/u-1", "dl.facts"),
    Screen("user, invited", f"{USERS}/u-5", "dl.facts"),
    Screen("user, review reminder, nothing entered", f"{USERS}/u-1/reminder/new", ".field-error", interact=_submit),
    Screen("user, review reminder", f"{USERS}/u-4", "#reminders dl", interact=_set_date("u-4")),
    Screen(
        "decisions, review reminder", "/decisions", "#waits-reminders tbody tr", interact=_set_date("u-2", "/decisions")
    ),
    Screen("user, edit", f"{USERS}/u-1/edit", "form.form"),
    Screen("user, move", f"{USERS}/u-4/move", "form.form"),
    Screen("user, lock", f"{USERS}/u-1/lock", "dl.facts"),
    Screen("user, blocked deletion", f"{USERS}/u-4/delete", ".blockers"),
    Screen("user, delete", f"{USERS}/u-1/delete", "dl.facts"),
    Screen("user, invite", f"{USERS}/new", "[name=preset]", given=_has_preset),
    Screen("user of any clinic, invite", f"{ALL_USERS}/new", "form.form"),
    Screen("user of no clinic, invite", f"{ALL_USERS}/new", ".empty-actions", given=_NO_CLINICS),
    Screen("user, invite, nothing entered", f"{USERS}/new", ".error-summary", interact=_submit),
    Screen("users, invite", f"{ALL_USERS}/new?several=1", "[name=people]"),
    Screen("user, invite, pasted", f"{USERS}/new?several=1", ".is-row", given=_has_preset, interact=_paste),
    Screen("user, resend", f"{USERS}/u-5/invitation/resend", "dl.facts"),
    Screen("user, cancel", f"{USERS}/u-5/invitation/cancel", "dl.facts"),
    Screen("clinic permissions", CLINIC_PERMISSIONS, "[role=switch]", scripted=True),
    Screen("user permissions", USER_PERMISSIONS, "section.permissions", scripted=True),
    Screen("user permissions, whom to copy", f"{USER_PERMISSIONS}/copy", ROW),
    Screen("user permissions, copied", f"{USER_PERMISSIONS}?copy_from=u-9", "form.permissions"),
    Screen("user permissions, which preset", f"{USER_PERMISSIONS}/preset", ROW, given=_has_preset),
    Screen(
        "user permissions, preset",
        f"{USER_PERMISSIONS}/preset",
        ".permission-new",
        given=_has_preset,
        interact=_open_preset,
    ),
    Screen("clinic permissions, form", CLINIC_PERMISSIONS, "form.permissions", server_form=True),
    Screen("user permissions, form", USER_PERMISSIONS, "form.permissions", server_form=True),
    Screen(
        "permissions, refused",
        CLINIC_PERMISSIONS,
        ".error-summary",
        server_form=True,
        given=_REFUSES,
        interact=_save_permissions,
    ),
    Screen("permissions, saved", CLINIC_PERMISSIONS, ".messages", server_form=True, interact=_save_permissions),
    Screen("scanners", SCANNERS, ROW),
    Screen("scanners, pending", f"{SCANNERS}?status=PENDING&clinic=g-1", ".chips"),
    Screen("scanners, none pending", f"{SCANNERS}?status=PENDING", NOTHING, given=_NO_SCANNERS),
    Screen(
        "scanners, bulk cancellation",
        f"{SCANNERS}?status=APPROVED",
        "#typed",
        interact=_plan("cancel-approval", count=7),
    ),
    Screen("scanner", f"{SCANNERS}/s-3", "#history tbody tr"),
    Screen("scanner without a history", f"{SCANNERS}/s-1", "#history > .muted", given=_NO_HISTORY),
    Screen("scanner, disapprove", f"{SCANNERS}/s-3/disapprove", "dl.facts"),
    Screen("clinics, fault", CLINICS, REQUEST_ID, given=_FAILS),
    Screen("users of no clinic", f"{CLINICS}/nope/user", REQUEST_ID),
    Screen("search", "/search", ".found"),
    Screen("search, found", "/search?q=seoul", ".found small"),
    Screen("search, nothing found", "/search?q=zzzz", ".found-more"),
    Screen("search, one kind fails", "/search?q=seoul", ".found p", given=_NO_SCANNER_SEARCH),
    Screen("unknown", "/no/such/page", "main code[dir]"),
    Screen("server error", "/520", REQUEST_ID),
    Screen("version", "/version", "dl.facts"),
    # What is expected
    Screen("expected serial numbers", "/scanner-manage/expected", ".list"),
    Screen("add serial numbers", "/scanner-manage/expected/new", "[name=pasted]"),
    Screen("serial numbers to check", "/scanner-manage/expected/new", ".csv-import td", interact=_paste_serial_numbers),
    Screen("import of serial numbers", "/scanner-manage/expected/import", "[name=file]"),
    # What was done
    Screen("activity", "/activity", ".list"),
    Screen("service log", "/activity/service", ROW),
    Screen("entry of the log", "/activity/service/e-1", "#changes-title"),
    Screen("about", "/about", ".document"),
    Screen("my account", "/my-account", ".account"),
    Screen("organization name", "/my-account/organization-name", "form.form"),
    Screen("own email", "/my-account/email", "form.form"),
    Screen("own password, nothing entered", "/my-account/password", ".field-error", interact=_submit),
    Screen("dashboard URL", "/my-account/dashboard-url", "form.form"),
    Screen("preferences", "/my-account/preferences", "form.form"),
    Screen("own sessions", "/my-account/sessions", ".sessions"),
    Screen("own sessions, end", "/my-account/sessions/end-others", "form.form"),
)
BY_NAME = {screen.name: screen for screen in SCREENS}


def phone(page: Page) -> None:
    """Make the window as small as a phone's."""
    page.set_viewport_size({"width": 390, "height": 844})


def raise_toasts(page: Page, count: int, *, tone: str = "success") -> None:
    """Show this many toasts, each with a text of its own, the way islands do."""
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
    # The first one loads their script.
    expect(page.locator(".toast").last).to_be_visible()


def choose_row_action(page: Page, row: str, action: str) -> None:
    """Choose an action of a row from its menu."""
    page.get_by_role("button", name=f"Actions for {row}", exact=True).click()
    page.locator(":popover-open").get_by_role("link", name=action, exact=True).click()


def visit(page: Page, path: str) -> None:
    """Open a page, and wait until its island has taken over."""
    page.goto(path)
    ready(page)


def bulk_action(page: Page, action: str, press: Callable[[Locator], object]) -> Locator:
    """Return the button of a bulk action; the menus that it stands in, if it does, are opened by `press`."""
    button = page.locator(f".bulk-bar [formaction$='/{action}']")
    menus = page.locator(".bulk-bar [popovertarget]").and_(page.locator(f":has(+ [popover] [formaction$='/{action}'])"))
    for menu in menus.all():
        if not button.is_visible() and menu.is_visible():
            press(menu)
    return button


def open_filters(page: Page) -> None:
    """Open the choices of a list's search."""
    page.get_by_role("button", name="Filters").click()
    expect(page.get_by_role("button", name="Close filters")).to_be_visible()


def shows(page: Page, range_: str) -> None:
    """Wait until the list shows these rows, such as `1 to 25 of 40`."""
    expect(page.locator(".list-status")).to_have_text(range_)


def let_go(page: Page, paused: list[Route]) -> None:
    """Let the request continue, once it has come."""
    wait_until(lambda: page.evaluate("1") and paused)  # the browser's events are heard while it is asked
    paused.pop().continue_()
