"""A Django site next to the console as a process: gunicorn with the console's settings, and a logged-in session."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from console.ops.demo import ROOT, is_port_in_use
from sandbox.process import free_ports

START_TAKES = 20.0
STOP_TAKES = 35.0


class SiteProcess:
    """A running site, to be used in a `with` statement.

    `module` has its `application`, and run as a program creates the tables and prints the value of a session's cookie.
    """

    def __init__(
        self, module: str, variables: Mapping[str, str], *, workers: int, python: Path | str = sys.executable
    ) -> None:
        (self.port,) = free_ports(1)
        self.variables = {**variables, "BIND": f"127.0.0.1:{self.port}", "WEB_CONCURRENCY": str(workers)}
        self.cookie = ""
        self.process: subprocess.Popen[bytes] | None = None
        self.python = str(python)
        self._module = module

    def __enter__(self) -> Self:
        try:
            self._enter()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _enter(self) -> None:
        self.cookie = self._log_in()
        self.process = self._start("gunicorn", "--config", "lab/bench/gunicorn/conf.py", f"{self._module}:application")
        self._wait(self.process, self.port)

    def __exit__(self, *_: object) -> None:
        self._stop(self.process)

    def _start(self, module: str, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([self.python, "-m", module, *arguments], cwd=ROOT, env=self._environment)

    def _log_in(self) -> str:
        command = [self.python, "-m", self._module]
        done = subprocess.run(command, cwd=ROOT, env=self._environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, **self.variables}

    @staticmethod
    def _wait(process: "subprocess.Popen[bytes]", port: int) -> None:
        ends = time.monotonic() + START_TAKES
        while not is_port_in_use(port):
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError("a site beside the console did not start")
            time.sleep(0.05)

    @staticmethod
    def _stop(process: "subprocess.Popen[bytes] | None") -> None:
        if process and process.poll() is None:
            process.terminate()
            process.wait(STOP_TAKES)
