"""The metrics of a running console: of all workers together, whatever happens to some of them."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from e2e.http_client import metrics_at, wait_until, worker_ids, workers_that_serve
from e2e.running import Console, Sandbox, start
from sandbox.process import free_ports

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def watched(sandbox_process: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Console, str]]:
    """A console with two workers that tells its metrics, and where."""
    (port,) = free_ports(1)
    address = f"http://127.0.0.1:{port}/metrics"
    console, process = start(tmp_path_factory.mktemp("watched"), sandbox_process, METRICS_PORT=str(port))
    try:
        wait_until(lambda: workers_that_serve(address) == 2)
        yield console, address
        counts = folder_of_counts(console)
    finally:
        process.stop()
    assert not counts.exists()
    with pytest.raises(requests.ConnectionError):
        requests.get(f"http://127.0.0.1:{port}/metrics", timeout=1)


def folder_of_counts(console: Console) -> Path:
    """Return where the workers count, as the process of the metrics was told."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            variables = dict(part.partition("=")[::2] for part in (process / "environ").read_text().split("\0"))
            told_to = variables.get("PROMETHEUS_MULTIPROC_DIR")
            if told_to and variables["DATA_DIR"] == str(console.data_dir):
                return Path(told_to)
    raise AssertionError("nobody was told")


def ask(console: Console, times: int) -> None:
    for _ in range(times):
        requests.get(console.url + "/version", timeout=10)


def answered(address: str) -> float:
    return metrics_at(address).get('console_requests_total{method="GET",route="version",status="200"}', 0)


def test_all_workers_count_together_and_lose_nothing_when_one_is_killed_or_all_are_replaced(watched):
    console, address = watched
    before = answered(address)
    ask(console, 20)
    assert answered(address) == before + 20

    os.kill(worker_ids(console)[0], signal.SIGKILL)
    wait_until(lambda: metrics_at(address)["console_workers"] == 2)
    ask(console, 5)
    assert answered(address) == before + 25

    old = set(worker_ids(console))
    os.kill(console.process.process.pid, signal.SIGHUP)
    wait_until(lambda: old.isdisjoint(worker_ids(console)) and workers_that_serve(address) == 2)
    ask(console, 5)
    assert answered(address) == before + 30
    assert metrics_at(address)["console_requests_in_progress"] == 0
    files = list(folder_of_counts(console).iterdir())
    assert {file.stem.rpartition("_")[2] for file in files} <= {"0", "1", "2", "3", "first", "exporter"}


def test_a_port_that_is_taken_is_waited_for(sandbox_process, tmp_path):
    with socket.socket() as other:
        (port,) = free_ports(1)
        other.bind(("127.0.0.1", port))
        address = f"http://127.0.0.1:{port}/metrics"
        console, process = start(tmp_path, sandbox_process, METRICS_PORT=str(port))
        try:
            wait_until(lambda: "Address already in use" in console.log.read_text())
            other.close()
            wait_until(lambda: workers_that_serve(address) == 2)
        finally:
            process.stop()


def test_no_worker_counts_on_the_disk_whose_end_would_be_its_own(watched):
    """The files are mapped: a write to one that can't grow ends the process, and that of the next worker, too."""
    console, _address = watched
    folder = folder_of_counts(console)
    assert not folder.is_relative_to(console.data_dir)
    assert folder.is_relative_to("/dev/shm")  # noqa: S108 - the memory of Linux
    assert folder.stat().st_mode & 0o077 == 0


def test_a_login_and_its_calls_are_counted(watched):
    console, address = watched
    before = metrics_at(address)
    console.log_in()
    now = metrics_at(address)
    call = 'console_upstream_calls_total{call="POST /v2/oauth/requestToken",outcome="ok"}'
    assert now[call] == before.get(call, 0) + 1
    assert sum(value for name, value in now.items() if name.startswith("console_sessions")) >= 1


def test_the_console_itself_tells_no_metrics(watched):
    console, _address = watched
    assert requests.get(console.url + "/metrics", timeout=5).status_code == 404
