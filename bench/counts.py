"""One page inside this process: its SQL queries, its upstream calls, and where its time goes.

Started by bench.pages with the settings of the site that it looks at.
"""

import cProfile
import json
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
    """A caller of the site of DJANGO_SETTINGS_MODULE that needs no server."""
    django.setup()
    from django.test import Client

    return Client(headers={"host": "127.0.0.1", **headers})


def count(path: str, headers: Mapping[str, str]) -> Counts:
    """Ask for a page twice, and count during the second time: the first one opens connections."""
    caller = client(headers)
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    _expect_page(caller.get(path))
    send = HTTPAdapter.send
    with (
        CaptureQueriesContext(connection) as queries,
        patch.object(HTTPAdapter, "send", autospec=True, side_effect=send) as calls,
    ):
        _expect_page(caller.get(path))
    return Counts(len(queries), calls.call_count)


def profile(path: str, headers: Mapping[str, str]) -> None:
    """Print the functions that cost most, by their own time and with what they call; to stderr, the log has stdout."""
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


def _expect_page(response: Any) -> None:
    assert response.status_code == 200, response.status_code


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    if "--profile" in sys.argv:
        profile(**asked)
    else:
        print(json.dumps(asdict(count(**asked))))
