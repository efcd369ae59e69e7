"""Settings of gunicorn for the console; docs/operations.md explains the values."""

import ctypes
import errno
import logging
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from gunicorn.errors import AppImportError
from gunicorn.util import getcwd
from gunicorn.workers.gthread import ThreadWorker


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
limit_request_line, limit_request_fields, limit_request_field_size = 4094, 60, 16380
accesslog = None  # the console logs one line per request
loglevel = "warning"


STEP_BACK, MOST_STEPS = 0.0003, 16
"""Seconds by which a worker comes later for each request at work, in which its main loop stands still; and for how many
at most."""

STALL_TIMEOUT_S = 60
"""Seconds for which a client may take nothing of an answer; then its thread is free again."""
SEND_BUFFER = 128 * 1024
"""Bytes. The kernel tells that a client took something when a good part of the buffer is free."""

# Each thread would have a heap of its own (glibc), where others can't use what it has freed.
M_ARENA_MAX = -8
with suppress(AttributeError, OSError):  # another library has no such thing
    ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)

MANAGE = Path(__file__).with_name("manage.py")
FOLDER = getcwd()
"""Where gunicorn was started: it has not yet gone to the folder of the console."""
COUNTS = "PROMETHEUS_MULTIPROC_DIR"
FORMER = "FORMER_WORKERS"
"""The variable that tells this process, begun anew at a reload, who serves until its own workers do: "pid:slot ..."."""
OF_GUNICORN = ("GUNICORN_PID", "GUNICORN_FD", "LISTEN_PID", "LISTEN_FDS")
"""Variables that tell of the sockets with which this process began."""

CAN_START_SAYS = b"can start\n"
CAN_START = """
import os, runpy, sys
from django.core.management import call_command
from gunicorn.errors import AppImportError
runpy.run_path("gunicorn.conf.py")
try:
    import console.wsgi
except AppImportError as error:
    sys.exit(str(error))
from console.warm_up import warm_up
call_command("check", stdout=open(os.devnull, "w"))
warm_up()
print("can start")
"""


class ClientSocket(socket.socket):
    """A connection that is lost when its client takes nothing of an answer for STALL_TIMEOUT_S.

    A timeout of the socket would end a slow download, too: it is the time for all that is sent in one call.
    """

    def sendall(self, data: Any, flags: int = 0) -> None:
        rest, poll = memoryview(data), select.poll()
        poll.register(self, select.POLLOUT)
        while rest:
            try:
                rest = rest[self.send(rest, flags | socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                if not poll.poll(STALL_TIMEOUT_S * 1000):
                    logging.getLogger("gunicorn.error").warning("A client took nothing for %s s", STALL_TIMEOUT_S)
                    raise ConnectionResetError(errno.ECONNRESET, "a client stood still") from None


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own with threads, but the more it has to do, the later it takes on more.

    All workers are told of a connection, and whichever accepts it first keeps it: one may have most of them, and
    another processor nothing to do. A client that takes nothing of its answer for a while loses its connection.
    """

    def accept(self, listener: Any) -> None:
        at_work = self.nr_conns - len(self.keepalived_conns) - len(self.pending_conns)
        if at_work > 0 and self.cfg.workers > 1:
            time.sleep(STEP_BACK * min(at_work, MOST_STEPS))
        super().accept(listener)

    def handle(self, conn: Any) -> Any:
        if not isinstance(conn.sock, ClientSocket):
            conn.sock = ClientSocket(fileno=conn.sock.detach())
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        return super().handle(conn)

    def handle_exit(self, sig: int, frame: Any) -> None:
        if self.alive:
            signal.alarm(self.cfg.graceful_timeout)  # gunicorn's first process, begun anew, does not know this one
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
    told = server.cfg.env_orig
    former, counts = told.pop(FORMER, None), told.pop(COUNTS, "")
    for name in OF_GUNICORN:
        told.pop(name, None)
    server.former = {int(pid): int(slot) for pid, slot in (one.split(":") for one in (former or "").split())}
    server.former_end = time.monotonic() + timeout + graceful_timeout
    server.check = server.metrics = None
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
        _start_metrics(server)
        import_module("console.warm_up").warm_up()
    except BaseException as error:
        on_exit(server)
        if isinstance(error, AppImportError):
            raise SystemExit(str(error)) from None
        raise
    server.handle_hup = partial(_check, server)  # gunicorn would only start workers with what this process has
    server.maybe_promote_master = partial(_look_after_reloads, server, server.maybe_promote_master)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _check(server: Any) -> None:
    """Begin to find out whether what is there now could start."""
    _end_check(server)
    server.check_ends, server.told = time.monotonic() + timeout, b""
    command, variables = [sys.executable, "-c", CAN_START], server.cfg.env_orig
    server.check = subprocess.Popen(command, cwd=MANAGE.parent, env=variables, stdout=subprocess.PIPE, bufsize=0)  # noqa: S603  # nothing of it comes from outside
    os.set_blocking(server.check.stdout.fileno(), False)


def _end_check(server: Any) -> None:
    if server.check:
        server.check.stdout.close()
        server.check.kill()
        server.check.wait()
        server.check = None


def _look_after_reloads(server: Any, promote: Callable[[], None]) -> None:
    """What gunicorn's first process does at least once a second, between the signals that it handles."""
    promote()
    for pid, slot in list(server.former.items()):
        if not _is_ours(pid):
            del server.former[pid]
            _forget(slot)
        elif time.monotonic() > server.former_end:  # gunicorn ends those that stand still, but does not know this one
            os.kill(pid, signal.SIGKILL)
    if server.check is None:
        return
    while piece := server.check.stdout.read(1024):
        server.told += piece
    if piece is None and time.monotonic() < server.check_ends:
        return
    if not server.told.endswith(CAN_START_SAYS):
        _end_check(server)
        server.log.error("What is there now can't start. The console goes on with what it began with.")
        return
    # What arrives until gunicorn can handle it waits: it would end the process. What has arrived comes first.
    signal.pthread_sigmask(signal.SIG_BLOCK, {*server.SIGNALS, signal.SIGCHLD})
    if server.SIG_QUEUE.empty():
        _begin_anew(server)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _begin_anew(server: Any) -> None:
    """Begin with what is there now, as the same process and with the same sockets, while the workers go on serving."""
    _end_check(server)
    _end_metrics(server)
    serving = server.former | {pid: worker.slot for pid, worker in server.WORKERS.items()}
    variables = {
        **server.cfg.env_orig,
        **({COUNTS: os.environ[COUNTS]} if metrics_port else {}),
        FORMER: " ".join(f"{pid}:{slot}" for pid, slot in serving.items()),
        "GUNICORN_PID": str(os.getpid()),
        "GUNICORN_FD": ",".join(str(listener.fileno()) for listener in server.LISTENERS),
    }
    with suppress(OSError):  # it may be the folder of a release that is gone
        os.chdir(FOLDER)
    try:
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], variables)  # noqa: S606  # nothing of it comes from outside
    except OSError as error:
        server.log.error("The console can't begin anew: %s", error.strerror)
        _start_metrics(server)


