"""Packages of Debian that checks and tests need, and that are no requirements of the console."""

import os
import shutil
import subprocess
from pathlib import Path

QUIET = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
PROGRAMS = {"nginx": "nginx", "promtool": "prometheus", "pg_ctl": "postgresql"}
"""Programs that slow tests start, and the packages that have them."""
MISSING = (
    "This needs {program}, which is not installed. `make programs` installs it for root on Debian or Ubuntu; "
    "elsewhere install what Debian calls {package}."
)


def install(*packages: str) -> None:
    """Install packages where this is possible: as root, on a machine with apt. The caller checks the result."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run([*QUIET, "update"], check=False)
        command = [*QUIET, "install", "-y", "--no-install-recommends"]
        if subprocess.run([*command, *packages], check=False).returncode:
            for package in packages:  # one by one: not every system has all of them
                subprocess.run([*command, package], check=False)


def find(program: str) -> Path | None:
    """Return the path of a program, also of one of PostgreSQL, which Debian keeps out of the PATH."""
    if path := shutil.which(program):
        return Path(path)
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    return versions[-1] if versions else None


def require(program: str) -> Path:
    """Return the path of one of `PROGRAMS`; raise RuntimeError without it, because a test that skips proves nothing."""
    if path := find(program):
        return path
    raise RuntimeError(MISSING.format(program=program, package=PROGRAMS[program]))
