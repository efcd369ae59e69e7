"""Posts of every form of the account, with and without a login: some values right, some odd, some left out.

None is answered as our mistake, what was typed comes back except passwords, and no password or token shows anywhere.
"""

import html
import random
import re
from concurrent.futures import ThreadPoolExecutor

import requests

from lab.soak.redirects import leaves_site
from lab.soak.system import CLIENTS, Report, report_leaks, system, together
from tests.e2e.http_client import Visitor, logged_in, received_tokens, reset_attempts
from tests.e2e.pages import ACTIVATE_EMAIL, NEW_PASSWORD
from tests.e2e.running import EMAIL, PASSWORD, Console
from tests.e2e.test_fault_matrix import CANARY, INTERNAL_DETAILS, refusal

BATCH = 500
"""Posts after which the sandbox is reset and all log in again: some posts change the password."""
ATTEMPTS = 8
"""Posts of one client after which its login attempts are reset."""
ADMINISTRATORS = [(EMAIL, PASSWORD), *((f"{n}@demo.example", f"{n.title()}123!") for n in ("other", "third", "empty"))]
"""One for each client: what ends the other sessions of one must not end those of all."""
CANARY_EMAIL = "wren@canary.example"
"""An address that is typed, and must never be logged."""
ID = "0b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11"
FORMS = {
    "/login": "email password keep next",
    "/confirm-password": "email carried",
    NEW_PASSWORD: "new_password confirm_password",
    ACTIVATE_EMAIL: "activate",
    "/create-account": "organization_name country_code server_location name email password confirm_password terms "
    "privacy marketing terms_version organization_name_checked email_checked check carried",
    "/my-account/organization-name": "name name_checked version check",
    "/my-account/email": "email current_password",
    "/my-account/email/resend": "version",
    "/my-account/email/cancel": "version",
    "/my-account/password": "current_password new_password confirm_password",
    "/my-account/dashboard-url": "dashboard_url version",
    "/my-account/preferences": "language time_zone marketing_agreed version",
    f"/my-account/sessions/{ID}/end": "",
    "/my-account/sessions/end-others": "",
    f"/my-account/service-sessions/{ID}/end": "",
    "/my-account/service-sessions/end-others": "",
}
"""The fields of each form; its hidden ones are among them."""
RIGHT = {
    "email": (CANARY_EMAIL, EMAIL, "two@demo.example"),
    "name": ("Ada Park", "Ada Dental", "Demo Dental Group"),
    "organization_name": ("Ada Dental", "Demo Dental Group"),
    "country_code": ("DE", "KR"),
    "server_location": ("EU", "KR"),
    "dashboard_url": ("https://usage.dashboard.example/o-1", ""),
    "language": ("de-DE", "ar-EG"),
    "time_zone": ("Berlin, Germany", ""),
    "version": ("1", "2"),
    "check": ("email", "organization_name", "name"),
    "terms_version": ("placeholder",),
    "next": ("/my-account",),
}
ODD = (
    "", " ", "0", "-1", "9" * 40, "٣", "on", "é" * 300, "a" * 5000, "\x00", "\u202e", "\r\nX-Injected: 1", "[]",
    "null", "<script>alert(1)</script>", '"\'>&amp;', "' OR 1=1 --", "%s%(x)s", "{{ 7*7 }}", "../../etc/passwd",
    "ADA@İ.example", "//evil.example", "https://evil.example/x", f"{CANARY_EMAIL}\n", "🦷" * 101, "مرحبا", "\ufffd",
)  # fmt: skip
BOXES = {"keep", "terms", "privacy", "marketing", "marketing_agreed", "activate", "carried"}
HIDDEN = {"next", "version", "check", "terms_version", "activate", "carried", "name_checked"} | {
    "organization_name_checked",
    "email_checked",
}
PASSWORDS = {"password", "new_password", "confirm_password", "current_password"}
MARK = re.compile(r"Zq\d{6}")
"""A pattern that every entered password has, and nothing else."""
FORM_STATUSES = {200, 409, 412, 422, 429}


