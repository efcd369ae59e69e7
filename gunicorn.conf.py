"""Settings of gunicorn for the console; docs/operations.md explains the values."""

import ctypes
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from gunicorn.errors import AppImportError
from gunicorn.workers.gthread import ThreadWorker

MANAGE = Path(__file__).with_name("manage.py")
COUNTS = "PROMETHEUS_MULTIPROC_DIR"


def _count(name: str, default: int, *, at_most: int = 1000) -> int:
    text = os.environ.get(name, str(default))
    if not (re.fullmatch(r"[0-9]{1,5}", text) and 0 < int(text) <= at_most):
        raise SystemExit(f"{name} is a whole number from 1 to {at_most}.")
    return int(text)


def _addresses(name: str, default: str) -> list[str]:
    found = [part.strip() for part in os.environ.get(name, default).split(",")]
    for address in found:  # gunicorn would listen on all networks where there is none
        port = re.fullmatch(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", address, re.ASCII)
        path = Path(address.removeprefix("unix:"))
        is_socket = address.startswith("unix:/") and path.parent.is_dir() and (path.is_socket() or not path.exists())
        if not is_socket and not (port and 0 < int(port[1]) < 65536):
            raise SystemExit(f"{name} is an address such as 127.0.0.1:8000, or unix:/run/console/console.sock.")
    return found


bind = _addresses("BIND", "127.0.0.1:8000")  # a unix socket behind nginx
umask = 0o007
wsgi_app = "console.wsgi"
workers = _count("WEB_CONCURRENCY", 2)
threads = _count("WEB_THREADS", 16)
raw_env = [f"WEB_THREADS={threads}", f"WEB_CONCURRENCY={workers}"]  # the settings count with them, too
metrics_port = _count("METRICS_PORT", 1, at_most=65535) if os.environ.get("METRICS_PORT") else None
timeout, graceful_timeout, keepalive = 60, 30, 75
max_requests, max_requests_jitter = 20000, 2000
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108  # the heartbeat must not wait for a disk
# The console itself decides which proxy to trust (TRUSTED_PROXY). gunicorn trusts none, or a client's own
# SCRIPT_NAME header could change the path.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
control_socket_disable = True
limit_request_line, limit_request_fields, limit_request_field_size = 4094, 60, 8190
accesslog = None  # the console logs one line per request
loglevel = "warning"


STEP_BACK, MOST_STEPS = 0.0003, 16
"""Seconds by which a worker comes later for each request at work, in which its main loop stands still; and for how many
at most."""

# Each thread would have a heap of its own (glibc), where others can't use what it has freed.
M_ARENA_MAX = -8
with suppress(AttributeError, OSError):  # another library has no such thing
    ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)

FORMER = "FORMER_WORKERS"
"""The variable that tells this process, begun anew at a reload, who serves until its own workers do: "pid:slot ..."."""


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own with threads, but the more it has to do, the later it takes on more.

    All workers are told of a connection, and whichever accepts it first keeps it: one may have most of them, and
    another processor nothing to do.
    """

    def accept(self, listener: Any) -> None:
        at_work = self.nr_conns - len(self.keepalived_conns) - len(self.pending_conns)
        if at_work > 0 and self.cfg.workers > 1:
            time.sleep(STEP_BACK * min(at_work, MOST_STEPS))
        super().accept(listener)

    def handle_exit(self, sig: int, frame: Any) -> None:
        signal.alarm(self.cfg.graceful_timeout)  # gunicorn's first process, begun anew, waits for nobody
        super().handle_exit(sig, frame)


worker_class = Worker


class _WithoutContent(logging.Filter):
    """Leaves out what gunicorn quotes of a request: of a bad one anything may be in it, of another one its query."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        record.msg = "Invalid request" if text.startswith("Invalid request") else re.sub(r"\?\S+", "?…", text)
        record.args = ()
        return True


logging.getLogger("gunicorn.error").addFilter(_WithoutContent())


def on_starting(server: Any) -> None:
    server.variables = dict(server.cfg.env_orig)
    former, counts = server.variables.pop(FORMER, None), server.variables.pop(COUNTS, "")
    server.former = {int(pid): int(slot) for pid, slot in (one.split(":") for one in (former or "").split())}
    if metrics_port:
        # Each worker counts in files of its own there, which the process of the metrics adds up. They are mapped, so
        # they are kept in memory: on a full disk a write to one would end the worker.
        if former is None:
            counts = tempfile.mkdtemp(prefix="console-metrics-", dir=worker_tmp_dir)
        os.environ |= {COUNTS: counts, "METRICS_SLOT": "first"}


