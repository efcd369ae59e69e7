"""/metrics, for Prometheus: the counts of all workers, and gauges from the database at the time of the scrape."""

import logging
import struct
from collections.abc import Iterable
from math import inf

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

import console
from console.forms.drafts import DRAFT_TTL
from console.forms.idempotency import in_progress
from console.models import Attempt, Draft, Edit, EditVersion, Purge
from console.sessions.expiry import ended
from console.sessions.models import Grant
from console.web.access import public
from console.web.request import ConsoleRequest

logger = logging.getLogger(__name__)

UNREADABLE = (OSError, RuntimeError, ValueError, struct.error)
"""Errors of prometheus_client for an incomplete file of counts."""


@public
def metrics(request: ConsoleRequest) -> HttpResponse:
    """Return the metrics if METRICS_TOKEN is the request's bearer token; 404 if none is configured."""
    if not settings.METRICS_TOKEN:
        return HttpResponse("Metrics are off.\n", status=404, content_type="text/plain")
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    registry = CollectorRegistry()
    registry.register(Stored())
    if settings.PROMETHEUS_MULTIPROC_DIR:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    try:
        text = generate_latest(registry)
    except UNREADABLE as error:  # a worker is creating its files, or one is damaged
        logger.warning("the counts of a worker can't be read: %s", type(error).__name__)
        return HttpResponse("The counts of a worker can't be read.\n", status=503, content_type="text/plain")
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


class Stored(Collector):
    """Build information, and gauges from the database; an unreadable database is reported as down."""

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
        yield GaugeMetricFamily("console_database_up", "Whether the database could be read", value=bool(rows))
        yield from rows

    def _rows(self) -> Iterable[GaugeMetricFamily]:
        # Expired rows are not counted: they may stay until the next purge.
        now = timezone.now()
        sessions = GaugeMetricFamily("console_sessions", "Logins that are kept", labels=["kind"])
        lasting = Grant.objects.exclude(ended(now))
        sessions.add_metric(["kept"], lasting.filter(persistent=True).count())
        sessions.add_metric(["browser"], lasting.filter(persistent=False).count())
        yield sessions
        drafts = Draft.objects.filter(created_at__gt=now - DRAFT_TTL).count()
        yield GaugeMetricFamily("console_drafts", "Forms kept for after a login", value=drafts)
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
