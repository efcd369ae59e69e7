"""Wrong logins are deliberately slow, and limited before they block the threads that other requests need."""

import re

import pytest
from django.conf import settings

from tests.support import factories

pytestmark = pytest.mark.sql

FORM = {"email": "admin@demo.example", "password": "Demo123!"}


@pytest.fixture
def refusing(upstream):
    upstream.answers("POST", "/v1/accounts/search", factories.REGION)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11001), status=401)
    return upstream


@pytest.mark.req("SEC-40")
@pytest.mark.django_db
def test_a_throttled_login_is_refused_at_once(client, refusing, monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr("accounts.views.login.time.sleep", pauses.append)
    statuses = [client.post("/login", FORM).status_code for _ in range(7)]
    assert statuses == [422] * 5 + [429] * 2
    assert len(pauses) == 5
    assert min(pauses) > 0.1, "a refusal takes as long as any other"


@pytest.mark.req("SEC-40", "CO-19")
@pytest.mark.django_db
def test_a_network_that_tries_many_emails_is_refused_at_once_and_others_are_not(client, refusing, monkeypatch):
    monkeypatch.setattr("accounts.views.login.MIN_REFUSAL_S", 0)
    statuses = [client.post("/login", {**FORM, "email": f"a{n}@demo.example"}).status_code for n in range(50)]
    assert statuses == [422] * 50
    tried = len(refusing.calls("POST"))
    response = client.post("/login", FORM)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert len(refusing.calls("POST")) == tried
    assert client.post("/login", FORM, REMOTE_ADDR="203.0.113.9").status_code == 422


@pytest.mark.req("SEC-40", "SEC-80")
@pytest.mark.parametrize("path", ["/login", "/confirm-password", "/create-account"])
def test_the_shipped_nginx_configuration_limits_each_public_form(path):
    shipped = (settings.BASE_DIR / "deploy" / "nginx.conf").read_text()
    locations = re.findall(r"location ~ (\S+) \{(.*?)\n  \}", shipped, re.DOTALL)
    (limits,) = [body for pattern, body in locations if re.search(pattern, path)]
    assert "limit_conn console_form 4;" in limits
    assert "limit_req zone=console_form_rate burst=10 nodelay;" in limits
