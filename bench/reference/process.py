"""The reference as processes: its service, and gunicorn with the console's settings."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from console.demo import ROOT, is_taken
from sandbox.process import free_ports

START_TAKES = 20.0
STOP_TAKES = 35.0


class ReferenceProcess:
    """A running reference, to be used in a `with` statement. `cookie` is that of a logged-in session."""

    path = "/people"

    def __init__(self, data: Path, *, workers: int, milliseconds: int = 0) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.port, self._upstream_port = free_ports(2)
        self.variables = {
            "DJANGO_SETTINGS_MODULE": "bench.reference.settings",
            "REFERENCE_DATA": str(data),
            "REFERENCE_UPSTREAM": f"http://127.0.0.1:{self._upstream_port}",
            "BIND": f"127.0.0.1:{self.port}",
            "WEB_CONCURRENCY": str(workers),
        }
        self.cookie = ""
        self._milliseconds = milliseconds
        self.process: subprocess.Popen[bytes] | None = None
        self._upstream: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._upstream = self._start("bench.reference.upstream", str(self._upstream_port), str(self._milliseconds))
            self.cookie = self._log_in()
            self.process = self._start("gunicorn", "--config", "bench/reference/gunicorn.conf.py")
            self._wait(self._upstream, self._upstream_port)
            self._wait(self.process, self.port)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self.process, self._upstream):
            if process and process.poll() is None:
                process.terminate()
                process.wait(STOP_TAKES)

    def _start(self, module: str, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([sys.executable, "-m", module, *arguments], cwd=ROOT, env=self._environment)

    def _log_in(self) -> str:
        command = [sys.executable, "-m", "bench.reference.site"]
        done = subprocess.run(command, cwd=ROOT, env=self._environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, **self.variables}

    @staticmethod
    def _wait(process: "subprocess.Popen[bytes]", port: int) -> None:
        ends = time.monotonic() + START_TAKES
        while not is_taken(port):
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError("the reference did not start")
            time.sleep(0.05)
