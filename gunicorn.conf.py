"""Settings of gunicorn for the console; docs/operations.md explains the values."""

import logging
import os
import re
from pathlib import Path


def _count(name: str, default: int) -> int:
    text = os.environ.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise SystemExit(f"{name} is a whole number of at least 1.")
    return int(text)


bind = os.environ.get("BIND", "127.0.0.1:8000").split(",")  # a unix socket behind nginx
umask = 0o007
wsgi_app = "console.wsgi"
worker_class = "gthread"
workers = _count("WEB_CONCURRENCY", 2)
threads = _count("WEB_THREADS", 16)
raw_env = [f"WEB_THREADS={threads}"]  # the settings count with it, too
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


class _WithoutContent(logging.Filter):
    """Leaves out what gunicorn quotes of a request: of a bad one anything may be in it, of another one its query."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        record.msg = "Invalid request" if text.startswith("Invalid request") else re.sub(r"\?\S+", "?…", text)
        record.args = ()
        return True


logging.getLogger("gunicorn.error").addFilter(_WithoutContent())


def post_worker_init(worker: object) -> None:
    """Load what the first request in each language would otherwise have to wait for, and remove what is old.

    That the database can't be written is told by /readyz, and stops nothing here.
    """
    from console.grants.identity import identity_key
    from console.grants.writing import can_write
    from console.retention import remove_old
    from console.warm_up import warm_up

    warm_up()
    can_write(identity_key)  # which encrypts it with the newest of the keys, so that older ones may go
    can_write(remove_old)
