"""The host policy: which addresses of domain data may be called at all."""

import re
from functools import lru_cache

from console.upstream.config import TransportConfig
from console.upstream.errors import ForeignHost

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PATH = r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?"  # no segment starts with a dot, so none climbs up
_PUBLIC = re.compile(rf"(?i:https)://(?P<host>(?i:{_LABEL}(?:\.{_LABEL})+))(?::443)?(?P<path>{_PATH})")
_LOOPBACK = re.compile(
    rf"(?i:http)://(?P<host>(?i:localhost)|127\.0\.0\.1|\[::1\])(?P<port>:\d{{1,5}})?(?P<path>{_PATH})"
)
_NUMERIC = re.compile(r"(?:\d+|0x[0-9a-f]*)")  # a last label like this makes the host an IP address to some resolvers


@lru_cache(maxsize=256)
def check_base_url(url: str, config: TransportConfig) -> str:
    """Return the base address in its plain form, or raise ForeignHost.

    Allowed are: the configured API address; https without user name, without a port other than 443, on a host equal
    to or under a suffix of `allowed_hosts`; and http on loopback when the configuration says so. What does not match
    the narrow grammar of this module is foreign, whatever a URL parser would make of it.
    """
    if url and url == config.api_url:
        return url.rstrip("/")
    if (found := _PUBLIC.fullmatch(url)) and _is_allowed(host := found["host"].lower(), config.allowed_hosts):
        return f"https://{host}{found['path']}".rstrip("/")
    if config.insecure_loopback and (found := _LOOPBACK.fullmatch(url)):
        return f"http://{found['host'].lower()}{found['port'] or ''}{found['path']}".rstrip("/")
    raise ForeignHost("an address that is not on the allow list")


def _is_allowed(host: str, suffixes: tuple[str, ...]) -> bool:
    if len(host) > 253 or _NUMERIC.fullmatch(host.rpartition(".")[2]):
        return False
    allowed = (suffix.strip().lower().removeprefix(".") for suffix in suffixes)
    return any(host == suffix or host.endswith(f".{suffix}") for suffix in allowed)