def _is_ours(pid: int) -> bool:
    """Whether this is a child of this process that has not ended: another process may have its number by now."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False


def on_exit(server: Any) -> None:
    """Wait for the workers of before a reload, too, and leave nothing."""
    _end_check(server)
    _end_former(filter(_is_ours, server.former))
    ends = time.monotonic() + graceful_timeout
    while any(map(_is_ours, server.former)) and time.monotonic() < ends:
        time.sleep(0.1)
    _end_metrics(server)
    if metrics_port:
        shutil.rmtree(os.environ[COUNTS], ignore_errors=True)


def _end_former(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


def _start_metrics(server: Any) -> None:
    if metrics_port:
        command = [sys.executable, str(MANAGE), "metrics", "--port", str(metrics_port)]
        # It ends with its input, however gunicorn ends; a session of its own keeps the keyboard's signals from it.
        variables = {**os.environ, "METRICS_SLOT": "exporter"}
        server.metrics = subprocess.Popen(  # noqa: S603  # nothing of it comes from outside
            command, env=variables, stdin=subprocess.PIPE, start_new_session=True
        )


def _end_metrics(server: Any) -> None:
    if server.metrics:
        server.metrics.kill()  # it holds nothing
        server.metrics.wait()


def _forget(slot: int) -> None:
    """Remove what a worker told of itself as it is now, as `mark_process_dead` of prometheus_client does."""
    if metrics_port:
        for file in Path(os.environ[COUNTS]).glob(f"gauge_live*_{slot}.db"):
            file.unlink(missing_ok=True)


def pre_fork(server: Any, worker: Any) -> None:
    """Give a worker the lowest number that is free: the files of its counts go on where those of an ended one stop."""
    taken = {*(other.slot for other in server.WORKERS.values()), *server.former.values()}
    worker.slot = next(number for number in range(len(taken) + 1) if number not in taken)
    worker.former = list(filter(_is_ours, server.former))


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


def post_worker_init(worker: Any) -> None:
    """End those who served until now."""
    from console import metrics

    metrics.workers.set(1)
    _end_former(worker.former)