def when_ready(server: Any) -> None:
    """Load the console: workers share its memory, and a new one is ready at once."""
    try:
        import_module(wsgi_app)
    except AppImportError as error:
        on_exit(server)
        raise SystemExit(str(error)) from None
    from console.warm_up import warm_up

    warm_up()
    server.handle_hup = partial(_begin_anew, server)  # gunicorn would only start workers with what this process has
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _start_metrics(server)
    for pid, slot in server.former.items():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        _forget(slot)


def _begin_anew(server: Any) -> None:
    """Begin with what is there now, as the same process and with the same sockets, while the workers go on serving.

    Where that could not start, nothing changes.
    """
    command = [sys.executable, str(MANAGE), "check"]
    try:
        subprocess.run(command, env=server.variables, stdout=subprocess.DEVNULL, check=True, timeout=timeout)  # noqa: S603  # nothing of it comes from outside
    except (OSError, subprocess.SubprocessError):
        server.log.error("What is there now can't start. The console goes on with what it began with.")
        return
    _end_metrics(server)
    serving = {pid: slot for pid, slot in server.former.items() if Path(f"/proc/{pid}").exists()}
    serving |= {pid: worker.slot for pid, worker in server.WORKERS.items()}
    variables = {
        **server.variables,
        **({COUNTS: os.environ[COUNTS]} if metrics_port else {}),
        FORMER: " ".join(f"{pid}:{slot}" for pid, slot in serving.items()),
        "GUNICORN_PID": str(os.getpid()),
        "GUNICORN_FD": ",".join(str(listener.fileno()) for listener in server.LISTENERS),
    }
    os.chdir(server.START_CTX["cwd"])
    # What arrives until gunicorn can handle it waits: it would end the process.
    signal.pthread_sigmask(signal.SIG_BLOCK, {*server.SIGNALS, signal.SIGCHLD})
    os.execve(sys.executable, sys.orig_argv, variables)  # noqa: S606  # nothing of it comes from outside


def on_exit(server: Any) -> None:
    _end_metrics(server)
    if metrics_port:
        shutil.rmtree(os.environ[COUNTS], ignore_errors=True)


def _start_metrics(server: Any) -> None:
    if metrics_port:
        command = [sys.executable, str(MANAGE), "metrics", "--port", str(metrics_port)]
        # It ends with its input, however gunicorn ends; a session of its own keeps the keyboard's signals from it.
        variables = {**os.environ, "METRICS_SLOT": "exporter"}
        server.metrics = subprocess.Popen(  # noqa: S603  # nothing of it comes from outside
            command, env=variables, stdin=subprocess.PIPE, start_new_session=True
        )


def _end_metrics(server: Any) -> None:
    if running := getattr(server, "metrics", None):
        running.kill()  # it holds nothing
        running.wait()


def _forget(slot: int) -> None:
    """Remove what a worker told of itself as it is now, as `mark_process_dead` of prometheus_client does."""
    if metrics_port:
        for file in Path(os.environ[COUNTS]).glob(f"gauge_live*_{slot}.db"):
            file.unlink(missing_ok=True)


def pre_fork(server: Any, worker: Any) -> None:
    """Give a worker the lowest number that is free: the files of its counts go on where those of an ended one stop."""
    taken = {*(other.slot for other in server.WORKERS.values()), *server.former.values()}
    worker.slot = next(number for number in range(len(taken) + 1) if number not in taken)


def post_fork(server: Any, worker: Any) -> None:
    if worker.age > 1 or server.former:
        # Where a worker can't start, gunicorn stops those that serve, too. That is right for the first of all only.
        server.WORKER_BOOT_ERROR = server.APP_LOAD_ERROR = 1
    if metrics_port:
        os.environ["METRICS_SLOT"] = str(worker.slot)


def child_exit(server: Any, worker: Any) -> None:
    _forget(worker.slot)


def worker_exit(server: Any, worker: Any) -> None:
    """Let some time pass where a worker can't start, before another one tries."""
    if not worker.booted:
        time.sleep(1)


def post_worker_init(worker: object) -> None:
    """Remove what is old. That the database can't be written is told by /readyz, and stops nothing here."""
    from django.db import connection

    from console import metrics
    from console.grants.identity import identity_key
    from console.grants.writing import can_write
    from console.retention import remove_old

    can_write(identity_key)  # which encrypts it with the newest of the keys, so that older ones may go
    can_write(remove_old)
    connection.close()  # requests have threads of their own; this one would keep its connection as long as it lives
    metrics.workers.set(1)
