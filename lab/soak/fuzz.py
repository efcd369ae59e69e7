"""Requests of all kinds, half of them odd on purpose: none is answered as our mistake, none makes a secret appear.

A canary is what must never be seen: tokens, passwords and texts of the service anywhere; in the log, addresses and
queries as well.
"""

import http.client
import random
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode, urlsplit

from lab.soak.system import CLIENTS, Report, errors_in, report_leaks, system, together
from tests.e2e.http_client import FORM_TOKEN, Visitor, logged_in, received_tokens, reset_attempts
from tests.e2e.running import EMAIL, PASSWORD, Console
from tests.e2e.test_fault_matrix import CANARY, INTERNAL_DETAILS, refusal

BATCH = 500
"""Requests after which the sandbox clears its calls, and a visitor who was logged out logs in again."""
CANARY_EMAIL = "wren@canary.example"
"""An address that is typed, searched and sent in headers, and must never be logged."""
PAGES = [
    "/", "/login", "/logout", "/session", "/520", "/maintenance", "/version", "/healthz", "/readyz", "/robots.txt",
    "/i18n/en-US/0", "/static/dist/islands.js", "/user-manage", "/user-manage/user", "/user-manage/user/export",
    "/user-manage/user/import", "/user-manage/user/bulk/delete", "/user-manage/clinic", "/user-manage/clinic/new",
    "/user-manage/clinic/export", "/user-manage/clinic/import", "/user-manage/clinic/bulk/delete",
    *(
        f"/user-manage/clinic/g-1{suffix}"
        for suffix in (
            "/edit", "/delete", "/permissions", "/team", "/team/new", "/team/t-1/edit", "/team/t-1/delete", "/user",
            "/user/new", "/user/export", "/user/import", "/user/bulk/resend", "/user/bulk/delete", "/user/u-1",
            "/user/u-1/edit", "/user/u-1/delete", "/user/u-1/permissions", "/user/u-1/permissions/copy",
            "/permissions/preset", "/user/u-1/permissions/preset",
            "/user/u-1/invitation/resend", "/user/u-1/invitation/cancel",
        )
    ),
]  # fmt: skip
NAMES = """
    name email password keep next row row-0-name row-0-email row-0-user_type row-0-team_id user_type team_id clinic_id
    country_code dentist_count staff_count info typed typed_name version form_id sender back job lines id ids all query
    except stay another add_row remove overwrite rejected sent_before proof allow_export move_users_to lng page size
    show find retry sort order keyword searchField status user copy_from reason was csrfmiddlewaretoken
""".split()  # noqa: SIM905 - easier to read and to add to
VALUES = (
    "", "0", "1", "-1", "9" * 40, "٣", "on", "u-1", "g-1", "t-1", "FR", "STAFF", "name", "email", "ko-KR", CANARY_EMAIL,
    "\x00", "\ud800", "\u202e", "é" * 300, "a" * 5000, "<script>alert(1)</script>", "'; DROP TABLE grant; --", "%s",
    "{{ 7*7 }}", "../../etc/passwd", "\r\nX-Injected: 1", "[1,2", "null", "asc", "0f8fad5b-d9cb-469f-a165-70867728950e",
)  # fmt: skip
RETURNS = (
    "//[",
    "//a\u2100b",
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "/%09/evil.example",
    "javascript:alert(1)",
    "/?q=\x7f",
)
TYPES = (
    "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-16",
    "application/x-www-form-urlencoded; charset=ascii", "application/x-www-form-urlencoded; charset=nonsense",
    "application/x-www-form-urlencoded; charset=\"", ".",
    "application/json", "application/json; charset=latin-9", "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x", "multipart/form-data; boundary=x; charset=utf-7", "", ";", "x" * 300,
    "multipart/form-data; boundary=\xe9", "application/x-www-form-urlencoded; charset=idna",
    "application/x-www-form-urlencoded; charset=base64",
)  # fmt: skip
HOSTS = (
    "evil.example",
    "",
    "127.0.0.1:0",
    "127.0.0.1:99999",
    "[::1",
    "localhost.",
    "LOCALHOST",
    "a b",
    "user@localhost",
    "é",
)
COOKIES = (
    "auth=",
    "auth=x; auth=y",
    "auth=" + "a" * 200,
    'csrf="',
    "i18next=xx; tz=Mars/Base; theme=9",
    "sizes={}",
    "columns={}",
    "draft=x",
    "=;=",
    "tz=../../etc",
    "messages=x",
    "\xff=\xff",
)
METHODS = ("GET",) * 8 + ("POST",) * 8 + ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "QUERY")
MEANT = {"/520": 520, "/maintenance": 503}
"""Pages that have such a status because that is what they say."""


