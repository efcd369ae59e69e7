"""Well-known addresses: for crawlers, password managers and security researchers."""

import re
from datetime import UTC, datetime

import pytest

pytestmark = pytest.mark.django_db


def test_crawlers_must_index_nothing(client, upstream):
    response = client.get("/robots.txt")
    assert response.headers["Content-Type"] == "text/plain"
    assert response.content == b"User-agent: *\nDisallow: /\n"


def test_a_password_manager_is_redirected_to_the_password_page(admin_client, upstream):
    upstream.has_clinic()
    response = admin_client.get("/.well-known/change-password", follow=True)
    assert [goto for goto, _ in response.redirect_chain] == ["/my-account/password"]
    assert b'autocomplete="new-password"' in response.content


def test_a_user_who_is_not_logged_in_gets_there_through_the_login(client, upstream):
    response = client.get("/.well-known/change-password", follow=True)
    assert response.redirect_chain[-1][0] == "/login?next=%2Fmy-account%2Fpassword"


def test_the_contact_for_vulnerabilities_is_served_and_never_out_of_date(client, upstream, load_settings, settings):
    settings.SECURITY_CONTACT = load_settings(SECURITY_CONTACT="security@console.example")["SECURITY_CONTACT"]
    response = client.get("/.well-known/security.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ") for line in response.content.decode().splitlines())
    assert fields.keys() == {"Contact", "Expires", "Canonical"}
    assert fields["Contact"] == "mailto:security@console.example"
    assert fields["Canonical"] == "http://testserver/.well-known/security.txt"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", fields["Expires"])
    assert 88 <= (datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)).days <= 90


def test_the_contact_may_be_a_page_and_without_one_there_is_no_file(client, upstream, load_settings, settings):
    page = "https://console.example/report"
    assert load_settings(SECURITY_CONTACT=page)["SECURITY_CONTACT"] == page
    assert client.get("/.well-known/security.txt").status_code == 404
