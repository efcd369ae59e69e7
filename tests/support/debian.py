"""Packages of Debian that checks and tests need, and that are no requirements of the console."""

import os
import shutil
import subprocess
from pathlib import Path

QUIET = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
PROGRAMS = {"nginx": "nginx", "promtool": "prometheus", "pg_ctl": "postgresql"}
"""Programs that slow tests start, and the packages that have them."""
BROWSERS = {
    "firefox-esr": "firefox-esr",
    "WebKitWebDriver": "webkit2gtk-driver",
    "MiniBrowser": "webkit2gtk-driver",
    "Xvfb": "xvfb",
}
"""Firefox and WebKit, with the screen that it needs, and the packages that have them."""
HIDDEN = ("postgresql/*/bin", "*/webkit2gtk-4.*")
"""Folders below /usr/lib with programs that Debian keeps out of the PATH."""
MISSING = (
    "This needs {program}, which is not installed. `make programs browsers` installs it for root on Debian or "
    "Ubuntu; elsewhere install what Debian calls {package}."
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
    """Return the path of a program, of its newest version where Debian keeps several out of the PATH."""
    if path := shutil.which(program):
        return Path(path)
    versions = sorted(path for folder in HIDDEN for path in Path("/usr/lib").glob(f"{folder}/{program}"))
    return versions[-1] if versions else None


def require(program: str) -> Path:
    """Return the path of a program; raise RuntimeError without it, because a test that skips proves nothing."""
    if path := find(program):
        return path
    raise RuntimeError(MISSING.format(program=program, package=(PROGRAMS | BROWSERS)[program]))
