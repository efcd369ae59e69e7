"""gunicorn.conf.py: what a worker does otherwise than gunicorn's own."""

import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from gunicorn.workers.gthread import ThreadWorker


@pytest.fixture
def conf():
    return runpy.run_path(str(Path(__file__).resolve().parents[2] / "gunicorn.conf.py"))


@pytest.fixture
def worker(conf):
    kind = conf["worker_class"]
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
    worker.cfg, worker.alive = SimpleNamespace(graceful_timeout=30), True
    worker.method_queue = SimpleNamespace(defer=lambda _work: None)
    worker.handle_exit(signal.SIGTERM, None)
    assert signal.alarm(0) == 30
    worker.handle_exit(signal.SIGTERM, None)
    assert signal.alarm(0) == 0, "being told again gives no more time"


def connected(family):
    """Return two ends of a connection: of a unix socket, as behind nginx, or of TCP."""
    if family == "unix":
        return socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        return listener.accept()[0], client


@pytest.fixture
def send(worker, monkeypatch):
    """Send an answer of 16 MB to a connection; a client may stand still for a second."""
    monkeypatch.setitem(type(worker).handle.__globals__, "STALL_TIMEOUT_S", 1)
    monkeypatch.setattr(ThreadWorker, "handle", lambda _worker, conn: conn.sock.sendall(b"x" * 2**24))

    def go(sock):
        connection = SimpleNamespace(sock=sock)
        try:
            worker.handle(connection)
        finally:
            connection.sock.close()

    return go


@pytest.mark.req("SEC-29")
@pytest.mark.parametrize("family", ["unix", "tcp"])
@pytest.mark.parametrize("taken", [0, 1, 1_000_000])
def test_a_client_that_takes_nothing_more_of_its_answer_loses_its_connection(send, family, taken, caplog):
    ours, client = connected(family)
    reading = threading.Thread(target=lambda: client.recv(taken, socket.MSG_WAITALL) if taken else None)
    reading.start()
    started = time.monotonic()
    with client, pytest.raises(ConnectionResetError):
        send(ours)
    assert 1 <= time.monotonic() - started < 2
    assert "A client took nothing for 1 s" in caplog.text
    reading.join()


@pytest.mark.req("SEC-29")
@pytest.mark.parametrize("family", ["unix", "tcp"])
def test_a_client_that_takes_its_answer_slowly_gets_all_of_it(send, family):
    ours, client = connected(family)
    got: list[int] = []

    def read():
        while sum(got) < 2**24:
            time.sleep(0.4)
            got.append(len(client.recv(2**22, socket.MSG_WAITALL)))

    reading = threading.Thread(target=read)
    reading.start()
    started = time.monotonic()
    with client:
        send(ours)
        assert time.monotonic() - started > 1
        reading.join()
    assert sum(got) == 2**24


def test_nobody_else_is_taken_for_a_worker_that_has_ended(conf):
    """The number of one from before a reload may be another process's by now."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert conf["_is_ours"](child.pid)
    assert child.stdin
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not conf["_is_ours"](child.pid), "it has ended, and is still to be waited for"
    child.wait()
    assert not conf["_is_ours"](child.pid)
    assert not conf["_is_ours"](os.getppid())
