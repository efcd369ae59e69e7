"""The database can't be reached: a page says so, with a status that proxies and alerts recognize."""

import logging
import sqlite3

import psycopg
import pytest
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.test import Client

PAGE = "/user-manage/clinic"

pytestmark = [pytest.mark.django_db, pytest.mark.req("SEC-65"), pytest.mark.sql]


def refuse(*_: object) -> None:
    raise OperationalError("connection to server at db.example failed\nIs it there?")


@pytest.fixture
def administrator(administrator):
    return Client(raise_request_exception=False, headers={"cookie": f"auth={administrator.cookies['auth'].value}"})


def refuse_with(error, cause):
    def refuse_so(*_: object) -> None:
        raise error from cause(str(error))

    return refuse_so


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (DatabaseError("database disk image is malformed"), sqlite3.DatabaseError),  # SQLite has no narrower class
        (InternalError("invalid page in block 7"), psycopg.errors.DataCorrupted),
        (InterfaceError("the connection is closed"), psycopg.InterfaceError),
        (ProgrammingError('relation "session" does not exist'), psycopg.errors.UndefinedTable),
    ],
    ids=["damaged", "damaged page", "closed", "without tables"],
)
def test_an_unusable_database_is_reported_like_an_unreachable_one(administrator, error, cause):
    with connection.execute_wrapper(refuse_with(error, cause)):
        assert administrator.get(PAGE).status_code == 503
        ready = administrator.get("/readyz")
    assert (ready.status_code, ready.json()["database"], ready.json()["migrations"]) == (503, False, False)
    assert administrator.get(PAGE).status_code == 200


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_administrator_gets_a_503_page_and_is_not_logged_out(administrator, method):
    with connection.execute_wrapper(refuse):
        response = getattr(administrator, method)(PAGE)
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert "Try again in a moment." in response.content.decode()
    assert response.headers["X-Request-ID"] in response.content.decode()
    assert "auth" not in response.cookies
    assert administrator.get(PAGE).status_code == 200


def test_an_island_gets_a_503(administrator):
    with connection.execute_wrapper(refuse):
        response = administrator.get(PAGE, headers={"Accept": "application/json"})
    assert (response.status_code, response.json()["ok"]) == (503, False)


def test_anonymous_users_still_get_their_pages(client, upstream):
    with connection.execute_wrapper(refuse):
        assert client.get("/login").status_code == 200
        assert client.get("/version").status_code == 200


def test_a_fault_of_our_own_is_still_a_500(administrator, monkeypatch):
    def break_it(*_: object) -> None:
        raise ValueError("a fault")

    monkeypatch.setattr("console.shell.context_processors.remaining_time", break_it)
    assert administrator.get(PAGE).status_code == 500


def test_the_log_has_one_line_for_each_failure(administrator, caplog):
    with caplog.at_level(logging.ERROR), connection.execute_wrapper(refuse):
        administrator.get(PAGE)
    (record,) = [record for record in caplog.records if record.name != "console.request"]
    assert record.exc_info is None
    message = "the database can't be used: OperationalError: connection to server at db.example failed"
    assert record.getMessage() == message
