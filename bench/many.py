"""Compare the lists of clinics with ten thousand and with a hundred users, in one run; part of `make bench`."""

import gzip
import tempfile
from pathlib import Path

from bench.pages import WORKERS, Target, cookies, log_in, measure
from console import demo
from sandbox.process import SandboxProcess, free_ports

FEW, MANY = ("g-2", 100), ("g-3", 10_000)
QUERIES = {
    "first page": "",
    "search": "?keyword=a",
    "sort": "?sort=last_login_date&order=desc",
    "last page": "?page=99999",
}


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        SandboxProcess(data_dir=Path(folder) / "sandbox") as sandbox,
    ):
        for clinic, users in (FEW, MANY):
            sandbox.seed(clinic, users)
        (port,) = free_ports(1)
        variables = demo.environment(
            port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=Path(folder) / "console"
        )
        demo.prepare(variables)
        with demo.ConsoleProcess(variables, workers=WORKERS, log=Path(folder) / "console.log") as console:
            assert console.process
            headers = {"Cookie": cookies(log_in(console.url)), "Accept": "text/html"}
            targets = [
                Target(
                    f"{name}, {users:,}", port, f"/user-manage/clinic/{clinic}/user{query}", headers,
                    console.process.pid, variables,
                )
                for name, query in QUERIES.items()
                for clinic, users in (FEW, MANY)
            ]  # fmt: skip
            for target in targets:
                target.look()
            measure(targets, 1, seconds=1.0, rounds=4)
    print(f"{'page':<22}{'CPU ms':>8}{'bytes':>8}{'gzip':>7}{'calls':>7}{'SQL':>5}")
    for t in targets:
        size, packed = len(t.html), len(gzip.compress(t.html))
        print(f"{t.name:<22}{t.cpu(1):>8.2f}{size:>8}{packed:>7}{t.calls:>7}{t.queries:>5}")


if __name__ == "__main__":
    main()
