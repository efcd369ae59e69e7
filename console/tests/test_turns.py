"""Of the requests of a process one works at a time, and none keeps the others from it while it waits itself."""

import random
import runpy
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection
from gunicorn.workers.gthread import ThreadWorker

from console.turns import Turn, turn
from console.upstream.tasks import READ, is_ready
from console.wsgi import application

LONG = 30
"""Seconds that no test takes; who waited so long has waited for ever."""


def begun(work):
    """A thread that has begun; it must have ended in time."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def ended(thread):
    thread.join(LONG)
    return not thread.is_alive()


def test_one_works_at_a_time_and_the_others_in_the_order_of_their_coming():
    ours, came, worked = Turn(patience=LONG), threading.Semaphore(0), []

    def work(number):
        came.release()
        with ours:
            worked.append(number)

    with ours:
        threads = []
        for number in range(5):
            threads.append(begun(lambda number=number: work(number)))
            came.acquire()
            while len(ours._waiting) <= number:
                pass
        assert worked == []
    assert all(ended(thread) for thread in threads)
    assert worked == [0, 1, 2, 3, 4]


def test_who_has_waited_long_enough_goes_on_and_takes_nobodys_turn():
    ours = Turn(patience=0.01)
    with ours:
        impatient = []

        def work():
            with ours:
                impatient.append(ours.is_mine)

        assert ended(begun(work))
        assert ended(begun(work))
        assert impatient == [False, False]
    with ours:
        assert ours.is_mine, "it was given back by the one who had it"


def test_whatever_comes_together_two_never_have_the_turn():
    ours, has_it, together, turns = Turn(patience=0.0005), [], [], []

    def work():
        for _ in range(200):
            with ours:
                if ours.is_mine:
                    has_it.append(True)
                    together.append(len(has_it))
                    for _ in range(random.randrange(200)):
                        pass
                    has_it.pop()
                    with ours.away():
                        pass
                turns.append(ours.is_mine)

    assert all(ended(thread) for thread in [begun(work) for _ in range(8)])
    assert len(turns) == 1600
    assert set(together) == {1}
    assert not ours._is_taken
    assert not ours._waiting


class SlowBody:
    def __init__(self, wait):
        self.read = self.readline = wait


def of_the_service(wait):
    mine, services = socket.socketpair()
    with mine, services:
        sender = begun(lambda: wait() and services.send(b"."))
        is_ready(mine, READ, LONG)
        assert ended(sender)


def of_a_pause(wait, monkeypatch):
    monkeypatch.setattr("console.turns.time.sleep", lambda _seconds: wait())
    turn.pause(1)


@pytest.mark.parametrize("kind", ["service", "pause", "body", "line of a body"])
def test_while_one_waits_another_works(monkeypatch, kind):
    """A service that is slow for one page, the pause of a refused login, what a browser sends slowly: nobody else's."""
    monkeypatch.setattr(turn, "patience", LONG)
    waiting, go_on, came_in_time = threading.Event(), threading.Event(), []

    def wait(*_size):
        waiting.set()
        came_in_time.append(go_on.wait(LONG / 6))
        return b"."

    def site(environ, _start_response):
        if kind == "service":
            of_the_service(wait)
        elif kind == "pause":
            of_a_pause(wait, monkeypatch)
        else:
            sent = environ["wsgi.input"]
            assert (sent.read(1) if kind == "body" else sent.readline(1)) == b"."
        assert turn.is_mine
        return [b"drawn"]

    answers = []
    monkeypatch.setattr("console.wsgi._django", site)
    thread = begun(lambda: answers.append(application({"wsgi.input": SlowBody(wait)}, lambda *_: print)))
    assert waiting.wait(LONG)
    with turn:
        assert turn.is_mine
        go_on.set()
    assert ended(thread)
    assert came_in_time == [True], "the other one did not have to wait for the end of this"
    assert answers == [[b"drawn"]]
    assert not turn._is_taken


def test_a_statement_that_a_server_works_on_keeps_nobody_else_waiting(db, monkeypatch):
    """SQLite works in the thread that asks it, and keeps its turn."""
    seen = []

    def look(execute, *statement):
        seen.append(turn.is_mine)
        return execute(*statement)

    with turn, connection.execute_wrapper(look), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert turn.is_mine
    assert seen == [connection.vendor == "sqlite"]


def test_who_has_more_to_do_takes_a_connection_later(monkeypatch):
    module = runpy.run_path(str(Path(__file__).resolve().parents[2] / "gunicorn.conf.py"))
    steps: list[float] = []
    accepted: list[str] = []
    monkeypatch.setattr("time.sleep", steps.append)
    monkeypatch.setattr(ThreadWorker, "accept", lambda _worker, listener: accepted.append(listener))
    worker = module["worker_class"].__new__(module["worker_class"])
    worker.cfg = SimpleNamespace(threads=16)
    for connections, kept, pending in [(0, 0, 0), (3, 3, 0), (5, 1, 1), (16, 0, 0), (1000, 0, 0)]:
        worker.nr_conns, worker.keepalived_conns, worker.pending_conns = connections, [0] * kept, [0] * pending
        worker.accept("listener")
    idle, kept_only, some, all_threads, overloaded = steps
    assert idle == kept_only == 0
    assert 0 < some < all_threads == overloaded < 0.01
    assert accepted == ["listener"] * 5
