"""Each page and form of each app, with each of its calls failing in each way: the response is always true and ours.

The pages are those of the URL table. The test is here because this app caches responses of the service, and the cache
must be cleared between calls.
"""

import json
import re
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.forms.availability import proof
from accounts.reading import locations
from console.config.logging import JsonFormatter
from console.models import Attempt, Submission
from console.tests.test_odd_answers import ANSWERS
from console.web import badges, maintenance
from console.web.request import transport
from tests.support import factories
from tests.support.reading import words
from tests.support.routes import IDS, ROUTES
from upstream.breaker import Breaker
from upstream.deadline import NotOpened

pytestmark = pytest.mark.slow
RAW = "raw words"
FAULTS = {
    "404": (404, factories.refusal(10004)),
    "404 without a code": (404, f"<h1>{RAW}</h1>"),
    "405": (405, ""),
    "500": (500, factories.refusal(10000)),
    "500 in words": (500, f"<h1>{RAW}</h1>"),
    "501": (501, f"<h1>{RAW}</h1>"),
    "502": (502, f"<h1>{RAW}</h1>"),
    "503": (503, f"<h1>{RAW}</h1>"),
    "503 with 18001": (503, factories.refusal(18001)),
    "520": (520, ""),
    "200 with 15001": (200, factories.refusal(15001)),
    "524": (524, ""),
    "not reached": (0, NotOpened("not opened")),
    "cut": (200, f'{{"results": [{{"id": "{RAW}'),
    "no JSON": (200, f"<h1>{RAW}</h1>"),
    "null": (200, "null"),
}
UNKNOWN = {"500 in words", "502", "520", "524", "cut", "no JSON", "null"}
"""The faults after which it is unknown whether a write was carried out."""
ALIKE = {"405", "500", "502", "503", "no JSON"}
"""The faults that a read can't distinguish from others."""
REDIRECTS = {"503 with 18001": "/maintenance", "200 with 15001": "/520"}
FAILED = re.compile(r"\bFailed to\b|\b(?:was|were)(?: not|n(?:'|&#39;)t) \w+ed\b")
NOT_KNOWN = re.compile(r"\bWe couldn't confirm whether\b")
NOTHING_AGAINST: dict[str, object] = {"deleteBlockers": [], "endBlockers": []}
STATES = [
    *({}, {"status": "APPROVED"}, {"status": "ACCEPTED"} | NOTHING_AGAINST, {"status": "REJECTED"}, NOTHING_AGAINST),
    *({"requestedBy": "ORGANIZATION"}, {"status": "INVITED", "lastLoginDate": None}, {"status": "LOCKED"}),
    *({"inPartnerList": True, "partnerships": []}, {"inPartnerList": False}),
]
"""Possible states of objects, which decide what can be done to them."""
PENDING = {"email": "new@clinic.example", "sentDate": "2026-01-05T08:30:00Z"}
ACCOUNT = {
    "/v1/bizOrganizationAdmins/a-1": {**factories.ADMIN, "version": 7, "language": "en-US", "pendingEmail": PENDING},
    "/v1/bizOrganizations/o-1": factories.organization(version=3),
    "/v1/bizOrganizationAdmins/a-1/sessions": factories.listing([{"id": "e-1", "device": "Scanner program"}]),
    "/v1/commons/serverLocations": {"results": [{"code": "EU", "countryCodes": ["DE"]}]},
    "/v1/accounts/search": factories.REGION,
    "/v1/maintenance": {"active": False},
    "/v2/oauth/requestToken": factories.token(),
}
ONLY_ASK = {"/v1/accounts/search", "/v2/oauth/requestToken", "/v2/oauth/expireToken"}
COMMON_CALLS = {"/v1/maintenance", "/v1/bizDashboards/summary", "/v2/oauth/checkToken"}
"""Calls of nearly every page; testing their failures on one page of each kind is enough."""
FORM_DATA = {
    **dict.fromkeys(("name", "organization_name", "row-0-name"), "Typed name"),
    **dict.fromkeys(("email", "row-0-email"), "typed@clinic.example"),
    **dict.fromkeys(("note", "message", "info"), "Typed words"),
    **dict.fromkeys(("serial_number", "pasted"), "TYP-1234"),
    **dict.fromkeys(("password", "new_password", "confirm_password"), "Demo456?"),
    "current_password": "Demo123!",
    "day": f"{date.today() + timedelta(days=30):%Y-%m-%d}",
    **{"dashboard_url": "", "time_zone": "", "activate": "on", "typed": "1"},
}
VIEW_FIELDS = {
    "clinic_delete": {"typed_name": "Clinic 1"},
    "partnership_end": {"typed_name": "Smile Lab"},
    "user_reminder_create": {"about": "allow_download"},
}
WITHOUT_FORM = {"session_end", "list_export", "all_notification_unread", "review_decide"}
"""No page of their own has a form for them: the current session, the rows of a list, and an undo."""
SECRETS = ("Demo123!", "Demo456?", "access-1", "refresh-1")
IMPORTS = ("clinic-import", "user-import", "all-user-import", "expected-serial-import")
NEEDS_FILE = {*IMPORTS, *(f"{name}-step" for name in IMPORTS)}
PRIVATE = (*SECRETS, "typed@clinic", "typed%40clinic", "TYP-1234", "Typed", "keyword", "serial_number", "7b7c1f7e", RAW)
"""Texts that no log may contain: secrets, typed values, queries, the ID of a mailed link, the service's text."""
ENDS_THE_SESSION = {"email-activate"}
REFUSALS = ((409, 10006), (409, 14001), (404, 10004), (422, 10002), (503, 10000))
"""Responses of the service to a repeated request: status and code."""
APPS = ("accounts", "groups", "notifications", "overview", "partners", "scanners")
VIEWS = [route for route in ROUTES if route.app in APPS and route.name not in ("logout", "login", "session")]


