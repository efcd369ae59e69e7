"""The database tests on PostgreSQL: a cluster of its own in a temporary folder, a socket instead of a port.

`python -m tools.postgres PYTEST-ARGUMENTS`
"""

import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import debian

NO_CLUSTER = 4
"""pytest's exit status if no test ran; 1 would mean that some failed."""


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """Run a cluster in this folder; yield the URL of its database."""
    programs = debian.require("pg_ctl").parent
    initdb, pg_ctl = (str(programs / name) for name in ("initdb", "pg_ctl"))
    # PostgreSQL refuses to run as root.
    as_whom = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    if as_whom:
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
    name = as_whom.get("user") or pwd.getpwuid(os.geteuid()).pw_name

    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, **as_whom)  # type: ignore[call-overload]

    data = str(folder / "data")
    run(initdb, "-D", data, "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c fsync=off -k {folder}"
    run(pg_ctl, "-D", data, "-l", str(folder / "log"), "-o", options, "-w", "start")
    try:
        yield f"postgres://{name}@/postgres?host={folder}"
    finally:
        run(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop")


def main() -> int:
    try:
        with tempfile.TemporaryDirectory(prefix="pg") as folder, cluster(Path(folder)) as url:
            variables = {**os.environ, "DATABASE_URL": url}
            return subprocess.run([sys.executable, "-m", "pytest", "-q", *sys.argv[1:]], env=variables).returncode
    except (RuntimeError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{error}\n")
        return NO_CLUSTER


if __name__ == "__main__":
    sys.exit(main())
