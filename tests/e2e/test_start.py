"""The start: a wrong variable gets one sentence, and a worker that was killed is replaced at once."""

import os
import signal
import subprocess
import sys

import pytest
import requests

from console.ops import demo
from sandbox.process import free_ports
from tests.e2e.http_client import wait_until, worker_ids
from tests.e2e.running import start

pytestmark = pytest.mark.slow

GUNICORN = ["-m", "gunicorn"]
CHECK = ["manage.py", "check", "--deploy"]


@pytest.mark.parametrize(
    ("command", "name", "value", "sentence"),
    [
        (GUNICORN, "DASHBOARD_MODE", "windows", "DASHBOARD_MODE is one of frame, link.\n"),
        (["manage.py", "prepare"], "DASHBOARD_MODE", "windows", "DASHBOARD_MODE is one of frame, link.\n"),
        (GUNICORN, "WEB_CONCURRENCY", "0", "WEB_CONCURRENCY is a whole number from 1 to 1000.\n"),
        (GUNICORN, "WEB_THREADS", "two", "Invalid value for threads: two\n"),
        (GUNICORN, "BIND", "8000", "BIND is an address such as "),
        (GUNICORN, "METRICS_TOKEN", "secret", "METRICS_TOKEN needs a folder in PROMETHEUS_MULTIPROC_DIR"),
        (CHECK, "WEB_CONCURRENCY", "two", "WEB_CONCURRENCY is a whole number from 1 to 1000.\n"),
        (CHECK, "WEB_THREADS", "two", "WEB_THREADS is a whole number from 1 to 1000.\n"),
        (CHECK, "BIND", "8000", "BIND is an address such as "),
    ],
)
def test_a_wrong_variable_stops_the_start_with_a_sentence_and_no_traceback(tmp_path, command, name, value, sentence):
    port, handler, api = free_ports(3)
    variables = demo.environment(port=port, handler_port=handler, api_port=api, data_dir=tmp_path)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=demo.ROOT,
        env={"PATH": os.environ["PATH"], **variables, name: value},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode > 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_killed_worker_is_replaced_where_a_new_start_would_fail(tmp_path, sandbox):
    folder = tmp_path / "data"
    console, process = start(folder, sandbox)
    try:
        wait_until(lambda: len(worker_ids(console)) == 2)
        away = folder.rename(tmp_path / "away")
        folder.write_text("no folder")
        killed, other = worker_ids(console)
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: len(worker_ids(console)) == 2 and killed not in worker_ids(console))
        assert other in worker_ids(console)
        assert requests.get(console.url + "/healthz", timeout=10).status_code == 200
        folder.unlink()
        away.rename(folder)
    finally:
        process.stop()


@pytest.mark.req("SEC-49")
def test_gunicorn_logs_neither_requests_nor_what_they_contain(tmp_path, sandbox):
    console, process = start(tmp_path, sandbox)
    try:
        requests.get(console.url + "/version?keyword=dana@demo.example", timeout=10)
        bad = requests.Request("GET", console.url + "/user-manage", headers={"X-Two": "a"}).prepare()
        bad.headers["X Two"] = "dana@demo.example"
        with requests.Session() as session:
            assert session.send(bad, timeout=10).status_code == 400
    finally:
        process.stop()
    lines = console.log.read_text().splitlines()
    assert "dana" not in "".join(lines)
    assert [line.rpartition("] ")[2] for line in lines if not line.startswith("{")] == ["Invalid request"]
