"""The database tests on PostgreSQL: a cluster of its own in a temporary folder, a socket instead of a port.

`python -m console.testing.postgres PYTEST-ARGUMENTS`; it installs PostgreSQL where it may.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.testing import debian

MISSING = "These tests need PostgreSQL and found none. Install it (on Debian or Ubuntu: apt-get install postgresql)."


def binaries() -> Path | None:
    """The folder of initdb and pg_ctl, which distributions keep out of the PATH."""
    if found := shutil.which("pg_ctl"):
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return versions[-1].parent if versions else None


def install() -> Path | None:
    """The folder of its programs, which are installed where they are missing and may be."""
    if not binaries():
        debian.install("postgresql")
    return binaries()


@contextmanager
def cluster(folder: Path, programs: Path) -> Iterator[str]:
    """Run a cluster in this folder; the address of its database."""
    # PostgreSQL refuses to run as root.
    as_whom = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    if as_whom:
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
    name = as_whom.get("user") or pwd.getpwuid(os.geteuid()).pw_name

    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, **as_whom)  # type: ignore[call-overload]

    data = str(folder / "data")
    run(str(programs / "initdb"), "-D", data, "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c fsync=off -k {folder}"
    run(str(programs / "pg_ctl"), "-D", data, "-l", str(folder / "log"), "-o", options, "-w", "start")
    try:
        yield f"postgres://{name}@/postgres?host={folder}"
    finally:
        run(str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")


def main() -> int:
    programs = install()
    if not programs:
        print(MISSING, file=sys.stderr)  # noqa: T201 - said to who runs the command
        return 1
    with tempfile.TemporaryDirectory(prefix="pg") as folder, cluster(Path(folder), programs) as url:
        variables = {**os.environ, "DATABASE_URL": url}
        return subprocess.run([sys.executable, "-m", "pytest", "-q", *sys.argv[1:]], env=variables).returncode


if __name__ == "__main__":
    sys.exit(main())
