"""What is left of a request when its answer has been sent."""

import gc

import pytest
from django.core.handlers.wsgi import WSGIRequest

from console.testing import factories
from console.tests.asking import ask
from console.upstream.client import Upstream

CLINIC = "/user-manage/clinic/g-1"
EXPORT = {"QUERY_STRING": "format=csv"}
ASKED = [
    ("/login", {}, 302),
    ("/user-manage/clinic", {}, 200),
    (f"{CLINIC}/user", {}, 200),
    (f"{CLINIC}/edit", {}, 200),
    (f"{CLINIC}/permissions", {}, 200),
    ("/user-manage/clinic/export", EXPORT, 200),
    ("/nowhere", {}, 302),
    ("/user-manage/clinic/g-9", {}, 302),
]


@pytest.fixture
def who(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizMainGroups/g-9", factories.refusal(10004), status=404)
    cookies = {name: morsel.value for name, morsel in admin_client.cookies.items()}
    return {"HTTP_COOKIE": "; ".join(map("=".join, cookies.items())), "HTTP_X_CSRFTOKEN": cookies["csrf"]}


def left():
    """What belongs to requests and waits for the collector of garbage."""
    return [type(thing).__name__ for thing in gc.get_objects() if type(thing) in (WSGIRequest, Upstream)]


@pytest.mark.parametrize(("path", "asked", "status"), ASKED)
def test_a_request_takes_all_that_belongs_to_it_along(who, path, asked, status):
    assert ask(path, **asked, **who).status_code == status
    gc.collect()
    gc.disable()
    try:
        before = left()
        ask(path, **asked, **who)
        assert left() == before
    finally:
        gc.enable()