class Forms(HTMLParser):
    """The forms of a page that are posted, each with its URL and the fields a browser would send."""

    def __init__(self, html):
        super().__init__()
        self.posted, self._name = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form":
            self.posted.append((attributes, {}))
        if not self.posted:
            return
        fields, name = self.posted[-1][1], attributes.get("name")
        if tag == "input" and name and attributes.get("type") not in ("file", "submit"):
            fields.setdefault(name, attributes.get("value") or ("on" if attributes.get("type") == "checkbox" else ""))
        elif tag == "button" and name and not attributes.get("formaction"):
            fields.setdefault(name, attributes.get("value") or "") if name != "check" else None
        elif tag in ("select", "textarea"):
            self._name = name or ""
            fields.setdefault(name, "")
        elif (
            tag == "option"
            and self._name
            and attributes.get("value")
            and ("selected" in attributes or not fields[self._name])
        ):
            fields[self._name] = attributes["value"]

    def handle_endtag(self, tag):
        if tag in ("select", "textarea"):
            self._name = ""


class Service:
    """A service that responds normally, except for the calls that fail."""

    def __init__(self):
        self.state, self.failing, self.calls = {}, {}, []

    def __call__(self, request):
        path = urlsplit(request.url).path
        self.calls.append((request.method, path))
        status, body = self.failing.get((request.method, path)) or (200, self._body(request, path))
        return status, {}, json.dumps(body) if isinstance(body, dict) else body

    def _body(self, request, path):
        if path.endswith(("/exist", "/unreadCount")):
            return {"resultCount": 0}
        if request.method == "GET" or path in ONLY_ASK:
            return self._as_it_is((ACCOUNT | ANSWERS).get(path, factories.listing([])))
        if "/bulk" in path:
            sent = json.loads(request.body)
            ids = next((value for value in sent.values() if isinstance(value, list)), [])
            rows = [{"id": id if isinstance(id, str) else f"x-{n}", "ok": True} for n, id in enumerate(ids)]
            return {"resultCount": len(rows), "okCount": len(rows), "results": rows}
        return {"id": "x-1", "version": 9}

    def _as_it_is(self, body):
        if "results" in body:
            return body | {"results": [self._as_it_is(row) for row in body["results"]]}
        inner = {"lab": self._as_it_is(body["lab"])} if "lab" in body else {}
        return body | inner | {name: value for name, value in self.state.items() if name in body}


