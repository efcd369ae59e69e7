"""Of the requests of a process one works at a time, and none keeps the others from it while it waits itself."""

import random
import socket
import threading
import time
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import RequestFactory

from console.middleware import RequestMiddleware
from console.turns import Turn, turn
from console.upstream.tasks import READ, is_ready
from console.wsgi import application

pytestmark = pytest.mark.sql

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
        ours._given -= LONG  # it has been kept for very long
        ours.patience = LONG
        assert ended(begun(work)), "who comes later does not begin to wait anew"
        assert impatient == [False, False]
    with ours:
        assert ours.is_mine, "it was given back by the one who had it"


def test_while_turns_change_hands_nobody_goes_on_without():
    """Where many have work, nobody is stuck; without turns all would be slower."""
    ours, got = Turn(patience=0.5), []  # a machine that stands still for a moment is no impatience

    def work():
        with ours:
            got.append(ours.is_mine)

    with ours:
        thread, ends = begun(work), time.monotonic() + 3 * ours.patience
        while time.monotonic() < ends:
            ours._given = time.monotonic()
        assert got == []
    assert ended(thread)
    assert got == [True]


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
        with turn:
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
    thread = begun(
        lambda: answers.append(application({"REQUEST_METHOD": "POST", "wsgi.input": SlowBody(wait)}, lambda *_: print))
    )
    assert waiting.wait(LONG)
    with turn:
        assert turn.is_mine
        go_on.set()
    assert ended(thread)
    assert came_in_time == [True], "the other one did not have to wait for the end of this"
    assert answers == [[b"drawn"]]
    assert not turn._is_taken


def test_a_request_has_its_turn_until_its_answer_is_drawn():
    seen = []

    def draw(_request):
        seen.append(turn.is_mine)
        return HttpResponse()

    assert RequestMiddleware(draw)(RequestFactory().get("/healthz")).status_code == 200
    assert seen == [True]
    assert not turn.is_mine


def test_what_is_there_already_lets_nobody_go_first(monkeypatch):
    monkeypatch.setattr(Turn, "away", None)
    mine, services = socket.socketpair()
    with mine, services:
        services.send(b".")
        assert is_ready(mine, READ, LONG)


def test_what_came_while_others_worked_is_not_late(monkeypatch):
    mine, services = socket.socketpair()

    @contextmanager
    def away(_turn):
        yield
        services.send(b".")  # when nothing had come in time

    monkeypatch.setattr(Turn, "away", away)
    with mine, services:
        assert is_ready(mine, READ, 0.001)


def test_a_statement_that_a_server_works_on_keeps_nobody_else_waiting(transactional_db):
    """SQLite works in the thread that asks it, and keeps its turn. So does a transaction: it may have locked rows."""
    seen = []

    def look(execute, *statement):
        seen.append(turn.is_mine)
        return execute(*statement)

    with connection.cursor() as cursor, connection.execute_wrapper(look), turn:
        cursor.execute("SELECT 1")
        with transaction.atomic():
            cursor.execute("SELECT 1")
        assert turn.is_mine
    assert seen[0] == (connection.vendor == "sqlite")
    assert seen[-1], "in a transaction"