class Fuzzer:
    """Makes requests of one random source, and sends them."""

    def __init__(self, console: Console, visitor: Visitor, seed: int, report: Report) -> None:
        self.random = random.Random(seed)
        self.address = urlsplit(console.url)
        self.visitor = visitor
        self.report = report
        self.answers: list[str] = []

    def send(self) -> None:
        """Send one request; half of them are odd."""
        some, is_odd = self.random, self.random.random() < 0.5
        method, path = some.choice(METHODS), self._path()
        if path.startswith("/logout"):
            method = "GET"  # so that the session lasts for a while
        headers = {
            "Accept": some.choice(("text/html", "application/json", "*/*")),
            "Referer": f"{self._url()}/?q={CANARY_EMAIL}",
        }
        cookie = f"csrf={FORM_TOKEN}" + (f"; auth={self.visitor.auth}" if some.random() < 0.8 else "")
        body = self._body() if method not in ("GET", "HEAD", "OPTIONS", "TRACE") else b""
        kind, host = TYPES[0], str(self.address.netloc)
        if is_odd:
            oddity = some.choice(("type", "host", "cookie", "return", "header", "body"))
            kind = some.choice(TYPES) if oddity == "type" else kind
            host = some.choice(HOSTS) if oddity == "host" else host
            cookie = f"{cookie}; {some.choice(COOKIES)}" if oddity == "cookie" else cookie
            if oddity == "return":
                path += (
                    f"{'&' if '?' in path else '?'}{urlencode({some.choice(('next', 'back')): some.choice(RETURNS)})}"
                )
            if oddity == "header":
                name = some.choice(
                    (
                        "Accept-Language",
                        "X-Forwarded-For",
                        "X-Request-ID",
                        "Accept",
                        "Sec-Fetch-Site",
                        "Origin",
                        "Referer",
                    )
                )
                headers[name] = some.choice(
                    (CANARY_EMAIL, "cross-site", "x" * 3000, "*;q=9", ",,,;;;", "\xe9", "http://[")
                )
            if oddity == "body":
                body = some.randbytes(some.randrange(2000))
            self.report.counts["odd"] += 1
        self._exchange(method, path, {**headers, "Host": host, "Cookie": cookie, "Content-Type": kind}, body)

    def _url(self) -> str:
        return self.address.geturl()

    def _exchange(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        connection = http.client.HTTPConnection(str(self.address.hostname), self.address.port, timeout=40)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value.encode("latin-1", "replace"))
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            status, text = answer.status, str(answer.headers) + answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            self.report.wrong.append(f"no answer ({type(error).__name__}) to {method} {path[:200]!r} {dict(headers)}")
            return
        finally:
            connection.close()
        self.report.counts["requests"] += 1
        self.report.counts[f"answers {status // 100}xx"] += 1
        if status >= 500 and MEANT.get(urlsplit(path).path) != status:
            self.report.wrong.append(f"{status} to {method} {path[:200]!r} {str(dict(headers))[:600]} {body[:200]!r}")
        self.answers.append(text)

    def _path(self) -> str:
        some = self.random
        path = some.choice(PAGES)
        if some.random() < 0.1:
            at = some.randrange(len(path))
            path = path[:at] + some.choice(("%00", "%ff", "//", "/..", "%2e", "%0a", "é", "x" * 500)) + path[at:]
        query = self._fields() if some.random() < 0.5 else []
        return quote(path, safe="/%") + (f"?{urlencode(query, errors='surrogatepass')}" if query else "")[:3000]

    def _fields(self) -> list[tuple[str, str]]:
        some = self.random
        return [(some.choice(NAMES), some.choice(VALUES)) for _ in range(some.randrange(6))]

    def _body(self) -> bytes:
        token = [("csrfmiddlewaretoken", FORM_TOKEN)] if self.random.random() < 0.9 else []
        return urlencode([*token, *self._fields()], errors="surrogatepass").encode()


def run(count: int, *, seed: int | None = None) -> Report:
    """Send `count` requests, the same ones for the same seed."""
    report = Report()
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    with system() as console, ThreadPoolExecutor(CLIENTS) as pool:
        visitor = logged_in(console)
        fuzzers = [Fuzzer(console, visitor, seed + number, report) for number in range(CLIENTS)]
        secrets = {PASSWORD}
        for start in range(0, count, BATCH):
            if visitor.get("/user-manage/clinic").status_code != 200:
                reset_attempts(console)
                visitor.auth = logged_in(console).auth
            console.sandbox.tokens(expire="access")
            # Now and then the service refuses, with a message that no user may see.
            console.sandbox.faults({"path": "/v1/biz", "times": BATCH // 20, **refusal(422, 12005)})
            together(pool, [fuzzer.send for fuzzer in fuzzers], min(BATCH, count - start))
            secrets |= received_tokens(console.sandbox)
            console.sandbox.no_faults()
            console.sandbox.clear_calls()
            report_leaks(
                report,
                "an answer",
                "\n".join(text for f in fuzzers for text in f.answers),
                {*secrets, *INTERNAL_DETAILS},
            )
            for fuzzer in fuzzers:
                fuzzer.answers.clear()
        log = console.log.read_text("utf-8", "replace")
        report.wrong += errors_in(log)
        private = {
            *secrets,
            visitor.auth,
            EMAIL,
            quote(EMAIL),
            CANARY_EMAIL,
            quote(CANARY_EMAIL),
            "wren%40canary",
            "keyword=",
            CANARY,
        }
        report_leaks(report, "the log", log, private)
        report.counts["secrets looked for"] = len(secrets)
    return report