class Visit:
    """One view, loaded repeatedly, each time as if it were the first."""

    def __init__(self, client, service, path):
        self.client, self.service, self.path = client, service, path

    @contextmanager
    def afresh(self):
        cookies = {name: morsel.value for name, morsel in self.client.cookies.items()}
        with suppress(_Undone), transaction.atomic():
            yield
            raise _Undone
        self.client.cookies.clear()
        for name, value in cookies.items():
            self.client.cookies[name] = value
        for clear in (maintenance.clear_cache, badges.clear_cache, transport.capabilities.clear, locations.clear_cache):
            clear()
        self.service.failing = {}

    def load(self):
        """Load the page, with a query."""
        response = self.client.get(f"{self.path}?keyword=typed%40clinic.example&serial_number=TYP-1234")
        return response, response.getvalue().decode(errors="replace")

    def send(self, form):
        headers = {"Referer": f"http://testserver{self.path}"}
        response = self.client.post(self.path, form, headers=headers)
        return response, response.content.decode()

    def record_calls(self, action):
        """Return the calls that an action makes when none of them fails."""
        self.service.calls.clear()
        with self.afresh():
            action()
            return list(dict.fromkeys(self.service.calls))

    def form(self, view):
        """Return the form of this page, filled in; None if it has no form in any state."""
        for state in STATES:
            self.service.state = state
            with self.afresh():
                is_page = "GET" in view.methods and "/bulk/" not in self.path
                _, html = self.load() if is_page else self.send({"id": ["g-1", "u-1", "s-1", "l-1", "p-1", "1"]})
                for attributes, fields in Forms(html).posted:
                    if attributes.get("method") == "post" and urlsplit(attributes["action"]).path == self.path:
                        form = {name: _filled(name, value) for name, value in fields.items()}
                        return form | VIEW_FIELDS.get(view.__name__, {})
        assert view.__name__ in WITHOUT_FORM
        return {}


class _Undone(Exception):
    pass


def _filled(name, value):
    if name.endswith("_checked"):
        return proof(name.removesuffix("_checked"), FORM_DATA[name.removesuffix("_checked")])
    return FORM_DATA.get(name, value)


@pytest.fixture
def open_visit(client, upstream, saved_login, db, stored_rows, settings, monkeypatch, caplog):
    monkeypatch.setattr(Breaker, "is_open", lambda *_: False)
    settings.SERVER_LOCATIONS = [{"code": "EU", "label": "Europe", "api_url": "https://eu.api.example"}]

    def go(route):
        caplog.set_level("DEBUG")
        if route.access == "private":
            upstream.may_log_in()
            saved_login.restore(client)
            stored_rows(IDS)
        service = Service()
        upstream.everything(service)
        locations.clear_cache()
        return Visit(client, service, route.path())

    yield go
    log = "\n".join(map(JsonFormatter().format, caplog.get_records("call")))
    assert [private for private in PRIVATE if private in log] == []


def _writes(call):
    return (call[0] != "GET" or call[1].endswith("/forgotPassword")) and call[1] not in ONLY_ASK


def check_answer(response, html, fault, problems):
    """Check that no response is bare, an error of our own, or reveals the service or a secret."""
    if response.status_code not in (200, 302, 303, 404, 409, 410, 412, 422, 429, 502, 503, 504):
        problems.append(f"status {response.status_code}")
    if fault in REDIRECTS and response.status_code == 302 and response.headers["Location"] != REDIRECTS[fault]:
        problems.append(f"leads to {response.headers['Location']}")
    if response.headers.get("Content-Type", "").startswith("text/html") and response.status_code not in (302, 303):
        if "</html>" not in html or "<h1" not in html:
            problems.append("a bare page")
        if response.status_code >= 500 and response.headers["X-Request-ID"] not in html:
            problems.append("an error without its request ID")
    problems += [f"says {word}" for word in (RAW, *SECRETS) if word in html]


def lost(visit, form, html):
    """Return typed values, except passwords, missing in the response and in the form when it is opened again."""
    missing = [
        value
        for name, value in form.items()
        if value and name in FORM_DATA and "password" not in name and value not in unescape(html)
    ]
    if not missing:
        return []
    visit.service.failing = {}
    _, html_after = visit.load()
    return [value for value in missing if value not in unescape(html_after)]


