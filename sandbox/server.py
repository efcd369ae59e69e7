"""The server: one gunicorn process, two addresses, and enough threads for 50 concurrent callers."""

import os
import sys
from collections.abc import Callable
from typing import Any

import django
from django.core.wsgi import get_wsgi_application
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

from sandbox.middleware import FaultMiddleware
from sandbox.world import Options, open_world

THREADS = 64


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """A worker that exits immediately: every call is stored before its response, so there is nothing to wait for."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End on SIGTERM."""
        os._exit(0)

    handle_quit = handle_exit  # SIGQUIT and SIGINT


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """Gunicorn with fixed settings; it reads no file, environment or command line."""

    def __init__(self, options: Options, *, reset: bool) -> None:
        self.options = options
        self.reset = reset
        super().__init__()

    def load_config(self) -> None:
        """Set gunicorn's settings."""
        settings: dict[str, Any] = {
            "bind": [f"127.0.0.1:{self.options.handler_port}", f"127.0.0.1:{self.options.api_port}"],
            "workers": 1,  # the data is in memory
            "worker_class": Worker,
            "threads": THREADS,
            "worker_connections": 1000,
            "timeout": 0,
            "graceful_timeout": 1,
            "keepalive": 75,
            "backlog": 512,
            "limit_request_line": 0,  # a list may be requested with a hundred ids
            "loglevel": "warning",
            "proc_name": "sandbox",
            "control_socket_disable": True,
            "post_worker_init": self._ready,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        """Open the data and return the application."""
        os.environ["DJANGO_SETTINGS_MODULE"] = "sandbox.settings"
        django.setup()
        world = open_world(self.options, reset=self.reset)
        self.reset = False  # keeps the data if the worker is replaced
        return FaultMiddleware(get_wsgi_application(), world)

    def _ready(self, worker: Any) -> None:
        sys.stdout.write(f"Domain handler: http://127.0.0.1:{self.options.handler_port}\n")
        sys.stdout.write(f"Region API:     http://127.0.0.1:{self.options.api_port}\n")
        sys.stdout.flush()
