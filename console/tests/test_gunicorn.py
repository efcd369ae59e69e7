"""gunicorn.conf.py and the variables that it reads."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks

ROOT = Path(__file__).resolve().parents[2]
LOG_CODE = """
import logging, sys
from gunicorn.app.wsgiapp import WSGIApplication
from gunicorn.glogging import Logger
from gunicorn.http.errors import InvalidHeader, InvalidRequestLine

sys.argv = ["gunicorn"]
log = Logger(WSGIApplication().cfg)
for error in (
    InvalidRequestLine("GET /user-manage?keyword=dana@demo.example HTTP/9 x"),
    InvalidRequestLine("GET /user-manage/dana@demo.example"),
    InvalidHeader("auth=0123456789abcdefghijklmnopqrstuv"),
):
    log.warning(f"Invalid request from ip=203.0.113.9: {error}")  # as gunicorn's workers write it
log.error("Error handling request %s %s", "GET", "/user-manage?keyword=dana@demo.example")
log.error("Worker (pid:%s) was sent SIGKILL!", 7)
log.info("not logged")
assert not log.access_log.isEnabledFor(logging.INFO)
"""


@pytest.mark.req("SEC-49")
def test_gunicorn_logs_no_content_of_requests():
    command, variables = [sys.executable, "-c", LOG_CODE], {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)  # noqa: S603 - our own code
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert [line.partition("] ")[2].partition("] ")[2].partition("] ")[2] for line in done.stderr.splitlines()] == [
        *("Invalid request", "Invalid request", "Invalid request"),
        "Error handling request GET /user-manage?…",
        "Worker (pid:7) was sent SIGKILL!",
    ]


def run_gunicorn_checks(settings, **values):
    for name, value in values.items():
        setattr(settings, name, value)
    return [error.msg for error in run_checks(include_deployment_checks=True) if str(error.id).startswith("console.E")]


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "127.0.0.1:8000,", "0", "8000", "::1", "127.0.0.1:0", "127.0.0.1:99999", "http://127.0.0.1:8000"),
        *("unix:", "unix:console.sock", "unix:/nowhere/console.sock", "unix:/etc/passwd", "127.0.0.1:8000\nx"),
    ],
)
def test_an_address_that_gunicorn_would_misread_is_an_error(settings, value):
    (message,) = run_gunicorn_checks(settings, BIND=value)
    assert message.startswith("BIND is an address such as ")


def test_gunicorn_can_listen_at_several_addresses(settings, monkeypatch, tmp_path):
    value = f"unix:{tmp_path}/console.sock, 127.0.0.1:8000,[::1]:8000,localhost:80"
    assert run_gunicorn_checks(settings, BIND=value) == []
    monkeypatch.setenv("BIND", value)
    gunicorn = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    assert gunicorn["bind"] == [f"unix:{tmp_path}/console.sock", "127.0.0.1:8000", "[::1]:8000", "localhost:80"]


def test_metrics_of_several_workers_need_a_folder(settings, tmp_path):
    message = "METRICS_TOKEN needs a folder in PROMETHEUS_MULTIPROC_DIR for several workers."
    for workers, folder, messages in (
        *((2, "", [message]), (2, f"{tmp_path}/missing", [message])),
        *((2, str(tmp_path), []), (1, "", [])),
    ):
        settings.PROMETHEUS_MULTIPROC_DIR = folder
        assert run_gunicorn_checks(settings, METRICS_TOKEN="secret", WEB_CONCURRENCY=workers) == messages
    assert run_gunicorn_checks(settings, METRICS_TOKEN="", WEB_CONCURRENCY=2, PROMETHEUS_MULTIPROC_DIR="") == []
