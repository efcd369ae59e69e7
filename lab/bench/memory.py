"""Measure a worker's memory under load: its share (PSS) after 1,000 requests and after many more.

    .venv/bin/python -m lab.bench.memory 100000

The requests go round through pages of each kind in all languages, so that every cache fills.
"""

import argparse
import http.client
import statistics
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from console.i18n.languages import TABLE
from console.ops import demo
from lab.bench.pages import OTHERS, USERS, WORKERS, cookies, log_in
from lab.bench.recorded import recorded
from sandbox.process import SandboxProcess, free_ports

FIRST = 1_000
CONNECTIONS = 48
"""Half as many again as both workers have threads, so that all of them work from the beginning: each has a connection
to the database and some to the service, and a thread that begins later is no leak."""
PATHS = (USERS, *OTHERS.values(), "/user-manage/user", "/scanner-manage", "/partner-manage/search", "/dashboard")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.bench.memory", description="What a worker's memory does under load."
    )
    parser.add_argument("requests", type=int, nargs="?", default=100_000)
    count = parser.parse_args().requests
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        data, (port,) = Path(folder), free_ports(1)
        with SandboxProcess(data_dir=data / "sandbox") as sandbox, recorded(sandbox) as (handler, api):
            variables = demo.environment(port=port, handler_port=handler, api_port=api, data_dir=data / "console")
            demo.prepare(variables)
            with demo.ConsoleProcess(variables, workers=WORKERS, log=data / "console.log") as console:
                assert console.process
                auth = log_in(console.url)
                early, few = _after(FIRST, port, auth, console.process.pid)
                late, many = _after(count - FIRST, port, auth, console.process.pid)
                main_share = _share(console.process.pid)
    print(f"after {FIRST:>9,} requests: {early:.1f} MB a worker ({few:.1f} threads)")
    print(f"after {count:>9,} requests: {late:.1f} MB a worker, {100 * (late / early - 1):+.1f} %, {many:.1f} threads")
    print(f"gunicorn's first process, from which they share: {main_share:.1f} MB")


def _after(count: int, port: int, auth: str, master: int) -> tuple[float, float]:
    """Send so many requests; return the megabytes and the threads of a worker, the mean of all."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        for sent in [pool.submit(_send, count // CONNECTIONS, port, auth, number) for number in range(CONNECTIONS)]:
            sent.result()
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    threads = statistics.mean(len(list(Path(f"/proc/{child}/task").iterdir())) for child in children)
    return statistics.mean(_share(int(child)) for child in children), threads


def _send(count: int, port: int, auth: str, first: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    wanted = list(product((language.tag for language in TABLE), PATHS))
    for number in range(count):
        tag, path = wanted[(first * 7 + number) % len(wanted)]
        headers = {"Cookie": cookies(auth), "Accept": "text/html", "Accept-Language": tag}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status not in (200, 302):  # the login leads on who is logged in
            raise SystemExit(f"{path} was answered {answer.status}")
    connection.close()


def _share(pid: int) -> float:
    """Return the megabytes that belong to a process: its own, and its part of what it shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    main()
