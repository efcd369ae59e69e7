"""Wrong logins take their time, but not the threads that everybody else needs."""

import re
import threading

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from console.testing import factories

pytestmark = pytest.mark.sql

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
MESSAGE = "Login failed. Check your ID and password again."
QUARTER = 4
"""Of the 16 threads that a worker has unless WEB_THREADS says otherwise."""


@pytest.fixture
def refusing(upstream):
    upstream.answers("POST", "/v1/accounts/search", factories.REGION)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11001), status=401)
    return upstream


class Waiting:
    """Refusals that wait until the test lets them go on."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.over = threading.Event()

    def __call__(self, _seconds: float) -> None:
        self.begun.release()
        self.over.wait(10)


@pytest.mark.req("SEC-40")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_wrong_logins_wait_in_a_quarter_of_the_threads_and_the_next_one_not_at_all(
    client, refusing, monkeypatch, accept
):
    waiting = Waiting()
    monkeypatch.setattr("accounts.views.login.time.sleep", waiting)
    statuses: list[int] = []

    def fail(number: int) -> None:
        statuses.append(Client().post("/login", {**FORM, "email": f"a{number}@demo.example"}).status_code)
        connection.close()

    threads = [threading.Thread(target=fail, args=(number,)) for number in range(QUARTER)]
    for thread in threads:
        thread.start()
    assert all(waiting.begun.acquire(timeout=10) for _ in threads)
    tried = len(refusing.calls("POST"))
    response = client.post("/login", FORM, headers={"Accept": accept})
    waiting.over.set()
    for thread in threads:
        thread.join(10)

    assert (response.status_code, response.headers["Retry-After"]) == (429, "1")
    text = response.content.decode()
    assert "Too many requests. Try again in a moment." in text
    assert MESSAGE not in text, "it was not tried"
    assert accept != "text/html" or 'value="admin@demo.example"' in text, "what was typed stays"
    assert len(refusing.calls("POST")) == tried
    assert statuses == [422] * QUARTER
    assert client.post("/login", FORM).status_code == 422, "the places are free again"


@pytest.mark.req("SEC-40")
@pytest.mark.django_db
def test_who_has_to_wait_is_told_at_once(client, refusing, monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr("accounts.views.login.time.sleep", pauses.append)
    statuses = [client.post("/login", FORM).status_code for _ in range(7)]
    assert statuses == [422] * 5 + [429] * 2
    assert len(pauses) == 5
    assert min(pauses) > 0.1, "a refusal takes as long as any other"


@pytest.mark.req("SEC-40", "SEC-80")
@pytest.mark.parametrize("path", ["/login", "/confirm-password", "/create-account"])
def test_nginx_as_it_is_shipped_limits_each_form_that_anybody_may_send(path):
    shipped = (settings.BASE_DIR / "deploy" / "nginx.conf").read_text()
    places = re.findall(r"location ~ (\S+) \{(.*?)\n  \}", shipped, re.DOTALL)
    (limits,) = [body for pattern, body in places if re.search(pattern, path)]
    assert "limit_conn console_form 4;" in limits
    assert "limit_req zone=console_form_rate burst=10 nodelay;" in limits
