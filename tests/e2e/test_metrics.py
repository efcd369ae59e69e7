"""The metrics of a running console: of all workers together, also when one was killed."""

import os
import signal
from collections.abc import Iterator

import pytest
import requests

from tests.e2e.http_client import read_metrics, wait_until, worker_ids
from tests.e2e.running import Console, Sandbox, start

pytestmark = pytest.mark.slow
TOKEN = "secret-token"


@pytest.fixture(scope="module")
def console(sandbox_process: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A console with two workers and metrics."""
    counts = tmp_path_factory.mktemp("counts")
    console, process = start(
        tmp_path_factory.mktemp("watched"),
        sandbox_process,
        METRICS_TOKEN=TOKEN,
        PROMETHEUS_MULTIPROC_DIR=str(counts),
    )
    try:
        wait_until(lambda: workers_that_serve(console) == 2)
        yield console
    finally:
        process.stop()


def workers_that_serve(console: Console) -> float:
    """Return how many workers serve; 0 for a scrape that fails while a worker makes its files."""
    try:
        return read_metrics(console, TOKEN)["console_workers"]
    except requests.HTTPError:
        return 0


def answered(console: Console) -> float:
    return read_metrics(console, TOKEN).get('console_requests_total{method="GET",route="version",status="200"}', 0)


def ask(console: Console, times: int) -> None:
    for _ in range(times):
        requests.get(console.url + "/version", timeout=10)


def test_all_workers_count_together_and_lose_nothing_when_one_is_killed(console):
    before = answered(console)
    ask(console, 20)
    assert answered(console) == before + 20
    killed = worker_ids(console)[0]
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: killed not in worker_ids(console) and workers_that_serve(console) == 2)
    ask(console, 5)
    assert answered(console) == before + 25
    assert read_metrics(console, TOKEN)["console_requests_in_progress"] == 1, "the scrape itself"


def test_a_login_and_its_calls_are_counted(console):
    before = read_metrics(console, TOKEN)
    console.log_in()
    now = read_metrics(console, TOKEN)
    call = 'console_upstream_calls_total{call="POST /v2/oauth/requestToken",outcome="ok"}'
    assert now[call] == before.get(call, 0) + 1
    assert sum(value for name, value in now.items() if name.startswith("console_sessions")) >= 1
