"""gunicorn.conf.py: what a worker does otherwise than gunicorn's own."""

import runpy
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from gunicorn.workers.gthread import ThreadWorker


@pytest.fixture
def worker():
    kind = runpy.run_path(str(Path(__file__).resolve().parents[2] / "gunicorn.conf.py"))["worker_class"]
    return kind.__new__(kind)


def test_who_has_more_to_do_takes_a_connection_later(worker, monkeypatch):
    steps: list[float] = []
    accepted: list[str] = []
    monkeypatch.setattr("time.sleep", steps.append)
    monkeypatch.setattr(ThreadWorker, "accept", lambda _worker, listener: accepted.append(listener))

    def step(connections, *, kept=0, pending=0, workers=2):
        steps.clear()
        worker.cfg = SimpleNamespace(workers=workers)
        worker.nr_conns, worker.keepalived_conns, worker.pending_conns = connections, [0] * kept, [0] * pending
        worker.accept("listener")
        return sum(steps)

    assert step(0) == step(3, kept=2, pending=1) == 0
    assert step(0, kept=1) == 0, "as gunicorn counts it where a connection could not be kept"
    assert 0 < step(5, kept=1, pending=1) < step(5) < step(16)
    assert step(16) == step(1000) < 0.01
    assert step(16, workers=1) == 0
    assert accepted == ["listener"] * 9


def test_a_worker_that_shall_end_does_so_without_anybody_who_waits_for_it(worker):
    """As those of before a reload: gunicorn's first process has begun anew, and does not know them."""
    worker.cfg, worker.alive = SimpleNamespace(graceful_timeout=30), False
    worker.handle_exit(signal.SIGTERM, None)
    assert signal.alarm(0) == 30
