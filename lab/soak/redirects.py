"""Addresses of other sites in everything that sets a redirect: the console never redirects to another site."""

import html
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode

import requests

from lab.soak.system import CLIENTS, Report, system, together
from tests.e2e.http_client import FORM_TOKEN, logged_in, reset_attempts
from tests.e2e.pages import ALL_USERS, CLINICS
from tests.e2e.running import EMAIL, PASSWORD, Console

BATCH = 200
"""Requests after which login attempts are reset, and a visitor who was logged out logs in again."""
EVIL = "evil.example"
BEGINNINGS = (
    "//", "///", "////", "/\\", "\\\\", "\\/", "/\t/", "/\n/", "\t//", " //", "\x00//", "\x0b//", "/%09/", "/%2f",
    "%2f%2f", "https://", "HTTPS:", "http:/", "https:\\\\", "https:", "//@", "https://console@", "/..//", "/.//",
    "/./\\", "/%5c", "javascript:", "JaVaScRiPt:", "java\nscript:", "data:text/html,", "vbscript:", "//\u3002",
    "/\uff0f", "\uff0f\uff0f", "//[", "http://[::1]@", "/;//", "/?//", "/#//", "?//", "#//", "/login?next=//",
    "/user-manage//", "/\u202e/", "//\u2100",
)  # fmt: skip
ENDS = ("", "/", "/x", ":443", "\\x", "?q=1", "#x", "%00", "/%0d%0aLocation:x", "\r\nLocation: //evil.example", "\x7f")
WITHIN = "/\\\t\n\r :@?#%.;&=[]\x00\u2100\uff0f"


def leaves_site(address: str, *, is_link: bool = False) -> bool:
    """Return whether a browser would leave the site: it drops tabs and line ends, and reads a backslash as a slash.

    A redirect of ours always has a path; a link may be a query of its page.
    """
    read = re.sub(r"[\t\n\r]", "", address).lstrip("".join(map(chr, range(33)))).replace("\\", "/")
    is_same_site = not re.match(r"[A-Za-z][\w+.-]*:", read) if is_link else read.startswith("/")
    return not is_same_site or read.startswith("//")


