"""What gunicorn itself logs: requests that never reach the console."""

import logging
import runpy
from pathlib import Path

import pytest
from gunicorn.http.errors import InvalidHeader, InvalidRequestLine

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def logger():
    logger = logging.getLogger("gunicorn.error")
    before = list(logger.filters)
    runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    yield logger
    for added in set(logger.filters) - set(before):
        logger.removeFilter(added)


@pytest.mark.req("SEC-49")
@pytest.mark.parametrize(
    "error",
    [
        InvalidRequestLine("GET /user-manage?keyword=dana@demo.example HTTP/9 x"),
        InvalidRequestLine("GET /user-manage/dana@demo.example"),
        InvalidHeader("auth=0123456789abcdefghijklmnopqrstuv"),
    ],
    ids=["a query", "a path", "a header"],
)
def test_a_bad_request_is_logged_without_what_it_said(logger, caplog, error):
    logger.warning(f"Invalid request from ip=203.0.113.9: {error}")  # as gunicorn's workers write it
    (record,) = caplog.records
    assert record.getMessage() == "Invalid request"


@pytest.mark.req("SEC-49")
def test_the_line_of_a_request_that_failed_has_no_query(logger, caplog):
    logger.error("Error handling request %s %s", "GET", "/user-manage?keyword=dana@demo.example")
    logger.error("Worker (pid:%s) was sent SIGKILL!", 7)
    assert [record.getMessage() for record in caplog.records] == [
        "Error handling request GET /user-manage?…",
        "Worker (pid:7) was sent SIGKILL!",
    ]
