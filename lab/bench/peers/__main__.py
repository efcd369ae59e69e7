"""Compare the list of users with those of Django's admin and Wagtail; started by `python -m lab.bench.peers`.

All show 25 users to a user who is logged in, from SQLite, with gunicorn's settings of the console, and are put under
load in turns. The peers have 10,000 users in their own database; the console has its services to ask.
"""

import argparse
import gzip
import os
import signal
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from lab.bench.pages import WORKERS, Target, measure, targets
from lab.bench.site_process import SiteProcess
from tests.support import throwaway

WAGTAIL = "wagtail==8.0.1"
PEERS = {"django": ("Django admin", "/admin/auth/user/"), "wagtail": ("Wagtail", "/admin/users/")}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.bench.peers", description="The list of users beside its peers'."
    )
    parser.add_argument("--seconds", type=float, default=1, help="of one round of one page")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--upstream", type=int, default=0, metavar="MS", help="how long the console's services take")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stop the started processes in any case
    python = throwaway.python("peers", WAGTAIL, "django", "gunicorn", "requests")
    with ExitStack() as stack:
        reference, console, *_ = stack.enter_context(targets(given.upstream))
        peers = [stack.enter_context(_Peer(peer, python, stack)).target() for peer in PEERS]
        all_targets = [reference, console, *peers]
        for target in all_targets:
            target.inspect()
        measure(all_targets, given.connections, seconds=given.seconds, rounds=given.rounds)
    print("\n".join(_lines(console, all_targets, peers, given.connections)))
    print(f"Load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs. Compare the ratios of one run only.")


class _Peer(SiteProcess):
    """A running peer."""

    def __init__(self, peer: str, python: Path, stack: ExitStack) -> None:
        self._name, self._path = PEERS[peer]
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        variables = {"DJANGO_SETTINGS_MODULE": "lab.bench.peers.settings", "PEER": peer, "PEER_DATA": data}
        super().__init__("lab.bench.peers.site", variables, workers=WORKERS, python=python)

    def target(self) -> Target:
        assert self.process
        headers = {"Cookie": f"sessionid={self.cookie}", "Accept": "text/html"}
        return Target(self._name, self.port, self._path, headers, self.process.pid, self.variables, python=self.python)


def _lines(console: Target, all_targets: list[Target], peers: list[Target], connections: int) -> Iterator[str]:
    yield f"Connections: {connections}, rounds: {len(console.rounds[connections])}"
    yield f"{'page':<27}{'CPU ms':>8}{'p50 ms':>8}{'p95 ms':>8}{'pages/s':>9}{'bytes':>8}{'gzip':>7}{'SQL':>5}"
    for target in all_targets:
        yield (
            f"{target.name:<27}{target.cpu(connections):>8.2f}{target.percentile(connections, 50):>8.1f}"
            f"{target.percentile(connections, 95):>8.1f}{target.rate(connections):>9.0f}"
            f"{len(target.html):>8}{len(gzip.compress(target.html)):>7}{target.queries:>5}"
        )
    for peer in peers:
        faster = statistics.median(
            console_round.rate / other.rate
            for console_round, other in zip(console.rounds[connections], peer.rounds[connections], strict=True)
        )
        p95 = console.percentile(connections, 95) / peer.percentile(connections, 95)
        yield (
            f"{peer.name}: {peer.ratio(console, connections):.2f} times the console's CPU; the console sends "
            f"{faster:.2f} times the pages/s, at {p95:.2f} of the p95"
        )


if __name__ == "__main__":
    main()