class Typist:
    """Fills in forms of one random source, and sends them."""

    def __init__(self, console: Console, number: int, seed: int, report: Report) -> None:
        self.console, self.report = console, report
        self.email, self.password = ADMINISTRATORS[number]
        self.random = random.Random(seed)
        self.visitor, self.stranger = Visitor(console), Visitor(console)
        self.answers: list[str] = []
        self._sent = 0

    def log_in(self) -> None:
        """Log in again after a reset of the sandbox, with the first password."""
        self.password = dict(ADMINISTRATORS)[self.email]
        self.visitor = logged_in(self.console, email=self.email, password=self.password)

    def send(self) -> None:
        """Fill in one form, and look at what becomes of it."""
        some = self.random
        self._sent += 1
        if self._sent % ATTEMPTS == 0:
            reset_attempts(self.console)
        path = some.choice(list(FORMS))
        form, as_json = self._filled(FORMS[path].split()), some.random() < 0.2
        # The public forms are those of people who are logged in as well, except when they would log out by it.
        is_private = path.startswith("/my-account") or (path == NEW_PASSWORD and some.random() < 0.5)
        visitor = self.visitor if is_private else self.stranger
        answer = visitor.post(path, form, json=as_json)
        if is_private:
            visitor.auth = answer.cookies.get("auth") or visitor.auth
        if path == "/my-account/password" and answer.ok:
            self.password = form["new_password"]
        self.report.counts["posts"] += 1
        self.report.counts[f"answers {answer.status_code}"] += 1
        self._judge(path, form, answer)
        self.answers.append(f"{answer.headers}{answer.text}")

    def _filled(self, names: list[str]) -> dict[str, str]:
        some, filled = self.random, {}
        password = self._password()
        for name in names:
            chance = some.random()
            if chance < 0.15:
                continue
            if name in PASSWORDS:
                filled[name] = password if chance < 0.8 else self._password()
            elif name in BOXES:
                if name != "carried" or chance > 0.9:
                    filled[name] = "on"
            else:
                filled[name] = some.choice(RIGHT[name] if name in RIGHT and chance < 0.75 else ODD)
        if "current_password" in filled and some.random() < 0.5:
            filled["current_password"] = self.password
        return filled

    def _password(self) -> str:
        """A password that MARK finds wherever it shows; some keep the rules."""
        mark = f"Zq{self.random.randrange(10**6):06}"
        return self.random.choice((f"{mark}!", f"{mark}?", mark, f"<{mark}&\"'", f"é{mark}!", f"{mark} " * 200))

    def _judge(self, path: str, form: dict[str, str], answer: requests.Response) -> None:
        summary = f"{answer.status_code} to {path} {form!r:.300}"
        if answer.status_code >= 500:
            self.report.wrong.append(summary)
        if leaves_site(answer.headers.get("Location", "/")):
            self.report.wrong.append(f"{summary}: leads to {answer.headers['Location']!r}")
        if answer.headers.get("Cache-Control") != "no-store":
            self.report.wrong.append(f"{summary}: Cache-Control {answer.headers.get('Cache-Control')!r}")
        if answer.status_code in FORM_STATUSES and answer.text.startswith("<!doctype"):
            lost = [name for name in form.keys() - HIDDEN - PASSWORDS if not _has_value(answer.text, name, form[name])]
            self.report.wrong += [f"{summary}: {name} is lost" for name in lost]
            self.report.counts["forms shown again"] += 1


def _has_value(page: str, name: str, value: str) -> bool:
    """Return whether the control of a page has this value: the entered text, or the selected choice."""
    page = page.partition("<main")[2]
    if match := re.search(rf'<input type="(\w+)" name="{name}"([^>]*)>', page):
        if match[1] == "checkbox":
            return " checked" in match[2]
        given = re.search(r'value="([^"]*)"', match[2])
        return (html.unescape(given[1]) if given else "") == value
    select = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    option = f'<option value="{html.escape(value)}"'
    return select is not None and (not value or f"{option} selected" in select[0] or option not in select[0])


def run(count: int, *, seed: int | None = None) -> Report:
    """Send `count` posts, the same ones for the same seed."""
    report = Report()
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    with system() as console, ThreadPoolExecutor(CLIENTS) as pool:
        typists = [Typist(console, number, seed + number, report) for number in range(CLIENTS)]
        secrets = {password for _email, password in ADMINISTRATORS}
        for start in range(0, count, BATCH):
            console.sandbox.renew()
            reset_attempts(console)
            for typist in typists:
                typist.log_in()
            # Now and then the service refuses, with a message that no user may see.
            console.sandbox.faults({"path": "/v1/biz", "method": "PUT", "times": BATCH // 20, **refusal(422, 12005)})
            together(pool, [typist.send for typist in typists], min(BATCH, count - start))
            secrets |= received_tokens(console.sandbox)
            answers = "\n".join(text for typist in typists for text in typist.answers)
            report_leaks(report, "an answer", answers, {*secrets, *INTERNAL_DETAILS, *MARK.findall(answers)})
            for typist in typists:
                typist.answers.clear()
        log = console.log.read_text("utf-8", "replace")
        report_leaks(
            report,
            "the log",
            log,
            {*secrets, *dict(ADMINISTRATORS), CANARY_EMAIL, "wren%40canary", CANARY, *MARK.findall(log)},
        )
        report.counts["secrets looked for"] = len(secrets)
    return report