class Guide:
    """Makes addresses of one random source, and asks to be led there."""

    def __init__(self, console: Console, seed: int, report: Report) -> None:
        self.console, self.report = console, report
        self.random = random.Random(seed)
        self.auth = ""
        self.ways = (
            self._log_in,
            self._pass_login,
            self._follow,
            self._return,
            self._lose,
            self._stale_form,
            self._undo,
        )

    def log_in(self) -> None:
        self.auth = logged_in(self.console).auth

    def send(self) -> None:
        """Make one address, and try it in one of the places where an address comes in."""
        address = self._address()
        way = self.random.choice(self.ways)
        self.report.counts["addresses"] += 1
        try:
            answer = way(address)
        except (requests.RequestException, ValueError) as error:  # it reads where a redirect leads
            self.report.wrong.append(f"{way.__name__} {address!r}: {error!r:.200}")
            return
        location = answer.headers.get("Location", "")
        goto = json.loads(answer.text).get("goto", "") if answer.text.startswith("{") else ""
        for target in filter(None, (location, goto)):
            self.report.counts[f"led by {way.__name__.strip('_')}"] += 1
            if leaves_site(target):
                self.report.wrong.append(f"{way.__name__} {address!r} leads to {target!r}")
        for link in map(html.unescape, re.findall(r'(?:href|action|formaction)="([^"]*)"', answer.text)):
            if EVIL in link and leaves_site(link, is_link=True):
                self.report.wrong.append(f"{way.__name__} {address!r} has a link to {link!r}")
        if answer.status_code >= 500:
            self.report.wrong.append(f"{answer.status_code} to {way.__name__} {address!r}")

    def _address(self) -> str:
        some = self.random
        address = some.choice(BEGINNINGS) + some.choice((EVIL, EVIL, "@" + EVIL, quote(EVIL), "")) + some.choice(ENDS)
        if some.random() < 0.4:
            at = some.randrange(len(address) + 1)
            address = address[:at] + some.choice(WITHIN) + address[at:]
        return quote(address) if some.random() < 0.1 else address

    def _log_in(self, address: str) -> requests.Response:
        return self._ask("POST", "/login", form={"email": EMAIL, "password": PASSWORD, "next": address}, auth="")

    def _pass_login(self, address: str) -> requests.Response:
        return self._ask("GET", f"/login?{urlencode({'next': address})}")

    def _follow(self, address: str) -> requests.Response:
        """As the path itself: unknown, with a slash at its end, below a page of ours."""
        path = self.random.choice(("/{}", "/{}/", f"{CLINICS}/{{}}", f"{CLINICS}/{{}}/")).format(
            quote(address, safe="/\\:@")
        )
        return self._ask("GET", path, auth=self.random.choice((self.auth, "")))

    def _return(self, address: str) -> requests.Response:
        """As the way back of a form, and of the page that it was sent from."""
        path = self.random.choice(
            (f"{CLINICS}/g-1/edit", f"{CLINICS}/new", f"{ALL_USERS}/bulk/lock", "/my-account/email")
        )
        form = {"back": address, "name": "x" * self.random.choice((0, 5)), "version": "1"}
        query = f"?{urlencode({'back': address})}" if self.random.random() < 0.5 else ""
        return self._ask("POST", path + query, form=form, referer=address, as_json=self.random.random() < 0.3)

    def _lose(self, address: str) -> requests.Response:
        """As the page to go on with after the end of a session."""
        path = self.random.choice((CLINICS, "/my-account", f"{CLINICS}/new"))
        method = self.random.choice(("GET", "POST"))
        url = f"{path}?{urlencode({'keyword': address, 'next': address})}"
        return self._ask(method, url, form={"name": address}, auth="", referer=address)

    def _stale_form(self, address: str) -> requests.Response:
        """As the page that a form came from whose token is stale."""
        path = self.random.choice((f"{CLINICS}/new", "/logout", "/my-account/preferences", "/create-account"))
        form = {"csrfmiddlewaretoken": "b" * 32, "name": "x", "sender": address}
        return self._ask("POST", path, form=form, referer=address)

    def _undo(self, address: str) -> requests.Response:
        """As what a list is asked, which leads on to an address without it."""
        params = {
            "page": address,
            "keyword": address,
            "columns": address,
            "column": "name",
            "size": "20",
            "lng": address,
        }
        return self._ask("GET", f"{self.random.choice((CLINICS, ALL_USERS))}?{urlencode(params)}")

    def _ask(
        self,
        method: str,
        path: str,
        *,
        form: dict[str, str] | None = None,
        auth: str | None = None,
        referer: str = "",
        as_json: bool = False,
    ) -> requests.Response:
        auth = self.auth if auth is None else auth
        host = self.console.url.removeprefix("http://")
        origin = self.random.choice((f"http://{host}", f"http://{host}/", ""))
        headers = {
            "Accept": "application/json" if as_json else "text/html",
            "Cookie": f"csrf={FORM_TOKEN}" + (f"; auth={auth}" if auth else ""),
            "Referer": quote(origin + referer, safe="/\\:@?#%[]&=; ").strip(),
        }
        with requests.Session() as session:
            session.trust_env = False
            request = session.prepare_request(
                requests.Request(
                    method,
                    self.console.url,
                    data={"csrfmiddlewaretoken": FORM_TOKEN, **(form or {})} if method == "POST" else None,
                    headers=headers,
                )
            )
            request.url = self.console.url + path  # as it is: the library would tidy it up
            return session.send(request, allow_redirects=False, timeout=60)


def run(count: int, *, seed: int | None = None) -> Report:
    """Try `count` addresses, the same ones for the same seed."""
    report = Report()
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    with system() as console, ThreadPoolExecutor(CLIENTS) as pool:
        guides = [Guide(console, seed + number, report) for number in range(CLIENTS)]
        for start in range(0, count, BATCH):
            reset_attempts(console)
            for guide in guides:
                guide.log_in()
            together(pool, [guide.send for guide in guides], min(BATCH, count - start))
    return report
