"""Compare the lists of a large organization with those of a small one, in one run; part of `make bench`.

Their people differ: where several have the same name, as in the large one, a row tells them apart by their email, and a
longer list has further links to pages. So bytes are close to equal, not equal; calls and queries are.
"""

import argparse
import gzip
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.ops import demo
from lab.bench.pages import WORKERS, Target, cookies, log_in, measure
from lab.bench.recorded import recorded
from sandbox.process import SandboxProcess, free_ports

CLINIC = "g-3"
USERS, SCANNERS, LABS = f"/user-manage/clinic/{CLINIC}/user", "/scanner-manage", "/partner-manage/search"
AT_ONCE = 5_000
"""Users that the sandbox makes within the time that a control may take."""


@dataclass(frozen=True)
class Size:
    """The numbers of objects of an organization."""

    users: int
    scanners: int
    labs: int


SIZES = (Size(users=100, scanners=100, labs=100), Size(users=100_000, scanners=5_000, labs=20_000))
PAGES = {
    "users": USERS,
    "users, search": f"{USERS}?keyword=a",
    "users, sort": f"{USERS}?sort=last_login_date&order=desc",
    "users, last page": f"{USERS}?page=99999",
    "scanners": SCANNERS,
    "scanners, search": f"{SCANNERS}?keyword=SEED",
    "scanners, filter": f"{SCANNERS}?status=PENDING",
    "labs": LABS,
    "labs, search": f"{LABS}?keyword=a",
    "labs, filter": f"{LABS}?country=KR",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.bench.many", description="A large organization beside a small."
    )
    parser.add_argument("--rounds", type=int, default=4)
    rounds = parser.parse_args().rounds
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        targets_by_size = [list(stack.enter_context(_targets(size, folder / str(size.users)))) for size in SIZES]
        targets = [target for pair in zip(*targets_by_size, strict=True) for target in pair]
        for target in targets:
            target.inspect()
        measure(targets, 1, seconds=1.0, rounds=rounds)
    print(f"{'page':<28}{'CPU ms':>8}{'bytes':>8}{'gzip':>7}{'calls':>7}{'SQL':>5}")
    for t in targets:
        size, packed = len(t.html), len(gzip.compress(t.html))
        print(f"{t.name:<28}{t.cpu(1):>8.2f}{size:>8}{packed:>7}{t.calls:>7}{t.queries:>5}")
    pairs = list(zip(targets[::2], targets[1::2], strict=True))
    print(
        f"The large one beside the small one, on {len(pairs)} pages: "
        f"other calls on {sum(few.calls != many.calls for few, many in pairs)}, "
        f"other queries on {sum(few.queries != many.queries for few, many in pairs)}, "
        f"at most {max(100 * (len(many.html) / len(few.html) - 1) for few, many in pairs):+.1f} % bytes, "
        f"at most {max(100 * (many.ratio(few, 1) - 1) for few, many in pairs):+.0f} % CPU"
    )


@contextmanager
def _targets(size: Size, folder: Path) -> Iterator[list[Target]]:
    """Start a console before a service of this size, and return its pages."""
    (port,) = free_ports(1)
    with SandboxProcess(data_dir=folder / "sandbox") as sandbox, recorded(sandbox) as (handler_port, api_port):
        for first in range(0, size.users, AT_ONCE):
            sandbox.seed(CLINIC, min(AT_ONCE, size.users - first))
        sandbox.seed_scanners(CLINIC, size.scanners)
        sandbox.seed_labs(size.labs)
        variables = demo.environment(
            port=port, handler_port=handler_port, api_port=api_port, data_dir=folder / "console"
        )
        demo.prepare(variables)
        with demo.ConsoleProcess(variables, workers=WORKERS, log=folder / "console.log") as console:
            assert console.process
            headers = {"Cookie": cookies(log_in(console.url)), "Accept": "text/html"}
            counts = {USERS: size.users, SCANNERS: size.scanners, LABS: size.labs}
            yield [
                Target(f"{name}, {counts[path.split('?')[0]]:,}", port, path, headers, console.process.pid, variables)
                for name, path in PAGES.items()
            ]


if __name__ == "__main__":
    main()
