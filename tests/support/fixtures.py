"""Fixtures: a fake of the upstream service at the HTTP line, a browser that is logged in, and the audited visit."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import responses
from django.test import Client

from console.i18n import edits
from console.web import badges, maintenance
from console.web.request import transport
from tests.support import factories
from tests.support.audit import audit
from tests.support.page import Page
from tests.support.saved_login import SavedLogin
from upstream.breaker import Breaker
from upstream.config import Deadlines


@pytest.fixture(autouse=True)
def known_edits() -> None:
    """No translator has changed a text, and a page without a database needs none to know that."""
    edits.clear_cache()
    edits.known.number, edits.known.next_check = 0, float("inf")


class Upstream:
    """The HTTP line, faked: what the service answers, and what it was asked."""

    def __init__(self, mock: responses.RequestsMock) -> None:
        self._mock = mock

    def answers(
        self, method: str, path: str, body: Any = None, *, status: int = 200, base: str = "", **options: Any
    ) -> None:
        """Answer calls of this method and path (whatever the query), at any of the service's hosts."""
        hosts = re.escape(base) if base else r"https://[a-z.]+\.example"
        url = re.compile(rf"^{hosts}{path}(\?.*)?$")
        self._mock.upsert(method, url, json={} if body is None else body, status=status, **options)

    def raw(self, method: str, path: str, **answer: Any) -> None:
        """Answer these calls with a body that need not be JSON, or with an exception of `requests`."""
        url = re.compile(rf"^https://[a-z.]+\.example{path}(\?.*)?$")
        self._mock.remove(method, url)
        self._mock.add(method, url, **answer)

    def remove(self, method: str, path: str) -> None:
        """Answer these calls no longer."""
        self._mock.remove(method, re.compile(rf"^https://[a-z.]+\.example{path}(\?.*)?$"))

    def answers_in_order(self, method: str, path: str, *answers: tuple[int, Any]) -> None:
        """Answer call after call with these statuses and bodies; the last one stays."""
        remaining = list(answers)

        def answer(_request: Any) -> tuple[int, dict[str, str], str]:
            status, body = remaining.pop(0) if len(remaining) > 1 else remaining[0]
            return status, {}, json.dumps(body)

        self.callback(method, path, answer)

    def callback(self, method: str, path: str, answer: Callable[[Any], tuple[int, dict[str, str], str]]) -> None:
        """Answer these calls with what a function makes of each."""
        url = re.compile(rf"^https://[a-z.]+\.example{path}(\?.*)?$")
        self._mock.add_callback(method, url, callback=answer, content_type="application/json")

    def everything(self, answer: Callable[[Any], tuple[int, dict[str, str], Any]]) -> None:
        """Answer all calls, and from now on no other way, with what a function makes of each."""
        self._mock.reset()
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            self._mock.add_callback(method, re.compile(r"^https://[a-z.]+\.example/"), callback=answer)

    def calls(self, method: str = "", path: str = "") -> list[Any]:
        """The requests received, in their order."""
        received = [call.request for call in self._mock.calls]
        return [
            r for r in received if method in ("", r.method) and re.search(path + r"(\?|$)" if path else "", str(r.url))
        ]

    def bodies(self, method: str, path: str) -> list[Any]:
        """The JSON bodies of these calls, in their order."""
        return [json.loads(call.body) for call in self.calls(method, path)]

    def query(self, path: str) -> dict[str, list[str]]:
        """The query of the last GET of this path."""
        return parse_qs(urlsplit(str(self.calls("GET", path)[-1].url)).query)

    def clear_calls(self) -> None:
        """Record calls from now on only."""
        self._mock.calls.reset()

    def may_log_in(self, **admin: Any) -> None:
        self.answers("POST", "/v1/accounts/search", factories.REGION)
        self.answers("POST", "/v2/oauth/requestToken", factories.token(**admin))
        self.answers("GET", "/v1/bizOrganizations/o-1", factories.organization())
        known = {
            name: value for name, value in admin.items() if value is not None
        }  # what the token leaves out, it tells
        self.answers("GET", "/v1/bizOrganizationAdmins/a-1", {**factories.ADMIN, **known})
        self.answers("POST", "/v2/oauth/expireToken")
        self.answers("GET", "/v2/oauth/checkToken", {"valid": True})

    def has_scanners(self, *scanners: dict[str, Any], facets: dict[str, Any] | None = None) -> None:
        """These scanners of the clinic, each by its ID, too, and a history of one event."""
        extra = {"facets": facets} if facets else {}

        def answer(request: Any) -> tuple[int, dict[str, str], str]:
            ids = re.findall(r"[?&]ids=([^&]+)", request.url)
            results = [scanner for scanner in scanners if not ids or scanner["id"] in ids]
            return 200, {}, json.dumps({**factories.listing(results), **extra})

        self.remove("GET", "/v1/bizScanners")
        self.callback("GET", "/v1/bizScanners", answer)
        self.answers("GET", "/v1/bizScanners/[^/]+/history", factories.listing([factories.scanner_event()]))

    def has_clinics(self, *ids: str) -> None:
        """The list of clinics has these, also by their IDs."""

        def answer(request: Any) -> tuple[int, dict[str, str], str]:
            requested = parse_qs(urlsplit(request.url).query).get("ids", list(ids))
            results = [{**factories.compared(), "id": id, "name": f"Clinic {id}"} for id in ids if id in requested]
            return 200, {}, json.dumps(factories.listing(results))

        self.remove("GET", "/v1/bizMainGroups")
        self.callback("GET", "/v1/bizMainGroups", answer)

    def has_clinic(self, **values: Any) -> None:
        """One clinic with one team and one user, and everything that its pages read."""
        self.answers("GET", "/v1/bizMainGroups", factories.listing([factories.compared(**values)]))
        self.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(**values))
        self.answers("GET", "/v1/bizMainGroups/g-1/permissions", factories.permissions())
        self.answers("GET", "/v1/bizSubGroups", factories.listing([factories.team()]))
        self.answers("GET", "/v1/bizSubGroups/t-1", factories.team())
        self.answers("GET", "/v1/bizSubGroups/teamTypes", factories.team_types())
        self.answers("GET", "/v1/bizUsers", factories.listing([factories.user()]))
        self.answers("GET", "/v1/bizUsers/u-1", factories.user())
        self.answers("GET", "/v1/bizUsers/u-1/permissions", factories.permissions(owner="USER", source="MAIN_GROUP"))
        self.answers("GET", "/v1/bizDashboards/summary", factories.summary())
        self.answers("GET", "/v1/bizDashboards/url", {"url": None})
        self.answers("GET", "/v1/bizNotifications", factories.listing([factories.notification()]))
        self.answers("GET", "/v1/bizNotifications/unreadCount", {"resultCount": 1})
        self.answers("GET", "/v1/bizAuditLogs", factories.listing([factories.log_entry()]))
        self.has_scanners(factories.scanner())
        for path in ("/v1/bizMainGroups/exist", "/v1/bizSubGroups/exist", "/v1/bizUsers/exist"):
            self.answers("GET", path, {"resultCount": 0})

    def has_lab(self, **values: Any) -> None:
        """One lab that asks one clinic, and everything that its pages read."""
        self.answers("GET", "/v1/bizLabs", factories.listing([factories.lab(**values)]))
        self.answers("GET", "/v1/bizLabs/l-1", factories.lab(**values))
        self.answers("GET", "/v1/bizPartnerLists", factories.listing([{"lab": factories.lab(**values)}]))
        self.answers("GET", "/v1/bizPartnerships", factories.listing([factories.partnership()]))
        self.answers("GET", "/v1/bizPartnerships/p-1", factories.partnership())


