"""Packages of Debian that a check needs, and that are no requirements of the console."""

import os
import shutil
import subprocess

QUIET = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]


def install(*packages: str) -> None:
    """Install them where this may be done: by root, on a machine with apt. Whoever calls looks whether it did."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run([*QUIET, "update"], check=False)
        for package in packages:  # one by one: not every system has all of them
            subprocess.run([*QUIET, "install", "-y", "--no-install-recommends", package], check=False)
