"""The host policy: which addresses in domain data may be called, and which dashboard may be shown."""

import re
from functools import lru_cache

from upstream.config import TransportConfig
from upstream.errors import ForeignHost

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PATH = r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?"  # no segment starts with a dot, so none leads upward
HOST = rf"{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f]*:[0-9a-f:.]+\]"
_WHOLE_HOST = re.compile(HOST)
"""A host as an operator may name one: a name, or an address of either kind, in small letters."""
_OPERATOR_URL = re.compile(rf"(?i:https?://(?:{HOST}))(?::(?P<port>\d{{1,5}}))?{_PATH}")
_PROXY = re.compile(rf"(?i:https?://)(?:[^\s/@]+@)?(?i:{HOST})(?::(?P<port>\d{{1,5}}))?/?")
_WHOLE_PATH = re.compile(_PATH)
_PUBLIC = re.compile(rf"(?i:https)://(?P<host>(?i:{_LABEL}(?:\.{_LABEL})+))(?::443)?(?P<path>{_PATH})")
_DASHBOARD = re.compile(rf"{_PUBLIC.pattern}(?P<query>\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?")
MAX_DASHBOARD_URL_LENGTH = 2048
_LOOPBACK = re.compile(
    rf"(?i:http)://(?P<host>(?i:localhost)|127\.0\.0\.1|\[::1\])(?P<port>:\d{{1,5}})?(?P<path>{_PATH})"
)
_NUMERIC = re.compile(r"(?:\d+|0x[0-9a-f]*)")  # some resolvers read a host with such a last label as an IP


def is_host(text: str) -> bool:
    """Return whether a text is an exact name of a host, or an IPv6 address in brackets."""
    return bool(_WHOLE_HOST.fullmatch(text.lower()))


def is_operator_url(url: str, *, insecure_loopback: bool) -> bool:
    """Return whether an operator's address can be called: https with any host and port, or http on loopback."""
    is_secure = url.lower().startswith("https:") or (insecure_loopback and bool(_LOOPBACK.fullmatch(url)))
    return is_secure and _has_usable_port(_OPERATOR_URL.fullmatch(url))


def is_proxy(url: str) -> bool:
    """Return whether a text is the address of a proxy, which may have a user name and a password."""
    return _has_usable_port(_PROXY.fullmatch(url))


def is_path(text: str) -> bool:
    """Return whether a text is the path of a call: it starts with a slash, and no segment goes up."""
    return len(text) > 1 and bool(_WHOLE_PATH.fullmatch(text))


@lru_cache(maxsize=256)
def check_base_url(url: str, config: TransportConfig) -> str:
    """Return the normalized base address, or raise ForeignHost.

    Allowed are the configured API address; https, without a user name or a port other than 443, on a host that equals
    a suffix in `allowed_hosts` or is a subdomain of one; and http on loopback if the configuration permits it.
    Anything that does not match the strict grammar of this module is foreign, however a URL parser would read it.
    """
    if url and url == config.api_url:
        return url.rstrip("/")
    if (match := _PUBLIC.fullmatch(url)) and _is_allowed(host := match["host"].lower(), config.allowed_hosts):
        return f"https://{host}{match['path']}".rstrip("/")
    if config.insecure_loopback and (match := _LOOPBACK.fullmatch(url)):
        return f"http://{match['host'].lower()}{match['port'] or ''}{match['path']}".rstrip("/")
    raise ForeignHost("an address that is not on the allow list")


def dashboard_address(url: str, allowed: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the normalized address of a dashboard and its origin, or None for one that is not shown.

    Shown is https on a host of `allowed` or below it, without a user name, a port other than 443, or a fragment
    (conformance VA-24). Nothing is ever sent there by us.
    """
    if len(url) > MAX_DASHBOARD_URL_LENGTH or not (match := _DASHBOARD.fullmatch(url)):
        return None
    host = match["host"].lower()
    if not _is_allowed(host, allowed):
        return None
    return f"https://{host}{match['path']}{match['query'] or ''}", f"https://{host}"


def get_host(url: str) -> str:
    """Return the host of an address of domain data, or "" if it has none."""
    match = _PUBLIC.fullmatch(url)
    return match["host"].lower() if match else ""


def _has_usable_port(match: re.Match[str] | None) -> bool:
    return match is not None and 0 < int(match["port"] or 443) < 65536


def _is_allowed(host: str, suffixes: tuple[str, ...]) -> bool:
    if len(host) > 253 or _NUMERIC.fullmatch(host.rpartition(".")[2]):
        return False
    allowed = (suffix.strip().lower().removeprefix(".") for suffix in suffixes)
    return any(host == suffix or host.endswith(f".{suffix}") for suffix in allowed)
