"""System checks of the variables: each error is a sentence that begins with the variable's name."""

import re
import ssl
from collections.abc import Callable, Iterator
from dataclasses import astuple
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error, register, run_checks
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import URLValidator, validate_email

from console.config.environment import DEADLINES, DERIVED, EXPECTED
from upstream.errors import ForeignHost
from upstream.hosts import check_base_url, is_host, is_operator_url, is_path, is_proxy

PORT = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", re.ASCII)
VARIABLES = "variables"
"""The tag of these checks."""
CHOICES = {
    "CONSOLE_ENV": ("dev", "stage", "prod"),
    "CONSOLE_VARIANT": ("global", "china"),
    "DASHBOARD_MODE": ("frame", "link"),
    "SESSION_COOKIE_NAME": ("auth", "__Host-auth"),
}
HASHED_ROOT = re.compile(r"[0-9a-f]{8}\.\d+")
"""The name of a certificate in a folder of roots, as `openssl rehash` makes it."""


@register(VARIABLES)
def variables_are_right(**options: Any) -> list[CheckMessage]:
    """Check each variable, and combinations of several variables."""
    return [Error(f"{name} {rule}.", id="variables.E001") for name, is_right, rule in _rules() if not is_right]


def refuse_wrong_variables() -> None:
    """Raise ImproperlyConfigured with the sentences of the errors: gunicorn runs no system checks."""
    if errors := run_checks(tags=[VARIABLES], include_deployment_checks=True):
        raise ImproperlyConfigured("\n".join(error.msg for error in errors))


def _rules() -> Iterator[tuple[str, object, str]]:
    """Yield the name of a variable, whether it is right, and the rule."""
    upstream, locations = settings.UPSTREAM, settings.SERVER_LOCATIONS
    for name, choices in CHOICES.items():
        yield name, getattr(settings, name) in choices, f"is one of {', '.join(choices)}"
    for name in ("WEB_CONCURRENCY", "WEB_THREADS", "ACTIVITY_DAYS"):
        yield name, 1 <= getattr(settings, name) <= 1000, f"is {EXPECTED[int]}"
    if settings.IS_PROD:
        yield "DEBUG", not settings.DEBUG, "can't be true when CONSOLE_ENV is prod"
        yield "CONSOLE_HTTPS", settings.CONSOLE_HTTPS, "can't be false when CONSOLE_ENV is prod"
        yield "UPSTREAM_INSECURE_LOOPBACK", not upstream.insecure_loopback, "can't be true when CONSOLE_ENV is prod"
        yield "SUPPORT_EMAIL", settings.SUPPORT_EMAIL, "is missing"

    yield "SECRET_KEY", len(settings.SECRET_KEY) >= 50, "is missing or shorter than 50 characters"
    is_right = all(len(key) >= 50 for key in settings.SECRET_KEY_FALLBACKS)
    yield "SECRET_KEY_FALLBACKS", is_right, "holds a key that is shorter than 50 characters"
    is_right = _pass(Fernet, *(key for key in settings.GRANT_KEYS if key != DERIVED))
    yield "GRANT_KEYS", is_right, "holds a key that is not a Fernet key"
    is_right = settings.TRUSTED_PROXY == ["unix"] or _pass(ip_network, *settings.TRUSTED_PROXY)
    yield "TRUSTED_PROXY", is_right, "is none, unix, or a list of networks such as 10.0.0.0/8"
    is_right = not settings.SUPPORT_EMAIL or _pass(validate_email, settings.SUPPORT_EMAIL)
    yield "SUPPORT_EMAIL", is_right, "is an email address"
    contact = settings.SECURITY_CONTACT
    is_right = not contact or _pass(validate_email, contact) or _pass(URLValidator(["https"]), contact)
    yield "SECURITY_CONTACT", is_right, "is an email address, or the https address of a page"

    is_right = settings.ALLOWED_HOSTS and all(map(is_host, settings.ALLOWED_HOSTS))
    yield "ALLOWED_HOSTS", is_right, "is a list of exact host names, without patterns, ports and addresses"
    suffixes = {"ALLOWED_UPSTREAM_HOSTS": upstream.allowed_hosts}
    for name, hosts in (suffixes | {"ALLOWED_DASHBOARD_HOSTS": settings.ALLOWED_DASHBOARD_HOSTS}).items():
        is_right = all(is_host(host.removeprefix(".")) for host in hosts)
        yield name, is_right, "is a list of host names, without patterns, ports and addresses"
    required = "API_URL" if settings.CONSOLE_VARIANT == "china" else "DOMAIN_HANDLER_URL"
    for name, url in {"DOMAIN_HANDLER_URL": upstream.handler_url, "API_URL": upstream.api_url}.items():
        yield name, url or name != required, "is missing"
        is_right = not url or is_operator_url(url, insecure_loopback=upstream.insecure_loopback)
        rule = "is an https address without user name and query (http only with UPSTREAM_INSECURE_LOOPBACK)"
        yield name, is_right, rule
    yield (
        "FORGOT_PASSWORD_PATH",
        is_path(upstream.forgot_password_path),
        "is a path that starts with /, without a query",
    )
    is_right = not upstream.proxy or is_proxy(upstream.proxy)
    yield "UPSTREAM_PROXY", is_right, "is the address of a proxy: http:// or https://, and its host"
    is_right = not upstream.ca_bundle or _pass(_read_roots, upstream.ca_bundle)
    yield "UPSTREAM_CA_BUNDLE", is_right, "is a file of TLS roots (PEM), or a folder of them (openssl rehash)"
    # Stored forms are purged after an hour (console/forms/idempotency.py).
    is_right = all(0.01 <= seconds <= 600 for seconds in astuple(upstream.deadlines))
    yield "UPSTREAM_DEADLINES", is_right, f"looks like {DEADLINES}, in seconds, each from 0.01 to 600"
    is_right = len({row["code"] for row in locations}) == len(locations)
    yield "SERVER_LOCATIONS", is_right, "has a code twice: give each location a code of its own"
    for row in locations:
        is_right = _pass(lambda url: check_base_url(url, upstream), row["api_url"])
        rule = f"has an api_url for {row['code']} that may not be called: add its host to ALLOWED_UPSTREAM_HOSTS"
        yield "SERVER_LOCATIONS", is_right, rule + ", or correct the address (https, without user name and port)"


def _pass(check: Callable[[str], object], *values: str) -> bool:
    """Return whether a function that raises an error for wrong values takes these."""
    try:
        for value in values:
            check(value)
    except (ValueError, OSError, ValidationError, ForeignHost):
        return False
    return True


def _read_roots(name: str) -> None:
    """Raise OSError or ValueError unless there are TLS roots in a file or folder."""
    path = Path(name)
    if not path.is_dir():
        ssl.create_default_context(cafile=path)
    elif not any(HASHED_ROOT.fullmatch(file.name) for file in path.iterdir()):
        raise ValueError("no root")


@register(VARIABLES, deploy=True)
def check_bind(**_options: Any) -> list[Error]:
    """Report an address without a host, for which gunicorn would listen on all networks, and an unusable socket."""
    if all(_can_listen(address.strip()) for address in settings.BIND.split(",")):
        return []
    wanted = "127.0.0.1:8000, or unix:/run/console/console.sock in a folder that is there"
    return [Error(f"BIND is an address such as {wanted}.", id="console.E001")]


@register(VARIABLES, deploy=True)
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
