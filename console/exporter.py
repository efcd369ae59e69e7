"""The process that tells the metrics of all workers and what the database holds, on a loopback port.

A process of its own, so that it answers while every thread of the console is busy.
"""

import logging
import select
import sys
from collections.abc import Iterable
from math import inf

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

import console
from console.forms.drafts import KEPT
from console.forms.idempotency import in_progress
from console.grants.limits import ended
from console.grants.models import Grant
from console.metric_files import AllCounts
from console.models import Attempt, Draft, Edit, EditVersion, Purge

logger = logging.getLogger(__name__)


class Stored(Collector):
    """What the database holds, and what runs here. A database that can't be read is told as that.

    Each scrape has a thread of its own, whose connection is closed with it, unless `close` says otherwise.
    """

    def __init__(self, *, close: bool = True) -> None:
        self._close = close

    def collect(self) -> Iterable[GaugeMetricFamily]:
        built = GaugeMetricFamily(
            "console_build_info", "What runs here", labels=["version", "commit", "environment", "variant"]
        )
        build = [console.__version__, settings.BUILD_COMMIT, settings.CONSOLE_ENV, settings.CONSOLE_VARIANT]
        built.add_metric(build, 1)
        yield built
        wanted = settings.WEB_CONCURRENCY
        yield GaugeMetricFamily("console_workers_configured", "Workers that there should be", value=wanted)
        try:
            rows = list(self._rows())
        except DatabaseError:
            rows = []
        finally:
            if self._close:
                connection.close()
        yield GaugeMetricFamily("console_database_up", "Whether the database could be read", value=bool(rows))
        yield from rows

    def _rows(self) -> Iterable[GaugeMetricFamily]:
        # What has ended is counted by none of these: its row may stay until the next clean-up.
        now = timezone.now()
        sessions = GaugeMetricFamily("console_sessions", "Logins that are kept", labels=["kind"])
        lasting = Grant.objects.exclude(ended(now))
        sessions.add_metric(["kept"], lasting.filter(persistent=True).count())
        sessions.add_metric(["browser"], lasting.filter(persistent=False).count())
        yield sessions
        kept = Draft.objects.filter(created_at__gt=now - KEPT).count()
        yield GaugeMetricFamily("console_drafts", "Forms kept for after a login", value=kept)
        yield GaugeMetricFamily("console_forms_in_progress", "Forms being carried out", value=in_progress())
        blocked = Attempt.objects.filter(blocked_until__gt=now).count()
        yield GaugeMetricFamily("console_throttles", "Emails and networks that have to wait", value=blocked)
        version = EditVersion.objects.values_list("number", flat=True).first()
        yield GaugeMetricFamily("console_texts_version", "Changes of texts by translators", value=version or 0)
        waiting = Edit.objects.filter(state__in=Edit.OPEN).count()
        yield GaugeMetricFamily("console_texts_waiting", "Texts that are kept and not published", value=waiting)
        purged = Purge.objects.values_list("finished_at", flat=True).first()
        age = (now - purged).total_seconds() if purged else inf
        yield GaugeMetricFamily("console_purge_age_seconds", "Time since expired rows were last deleted", value=age)


def serve(port: int) -> None:
    """Tell the metrics at http://127.0.0.1:PORT/metrics until standard input ends, as it does with gunicorn.

    A port that can't be had is waited for: the console must not go unwatched until somebody restarts it.
    """
    registry = CollectorRegistry()
    AllCounts(registry)  # type: ignore[no-untyped-call]
    registry.register(Stored())
    waits = False
    while True:
        try:
            server, thread = start_http_server(port, addr="127.0.0.1", registry=registry)
            break
        except OSError as error:
            if not waits:
                logger.warning("the metrics wait for port %s: %s", port, error.strerror)
            waits = True
        if select.select([sys.stdin], [], [], 1)[0]:
            return
    sys.stdin.read()
    server.shutdown()
    thread.join()