PLENTY = Deadlines(**{limit.name: 600.0 for limit in fields(Deadlines)})


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[Upstream]:
    """The upstream service; no maintenance unless a test says so.

    It answers at once, and a machine that stands still for a while is no slow service.
    """
    monkeypatch.setattr(transport, "config", replace(transport.config, deadlines=PLENTY))
    monkeypatch.setattr(transport, "breaker", Breaker())
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        fake = Upstream(mock)
        fake.answers("GET", "/v1/maintenance", {"active": False})
        maintenance.clear_cache()
        badges.clear_cache()
        transport.capabilities.clear()
        yield fake
    maintenance.clear_cache()


@pytest.fixture
def log_in(client: Client, upstream: Upstream, db: None) -> Callable[..., Any]:
    """Log in through the form, as a person does."""

    def go(*, keep: bool = False, path: str = "/login", **admin: Any) -> Any:
        upstream.may_log_in(**admin)
        data = {"email": "admin@demo.example", "password": "Demo123!", **({"keep": "on"} if keep else {})}
        response = client.post(path, data)
        assert response.status_code == 303, response.content[:2000]
        return response

    return go


@pytest.fixture(scope="session")
def saved_login() -> SavedLogin:
    """The login of this process; it is made when the first test asks for it."""
    return SavedLogin()


@pytest.fixture
def admin_client(client: Client, upstream: Upstream, db: None, saved_login: SavedLogin) -> Client:
    """A browser whose administrator is logged in (organization o-1); the login leaves no calls."""
    upstream.may_log_in()
    saved_login.restore(client)
    upstream.clear_calls()
    return client


@pytest.fixture
def administrator(admin_client: Client, upstream: Upstream) -> Client:
    """The same, with one clinic in the organization."""
    upstream.has_clinic()
    return admin_client


@pytest.fixture
def visit(client: Client) -> Callable[..., Page]:
    """Open a page and audit it."""

    def go(path: str, *, status: int = 200, lng: str = "en-US") -> Page:
        response = client.get(path, headers={"Accept": "text/html", "Accept-Language": lng})
        assert response.status_code == status, (response.status_code, response.headers)
        page = audit(response.content.decode(), lng=lng)
        page.response = response
        return page

    return go
