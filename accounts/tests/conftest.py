"""Fixtures of the account's tests."""

import pytest

from accounts.reading import locations

EU = "https://eu.api.example"
LOCATIONS = [
    {"code": "EU", "label": "Europe", "api_url": EU},
    {"code": "KR", "label": "Korea", "api_url": "https://kr.api.example"},
]


@pytest.fixture(autouse=True)
def clear_locations():
    """Clear the server locations of other tests."""
    locations.clear_cache()


@pytest.fixture(autouse=True)
def quick_answers(monkeypatch):
    """Skip the deliberate delays, which other tests cover."""
    monkeypatch.setattr("accounts.views.recovery.ANSWER_TAKES", 0.0)


@pytest.fixture
def service(upstream, settings, db):
    """A service with two server locations, where every email and name is free and every call succeeds."""
    settings.SERVER_LOCATIONS = LOCATIONS
    rows = [{"code": "EU", "countryCodes": ["DE", "FR"]}, {"code": "KR", "countryCodes": ["KR"]}]
    upstream.answers("GET", "/v1/commons/serverLocations", {"results": rows})
    for noun in ("bizOrganizationAdmins", "bizOrganizations"):
        upstream.answers("GET", f"/v1/{noun}/exist", {"resultCount": 0})
    upstream.answers("POST", SIGN_UP)
    upstream.answers("GET", FORGOT)
    upstream.answers("PUT", RESET)
    return upstream


SIGN_UP = "/v1/accounts/organizationAdmins/signUpWithOrganization"
FORGOT = "/v1/bizOrganizationAdmins/forgotPassword"
RESET = "/v1/bizOrganizationAdmins/resetPassword"
