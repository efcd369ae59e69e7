"""The start: a wrong variable is told in one sentence, and whoever serves goes on where a new start would fail."""

import os
import signal
import subprocess
import sys

import pytest
import requests

from console import demo
from e2e.http_client import children, wait_until, worker_ids, workers_that_serve
from e2e.running import start
from sandbox.process import free_ports

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("command", [["-m", "gunicorn", "console.wsgi"], ["manage.py", "prepare"]], ids=" ".join)
def test_a_wrong_variable_is_told_in_its_sentence_and_no_traceback(tmp_path, command):
    port, handler, api = free_ports(3)
    variables = demo.environment(port=port, handler_port=handler, api_port=api, data_dir=tmp_path)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=demo.ROOT,
        env={"PATH": os.environ["PATH"], **variables, "DASHBOARD_MODE": "windows"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode > 0
    assert "DASHBOARD_MODE is one of frame, link.\n" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_a_killed_worker_is_replaced_where_a_new_start_would_fail(tmp_path, sandbox):
    folder, (port,) = tmp_path / "data", free_ports(1)
    console, process = start(folder, sandbox, METRICS_PORT=str(port))
    try:
        # One that is still starting would miss its folder, too.
        wait_until(lambda: workers_that_serve(f"http://127.0.0.1:{port}/metrics") == 2)
        away = folder.rename(tmp_path / "away")
        folder.write_text("no folder")
        killed, left = worker_ids(console)
        os.kill(killed, 9)
        wait_until(lambda: len(worker_ids(console)) == 2 and killed not in worker_ids(console))
        assert left in worker_ids(console)
        serving = worker_ids(console)

        assert process.process
        os.kill(process.process.pid, signal.SIGHUP)
        log = away / console.log.name
        wait_until(lambda: "The console goes on with what it began with." in log.read_text())
        told = log.read_text()
        assert "DATA_DIR is a folder that the console can make and write to." in told
        assert "Traceback" not in told, told
        assert worker_ids(console) == serving
        assert requests.get(console.url + "/healthz", timeout=10).status_code == 200
        folder.unlink()
        away.rename(folder)
    finally:
        process.stop()


@pytest.mark.parametrize("begun", ["with the signal of the reload", "while it looks whether it could start"])
def test_a_stop_during_a_reload_is_not_forgotten(tmp_path, sandbox, begun):
    _console, process = start(tmp_path / "data", sandbox)
    gunicorn = process.process
    assert gunicorn
    try:
        before = set(children(gunicorn.pid))
        os.kill(gunicorn.pid, signal.SIGHUP)
        if "while" in begun:
            wait_until(lambda: not before.issuperset(children(gunicorn.pid)))
        os.kill(gunicorn.pid, signal.SIGTERM)
        assert gunicorn.wait(60) == 0
    finally:
        process.stop()
