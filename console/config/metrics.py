"""Metrics of this process: counts and durations.

/metrics returns those of all workers, from the files of prometheus_client's multiprocess mode if
PROMETHEUS_MULTIPROC_DIR is set.

Labels are names of routes and calls, never addresses: their number is limited, and they contain no personal data. Each
name is explained in docs/monitoring.md.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, time

from prometheus_client import Counter, Gauge, Histogram

from upstream.calls import NotRenewed

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25)
"""Seconds; the last is the longest time that a request may take."""

requests = Counter("console_requests", "Requests answered", ["route", "method", "status"])
request_seconds = Histogram("console_request_seconds", "Time of an answer", ["route"], buckets=BUCKETS)
in_progress = Gauge("console_requests_in_progress", "Requests being answered", multiprocess_mode="livesum")
upstream_calls = Counter("console_upstream_calls", "Calls to the service, by how they ended", ["call", "outcome"])
upstream_seconds = Histogram("console_upstream_seconds", "Time of a call to the service", ["call"], buckets=BUCKETS)
breaker_openings = Counter("console_breaker_openings", "Times that a worker stopped calling a host that fails")
breaker_open_until = Gauge(
    "console_breaker_open_until_seconds", "When calls go on (Unix time)", multiprocess_mode="livemax"
)
refreshes = Counter("console_refreshes", "Refreshes of tokens, by how they ended", ["outcome"])
lease_seconds = Histogram("console_refresh_lease_seconds", "Time that a refresh held its lease", buckets=BUCKETS)
waiting = Gauge("console_refresh_waiting", "Requests that wait for another one's refresh", multiprocess_mode="livesum")
throttled = Counter("console_throttled", "Attempts that were refused because there were too many", ["action"])
unstored = Counter("console_unstored_writes", "Writes that the database did not take")
activity_not_stored = Counter("console_activity_not_stored", "Acts whose entry the database did not take")
workers = Gauge("console_workers", "Workers that serve", multiprocess_mode="livesum")


def count_request(*, route: str, method: str, status: int, seconds: float) -> None:
    """Count a response. Without a route it is a file, or the request was refused early."""
    requests.labels(route or "none", method if method in METHODS else "other", str(status)).inc()
    request_seconds.labels(route or "none").observe(seconds)


def count_call(*, call: str, outcome: str, seconds: float) -> None:
    """Count a call to the service; `call` is method and path as in the contract."""
    upstream_calls.labels(call, outcome).inc()
    upstream_seconds.labels(call).observe(seconds)


@contextmanager
def refresh() -> Iterator[None]:
    """Count a refresh of tokens by its outcome, and measure how long it holds its lease."""
    started, outcome = monotonic(), "ok"
    try:
        yield
    except Exception as error:
        outcome = str(error.failure) if isinstance(error, NotRenewed) else type(error).__name__
        raise
    finally:
        refreshes.labels(outcome).inc()
        lease_seconds.observe(monotonic() - started)


def count_opening(seconds: float) -> None:
    """Count that this worker stops calling a host for this time."""
    breaker_openings.inc()
    breaker_open_until.set(time() + seconds)
