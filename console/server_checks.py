"""Checks of the variables that gunicorn.conf.py reads; `manage.py check --deploy` runs them before each start."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Error, register

PORT = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", re.ASCII)


@register(deploy=True)
def check_bind(**_options: Any) -> list[Error]:
    """Report an address without a host, for which gunicorn would listen on all networks, and an unusable socket."""
    if all(_can_listen(address.strip()) for address in settings.BIND.split(",")):
        return []
    wanted = "127.0.0.1:8000, or unix:/run/console/console.sock in a folder that is there"
    return [Error(f"BIND is an address such as {wanted}.", id="console.E001")]


@register(deploy=True)
def check_metrics(**_options: Any) -> list[Error]:
    """Report several workers without a folder: a scrape would get the counts of any one of them."""
    folder = settings.PROMETHEUS_MULTIPROC_DIR
    if not settings.METRICS_TOKEN or settings.WEB_CONCURRENCY == 1 or (folder and Path(folder).is_dir()):
        return []
    return [Error("METRICS_TOKEN needs a folder in PROMETHEUS_MULTIPROC_DIR for several workers.", id="console.E002")]


def _can_listen(address: str) -> bool:
    if port := PORT.fullmatch(address):
        return 0 < int(port[1]) < 65536
    path = Path(address.removeprefix("unix:"))
    return address.startswith("unix:/") and path.parent.is_dir() and (path.is_socket() or not path.exists())
