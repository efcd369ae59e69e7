"""Count the SQL queries and upstream calls of one page within this process, and profile it.

Started by lab.bench.pages with the settings of the site to be measured.
"""

import cProfile
import gc
import json
import logging
import pstats
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from unittest.mock import patch

import django
from requests.adapters import HTTPAdapter

PROFILED = 300
"""Pages in one profile."""


@dataclass
class Counts:
    queries: int
    calls: int


def client(headers: Mapping[str, str]) -> Any:
    """A client of the site of DJANGO_SETTINGS_MODULE that needs no server."""
    django.setup()
    from django.test import Client

    return Client(headers={"host": "127.0.0.1", **headers})


def count(path: str, headers: Mapping[str, str]) -> Counts:
    """Request a page three times and count the last two, of which the lower one holds.

    The first request opens connections, and one a minute stores when the login was last seen.
    """
    caller = client(headers)
    _expect_page(caller.get(path))
    counted = [_counted(caller, path) for _ in range(2)]
    return Counts(min(one.queries for one in counted), min(one.calls for one in counted))


def _counted(caller: Any, path: str) -> Counts:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    send = HTTPAdapter.send
    with (
        CaptureQueriesContext(connection) as queries,
        patch.object(HTTPAdapter, "send", autospec=True, side_effect=send) as calls,
    ):
        _expect_page(caller.get(path))
    return Counts(len(queries), calls.call_count)


def profile(path: str, headers: Mapping[str, str]) -> None:
    """Print the most expensive functions, by own and cumulative time, to stderr: the log uses stdout."""
    caller = client(headers)
    for _ in range(10):
        _expect_page(caller.get(path))
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(PROFILED):
        caller.get(path)
    profiler.disable()
    for order in ("tottime", "cumulative"):
        pstats.Stats(profiler, stream=sys.stderr).sort_stats(order).print_stats(60)


def repeat(path: str, headers: Mapping[str, str], requests: int) -> None:
    """Request a page so many times, after what warms up, as lab.bench.instructions counts it."""
    caller = client(headers)
    logging.disable(logging.CRITICAL)
    for _ in range(15):
        _expect_page(caller.get(path))
    gc.collect()
    gc.freeze()
    for _ in range(requests):
        _expect_page(caller.get(path))


def _expect_page(response: Any) -> None:
    assert response.status_code == 200, response.status_code


if __name__ == "__main__":
    options = json.load(sys.stdin)
    if "--profile" in sys.argv:
        profile(**options)
    elif "--requests" in sys.argv:
        repeat(**options, requests=int(sys.argv[-1]))
    else:
        print(json.dumps(asdict(count(**options))))
