"""The account's pages work whatever the service sends in a field."""

from html import unescape
from itertools import product

import pytest

from tests.support import factories
from tests.support.cases import faults, rolled_back

ODD = [
    None,
    "",
    0,
    -1,
    2**64,
    True,
    [],
    {},
    ["x"],
    {"x": 1},
    "x" * 5000,
    "\x00\ud800",
    "<b>&",
    "مرحبا\u202e",
    1.5,
    "0001-01-01T00:00:00Z",
]
PENDING = {"email": "ada@clinic.example", "sentDate": "2026-01-05T08:30:00Z", "expiresDate": "2026-01-06T08:30:00Z"}
ADMIN = {
    **factories.ADMIN,
    "language": "en-US",
    "timeZone": "Asia/Seoul",
    "marketingAgreed": False,
    "dashboardUrl": None,
    "pendingEmail": PENDING,
    "createdDate": "2026-01-05T08:30:00Z",
    "version": 7,
}
ORGANIZATION = factories.organization(
    countryCode="KR", serverLocation="KR", createdDate="2026-01-05T08:30:00Z", version=3, dashboardUrl=None
)
SESSION = {
    "id": "e-2",
    "device": "Scanner program",
    "createdDate": "2026-01-05T08:30:00Z",
    "lastUsedDate": "2026-01-06T08:30:00Z",
    "current": False,
}
PAGES = ("", "/organization-name", "/email", "/dashboard-url", "/preferences", "/sessions")
FORMS = {
    "/organization-name": {"name": "Ada Dental", "version": "3"},
    "/dashboard-url": {"dashboard_url": "https://usage.dashboard.example/o-1", "version": "1"},
    "/preferences": {"language": "en-US", "time_zone": "", "version": "7"},
    "/email": {"email": "ada@clinic.example", "current_password": "Demo123!"},
    "/password": {"current_password": "Demo123!", "new_password": "Demo456?", "confirm_password": "Demo456?"},
}


def sends(upstream, admin=ADMIN, organization=ORGANIZATION, session=SESSION, pending=None):
    upstream.answers(
        "GET", "/v1/bizOrganizationAdmins/a-1", {**admin, **({"pendingEmail": pending} if pending else {})}
    )
    upstream.answers("GET", "/v1/bizOrganizations/o-1", organization)
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1/sessions", {"resultCount": 1, "results": [session]})
    upstream.answers("GET", "/v1/bizDashboards/url", status=404)
    upstream.answers("GET", "/v1/bizOrganizations/exist", {"resultCount": 0})
    for path in ("bizOrganizationAdmins/a-1", "bizOrganizations/o-1", "bizDashboards/url"):
        upstream.answers("PUT", f"/v1/{path}")
    for call in ("changeEmail", "changePassword"):
        upstream.answers("PUT", f"/v1/bizOrganizationAdmins/a-1/{call}")


def are_pages(client):
    """Check that every response is a page or a known error."""
    for page in PAGES:
        response = client.get(f"/my-account{page}")
        assert response.status_code in (200, 404, 502), (page, response.status_code)
        assert b"</html>" in response.content
    for page, form in FORMS.items():
        assert client.post(f"/my-account{page}", form).status_code in (303, 404, 412, 422, 429, 502), page


def odd_values(noun):
    """Return each field with each odd value."""
    return list(product(noun, ODD))


@pytest.mark.slow
def test_no_value_of_an_administrator_breaks_a_page(admin_client, upstream):
    def check(case):
        field, value = case
        sends(upstream, admin={**ADMIN, field: value})
        with rolled_back(admin_client):
            are_pages(admin_client)

    assert faults(odd_values(ADMIN), check, at_least=150) == {}


@pytest.mark.slow
def test_no_value_of_a_pending_email_breaks_a_page(admin_client, upstream):
    def check(case):
        field, value = case
        sends(upstream, pending={**PENDING, field: value})
        with rolled_back(admin_client):
            are_pages(admin_client)

    assert faults(odd_values(PENDING), check, at_least=48) == {}


@pytest.mark.slow
def test_no_value_of_an_organization_breaks_a_page(admin_client, upstream):
    def check(case):
        field, value = case
        sends(upstream, organization={**ORGANIZATION, field: value})
        with rolled_back(admin_client):
            are_pages(admin_client)

    assert faults(odd_values(ORGANIZATION), check, at_least=100) == {}


@pytest.mark.slow
def test_no_value_of_a_session_breaks_the_list(admin_client, upstream):
    def check(case):
        field, value = case
        sends(upstream, session={**SESSION, field: value})
        assert admin_client.get("/my-account/sessions").status_code == 200

    assert faults(odd_values(SESSION), check, at_least=80) == {}


def test_invalid_countries_suggest_no_server_location(client, service):
    rows = [{"code": "EU", "countryCodes": ["DE", *(f"odd-{n}" for n in range(10_000))]}]
    service.answers("GET", "/v1/commons/serverLocations", {"results": rows})
    html = unescape(client.get("/create-account").content.decode())
    assert '{"DE": "EU"}' in html
    assert "odd-" not in html


@pytest.mark.req("SEC-12")
def test_the_first_of_thousands_of_sessions_are_listed_and_the_others_counted(admin_client, upstream):
    sends(upstream)
    rows = [{**SESSION, "id": f"e-{n}", "device": f"Program {n}"} for n in range(9_000)]
    rows[-1]["current"] = True
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1/sessions", {"results": rows})
    html = admin_client.get("/my-account/sessions").content.decode()
    assert len(html) < 120_000
    assert "Program 8999<" in html, "this session is always among them"
    assert "8,900 more" in html or "8900 more" in html


@pytest.mark.req("SEC-12")
def test_a_name_of_megabytes_is_stored_and_shown_shortened(admin_client, upstream):
    sends(upstream, organization={**ORGANIZATION, "name": "x" * 1_000_000})
    admin_client.get("/my-account")
    assert len(admin_client.get("/my-account/sessions").content) < 50_000
    assert len(admin_client.session["organization_name"]) == 200


@pytest.mark.req("SEC-12")
def test_a_sign_up_does_not_offer_thousands_of_server_locations(client, service, settings):
    settings.SERVER_LOCATIONS = []
    rows = [{"code": f"L{n}", "countryCodes": []} for n in range(9_000)]
    service.answers("GET", "/v1/commons/serverLocations", {"results": rows})
    html = client.get("/create-account").content.decode()
    assert "L99<" in html
    assert "L100<" not in html


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("page", ["", "/email", "/password", "/preferences"])
def test_the_account_of_another_administrator_is_never_shown_or_changed(admin_client, upstream, page):
    sends(upstream, admin={**ADMIN, "id": "a-9", "email": "another@clinic.example"})
    response = admin_client.get(f"/my-account{page}")
    assert response.status_code == 502
    assert "another@clinic" not in response.content.decode()
    if page in FORMS:
        assert admin_client.post(f"/my-account{page}", FORMS[page]).status_code == 502
        assert upstream.calls("PUT") == []