@pytest.mark.req("ER-33", "ER-34", "ER-36", "SEC-50", "SEC-52")
@pytest.mark.parametrize("route", VIEWS, ids=str)
def test_a_failing_call_has_a_true_answer_and_loses_nothing(open_visit, route):
    """Test the page and the form with each call failing; the form also when sent twice, and after a crash."""
    visit = open_visit(route)
    problems: dict[str, list[str]] = {}
    if "GET" in route.methods:
        problems |= check_page(visit, route)
    if "POST" in route.methods:
        form = visit.form(route.view)
        with visit.afresh():
            response, _ = visit.send(form)
            assert response.status_code in (200, 303) or route.name in NEEDS_FILE, words(response)
        calls = [call for call in visit.record_calls(lambda: visit.send(form)) if call[1] not in COMMON_CALLS]
        problems |= check_form(visit, form, calls)
        problems |= check_repeat(visit, form, route)
        problems |= problems_after_crash(visit, form, [call for call in calls if _writes(call)])
    assert {case: texts for case, texts in problems.items() if texts} == {}


def check_page(visit, route):
    """Load the page with each call failing in each way."""
    problems: dict[str, list[str]] = {}
    calls = visit.record_calls(visit.load)
    shows_all = route.name in ("account-show", "decision-list")
    for call in [call for call in calls if call[1] not in COMMON_CALLS or shows_all]:
        for fault in FAULTS.keys() - ALIKE:
            with visit.afresh():
                visit.service.failing = {call: FAULTS[fault]}
                response, html = visit.load()
                check_answer(response, html, fault, problems.setdefault(f"page, {call}: {fault}", []))
    return problems


def check_form(visit, form, calls):
    """Send the form with each call failing in each way: the response is true, and no input is lost."""
    problems: dict[str, list[str]] = {}
    for call in calls:
        is_write = _writes(call)
        for fault, answer in FAULTS.items():
            texts = problems.setdefault(f"form, {call}: {fault}", [])
            with visit.afresh():
                visit.service.failing = {call: answer}
                visit.service.calls.clear()
                response, html = visit.send(form)
                check_answer(response, html, fault, texts)
                text = "" if response.status_code in (302, 303) else words(response)
                if is_write and visit.service.calls.count(call) > (2 if fault == "520" else 1):
                    texts.append("sent twice")
                if is_write and fault in UNKNOWN and FAILED.search(text) and not NOT_KNOWN.search(text):
                    texts.append(f"not known, and called failed: {text[:300]}")
                if not (is_write and fault in UNKNOWN) and NOT_KNOWN.search(text):
                    texts.append(f"not done, and called unknown: {text[:300]}")
                if response.status_code not in (302, 303) and not fault.startswith("404"):
                    texts += [f"lost: {value}" for value in lost(visit, form, html)]
    return problems


def check_repeat(visit, form, route):
    """Send the form twice: it is carried out once, and both responses are the same."""
    texts: list[str] = []
    ends_the_session = route.name in ENDS_THE_SESSION
    with visit.afresh():
        visit.service.calls.clear()
        first, _ = visit.send(form)
        writes = [call for call in visit.service.calls if _writes(call)]
        second, _ = visit.send(form)
        if [call for call in visit.service.calls if _writes(call)] != writes:
            texts.append("carried out twice")
        if second.status_code != first.status_code and not ends_the_session:
            texts.append(f"{first.status_code}, then {second.status_code}")
        if first.status_code == 303 and not ends_the_session:
            locations = [response.headers.get("Location") for response in (first, second)]
            if len(set(locations)) > 1:
                texts.append(f"leads to {locations}")
    return {"sent twice": texts}


def problems_after_crash(visit, form, writes):
    """Send the form again after a process died between its call and storing the response.

    The page must not say that the action failed: the first call may have been carried out.
    """
    problems: dict[str, list[str]] = {}
    for call in writes:
        for status, code in REFUSALS:
            with visit.afresh():
                visit.send(form)
                Submission.objects.update(answer="", created_at=timezone.now() - timedelta(seconds=108))
                Attempt.objects.all().delete()
                visit.service.failing = {call: (status, factories.refusal(code))}
                response, _ = visit.send(form)
                text = "" if response.status_code in (302, 303) else words(response)
                if FAILED.search(text) and not NOT_KNOWN.search(text):
                    problems[f"after a crash, {call}: {code}"] = [text[-900:]]
    return problems
