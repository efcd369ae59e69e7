"""The reference as processes: its service, and the site."""

import subprocess
from pathlib import Path

from lab.bench.site_process import SiteProcess
from sandbox.process import free_ports


class ReferenceProcess(SiteProcess):
    """A running reference, to be used in a `with` statement. `cookie` is that of a logged-in session."""

    path = "/people"

    def __init__(self, data: Path, *, workers: int, milliseconds: int = 0) -> None:
        data.mkdir(parents=True, exist_ok=True)
        (self._upstream_port,) = free_ports(1)
        variables = {
            "DJANGO_SETTINGS_MODULE": "lab.bench.reference.settings",
            "REFERENCE_DATA": str(data),
            "REFERENCE_UPSTREAM": f"http://127.0.0.1:{self._upstream_port}",
        }
        super().__init__("lab.bench.reference.site", variables, workers=workers)
        self._milliseconds = milliseconds
        self._upstream: subprocess.Popen[bytes] | None = None

    def _enter(self) -> None:
        self._upstream = self._start("lab.bench.reference.upstream", str(self._upstream_port), str(self._milliseconds))
        self._wait(self._upstream, self._upstream_port)
        super()._enter()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._stop(self._upstream)
