"""Reading of the environment: each wrong value stops the start with one sentence that names the variable."""

import ipaddress
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from console.upstream.errors import ForeignHost
from console.upstream.hosts import check_base_url
from console.upstream.transport import Deadlines, TransportConfig

SECRET_LENGTH = 50
DEADLINES = "connect=2,read=10,write=20,refresh=8,request=25"
LONGEST = 600
"""Seconds; a form that is being carried out is forgotten after an hour (console/forms/idempotency.py)."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
DERIVED = "derived"
"""In GRANT_KEYS: the key that follows from SECRET_KEY."""
GONE_HOST = {"connect_timeout": 3, "tcp_user_timeout": 10_000, "keepalives_idle": 5, "keepalives_interval": 2}
"""Options of libpq: after about ten seconds a host of PostgreSQL that has gone without a word is an error, and not a
thread that waits for the quarter of an hour that a kernel goes on sending."""


class Configuration:
    """The environment, typed."""

    def __init__(self, env: environ.Env) -> None:
        self._env = env

    def text(self, name: str, *, default: str = "", required: bool = False) -> str:
        value = str(self._env.str(name, default=default)).strip()
        if required and not value:
            raise ImproperlyConfigured(f"{name} is missing.")
        return value

    def texts(self, name: str) -> list[str]:
        return [part.strip() for part in self.text(name).split(",") if part.strip()]

    def hosts(self, name: str, *, default: list[str]) -> list[str]:
        """Exact host names: a pattern would let a foreign Host header through."""
        values = self.texts(name) or default
        if not values:
            raise ImproperlyConfigured(f"{name} is missing.")
        if any(value.startswith(".") or set(value) & set("*/@") for value in values):
            raise ImproperlyConfigured(f"{name} is a list of exact host names, without patterns and addresses.")
        return values

    def directory(self, name: str, *, default: Path) -> Path:
        """A folder that exists from now on."""
        path = Path(self.text(name, default=str(default))).resolve()
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ImproperlyConfigured(f"{name} is a folder that the console can make and write to.") from error
        return path

    def email(self, name: str, *, required: bool) -> str:
        value = self.text(name, required=required)
        if value and (value.count("@") != 1 or value != value.strip("@") or len(value.split()) > 1):
            raise ImproperlyConfigured(f"{name} is an email address.")
        return value

    def contact(self, name: str) -> str:
        """An address as RFC 9116 writes it: mailto:, or an https page; "" for none."""
        value = self.text(name)
        if value.startswith("https://") and value.isprintable() and len(value.split()) == 1:
            return value
        try:
            email = self.email(name, required=False)
        except ImproperlyConfigured as error:
            raise ImproperlyConfigured(f"{name} is an email address, or the https address of a page.") from error
        return email and f"mailto:{email}"

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, default=str(default)).lower()
        if value not in ("true", "false", "1", "0"):
            raise ImproperlyConfigured(f"{name} is true or false.")
        return value in ("true", "1")

    def count(self, name: str, *, default: int) -> int:
        text = self.text(name, default=str(default))
        if not (text.isascii() and text.isdigit() and int(text) > 0):
            raise ImproperlyConfigured(f"{name} is a whole number of at least 1.")
        return int(text)

    def choice(self, name: str, choices: tuple[str, ...], *, default: str) -> str:
        value = self.text(name, default=default)
        if value not in choices:
            raise ImproperlyConfigured(f"{name} is one of {', '.join(choices)}.")
        return value

    def secret_key(self, name: str, *, debug: bool) -> str:
        key = self.text(name)
        if len(key) >= SECRET_LENGTH:
            return key
        if debug and not key:
            return "development-only-" + "x" * SECRET_LENGTH
        raise ImproperlyConfigured(f"{name} is missing or shorter than {SECRET_LENGTH} characters.")

    def fernet_keys(self, name: str) -> list[str]:
        """Fernet keys; DERIVED stands for the one that follows from SECRET_KEY, which otherwise comes after them."""
        keys = self.texts(name)
        for key in set(keys) - {DERIVED}:
            try:
                Fernet(key)
            except ValueError as error:
                raise ImproperlyConfigured(f"{name} holds a key that is not a Fernet key.") from error
        return keys

    def proxies(self, name: str) -> list[str]:
        """[] for none, ["unix"], or networks in CIDR form."""
        values = self.texts(name)
        if values in ([], ["none"]):
            return []
        if values == ["unix"]:
            return values
        try:
            return [str(ipaddress.ip_network(value)) for value in values]
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} is none, unix, or a list of networks such as 10.0.0.0/8.") from error

    def deadlines(self, name: str) -> Deadlines:
        values = {}
        wrong = f"{name} looks like {DEADLINES}, in seconds, each at most {LONGEST}."
        for part in (DEADLINES + "," + self.text(name)).strip(",").split(","):
            key, _, number = part.partition("=")
            try:
                values[key.strip()] = float(number)
            except ValueError as error:
                raise ImproperlyConfigured(wrong) from error
        known = {"connect", "read", "write", "refresh", "request"}
        if set(values) != known or not all(0 < value <= LONGEST for value in values.values()):
            raise ImproperlyConfigured(wrong)
        return Deadlines(**values)

    def upstream(self, *, variant: str, environment: str) -> TransportConfig:
        insecure = self.flag("UPSTREAM_INSECURE_LOOPBACK", default=False)
        if insecure and environment == "prod":
            raise ImproperlyConfigured("UPSTREAM_INSECURE_LOOPBACK can't be true when CONSOLE_ENV is prod.")
        return TransportConfig(
            handler_url=self._base_url("DOMAIN_HANDLER_URL", insecure=insecure, required=variant == "global"),
            api_url=self._base_url("API_URL", insecure=insecure, required=variant == "china"),
            allowed_hosts=tuple(self.texts("ALLOWED_UPSTREAM_HOSTS")),
            insecure_loopback=insecure,
            ca_bundle=self._existing("UPSTREAM_CA_BUNDLE"),
            proxy=self._proxy("UPSTREAM_PROXY"),
            deadlines=self.deadlines("UPSTREAM_DEADLINES"),
            forgot_password_path=self._path("FORGOT_PASSWORD_PATH", "/v1/bizOrganizationAdmins/forgotPassword"),
            environment=environment,
            variant=variant,
        )

    def _base_url(self, name: str, *, insecure: bool, required: bool) -> str:
        value = self.text(name, required=required).rstrip("/")
        if value and not _is_base(value, insecure=insecure):
            raise ImproperlyConfigured(
                f"{name} is an https address without user name and query (http only with UPSTREAM_INSECURE_LOOPBACK)."
            )
        return value

    def _existing(self, name: str) -> str | None:
        value = self.text(name)
        if value and not Path(value).exists():
            raise ImproperlyConfigured(f"{name} is a file or a folder that exists.")
        return value or None

    def _proxy(self, name: str) -> str | None:
        value = self.text(name)
        if value and not value.startswith(("http://", "https://")):
            raise ImproperlyConfigured(f"{name} is an address that starts with http:// or https://.")
        return value or None

    def _path(self, name: str, default: str) -> str:
        value = self.text(name, default=default)
        if not value.startswith("/"):
            raise ImproperlyConfigured(f"{name} is a path that starts with /.")
        return value

    def server_locations(self, name: str, upstream: TransportConfig) -> list[dict[str, str]]:
        """Where a new organization can be; each address must be one that may be called."""
        try:
            value = json.loads(self.text(name, default="[]"))
            if not isinstance(value, list):
                raise TypeError("not a list")
            found = [
                {"code": str(v["code"]), "label": str(v.get("label", "")), "api_url": str(v["api_url"])} for v in value
            ]
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            expected = "a JSON list of objects with code, api_url and, where the country's name is not right, label"
            raise ImproperlyConfigured(f"{name} is {expected}.") from error
        if len({row["code"] for row in found}) < len(found):
            raise ImproperlyConfigured(f"{name} has a code twice: give each location a code of its own.")
        return [{**row, "api_url": _callable(name, row, upstream)} for row in found]

    def database(self, name: str, data_dir: Path) -> dict[str, Any]:
        """SQLite in write-ahead mode unless DATABASE_URL says otherwise.

        Transactions are IMMEDIATE: a deferred one that first reads and then writes answers "database is locked" at
        once when another writer came between.
        """
        if url := self.text(name):
            if not url.startswith(("postgres://", "postgresql://")):
                raise ImproperlyConfigured(f"{name} is an address such as postgres://user:password@host:5432/name.")
            try:
                config = self._env.db_url_config(url)
            except ValueError as error:
                raise ImproperlyConfigured(f"{name} can't be read as an address.") from error
            options = GONE_HOST | dict(config.pop("OPTIONS", {}))
            return {**config, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(data_dir / "console.sqlite3"),
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
            },
            # Threads of one test process share a file, as workers do; an in-memory database would not lock alike.
            "TEST": {"NAME": str(data_dir / "test.sqlite3")},
        }


def _callable(name: str, location: dict[str, str], upstream: TransportConfig) -> str:
    try:
        return check_base_url(location["api_url"], upstream)
    except ForeignHost as error:
        raise ImproperlyConfigured(
            f"{name} has an api_url for {location['code']} that may not be called: add its host to "
            "ALLOWED_UPSTREAM_HOSTS, or correct the address (https, without user name and port)."
        ) from error


def _is_base(url: str, *, insecure: bool) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # a port that is none raises
    except ValueError:
        return False
    if not host or parts.username is not None or parts.query or parts.fragment:
        return False
    return parts.scheme == "https" or (insecure and parts.scheme == "http" and host in LOOPBACK)
