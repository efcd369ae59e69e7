"""Two consoles with folders of their own on one PostgreSQL, the clock of the second one ahead."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from console.ops import demo
from lab.soak.system import system
from tests.e2e.http_client import wait_until, worker_ids
from tests.e2e.running import Console, Sandbox, start
from tools.postgres import cluster

CLOCK_AHEAD = {"DJANGO_SETTINGS_MODULE": "tests.support.clock_ahead"}  # for tests only


@dataclass
class TwoHosts:
    """The two consoles, and what they share."""

    consoles: list[Console]
    database: str
    """The address of their database."""

    @property
    def sandbox(self) -> Sandbox:
        return self.consoles[0].sandbox

    def change(self, statement: str) -> None:
        """Run one statement in their database."""
        with psycopg.connect(self.database) as connection:
            connection.execute(statement)

    def end_access(self) -> None:
        """Expire all access tokens; also those that were refreshed a moment ago may be refreshed again."""
        # First, because after it those who work begin to refresh.
        self.change("""UPDATE "grant" SET refreshed_at = refreshed_at - interval '1 hour'""")
        self.sandbox.tokens(expire="access")

    def reset_attempts(self) -> None:
        """Reset the count of failed logins."""
        self.change("DELETE FROM attempt")


@contextmanager
def two_hosts(*, workers: int = 3, **variables: str) -> Iterator[TwoHosts]:
    """Run two consoles on one database, with the same key."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg")))
        url = stack.enter_context(cluster(folder))
        variables = {"DATABASE_URL": url, **variables}
        first = stack.enter_context(system(workers=workers, **variables))
        other = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="host")))
        variables |= {"SECRET_KEY": (first.data_dir / "secret-key").read_text(), **CLOCK_AHEAD}
        second, process = start(other, first.sandbox, workers=workers, **variables)
        stack.callback(process.stop)
        yield TwoHosts([first, second], url)


def kill(host: Console) -> None:
    """End all processes of a host at once, as a lost machine does."""
    main, workers = host.process.process, worker_ids(host)
    assert main is not None
    for process in (main.pid, *workers):
        os.kill(process, signal.SIGKILL)
    main.wait()
    port = int(host.url.rpartition(":")[2])
    wait_until(lambda: not demo.is_port_in_use(port))
