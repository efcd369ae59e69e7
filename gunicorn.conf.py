"""Settings of gunicorn for the console; docs/operations/tuning.md explains the values."""

import os
from pathlib import Path
from typing import Any

bind = [address.strip() for address in os.environ.get("BIND", "127.0.0.1:8000").split(",")]
umask = 0o007  # nginx accesses a unix socket through its group
wsgi_app = "console.wsgi"
preload_app = True  # workers share the memory of what console/wsgi.py loads
workers = os.environ.get("WEB_CONCURRENCY", "2")
threads = os.environ.get("WEB_THREADS", "16")
worker_class = "gthread"
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108  # the heartbeat must not wait for a disk
timeout, graceful_timeout, keepalive = 60, 30, 75
control_socket_disable = True
# The console itself decides which proxy to trust (TRUSTED_PROXY). If gunicorn trusted one, a client's own SCRIPT_NAME
# header could change the path.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
limit_request_line, limit_request_fields, limit_request_field_size = 4094, 60, 16380
logconfig_dict = {
    "filters": {"without_content": {"()": "console.config.logging.WithoutContent"}},
    "loggers": {
        "gunicorn.error": {
            "level": "WARNING",
            "handlers": ["error_console"],
            "filters": ["without_content"],
            "propagate": False,
        },
        # The console logs one line per request.
        "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
    },
}


def post_worker_init(_worker: Any) -> None:
    """Count the worker as one that serves."""
    from console.config import metrics

    metrics.workers.set(1)


def child_exit(_server: Any, worker: Any) -> None:
    """Remove the gauges of a worker that ended."""
    from prometheus_client.multiprocess import mark_process_dead

    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
