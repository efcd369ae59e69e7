"""Reading of the environment: each wrong value stops the start with one sentence that names the variable."""

import ipaddress
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from console.upstream.transport import Deadlines, TransportConfig

SECRET_LENGTH = 50
DEADLINES = "connect=2,read=10,write=20,refresh=8,request=25"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


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

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, default=str(default)).lower()
        if value not in ("true", "false", "1", "0"):
            raise ImproperlyConfigured(f"{name} is true or false.")
        return value in ("true", "1")

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
        keys = self.texts(name)
        for key in keys:
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
        for part in (DEADLINES + "," + self.text(name)).strip(",").split(","):
            key, _, number = part.partition("=")
            try:
                values[key.strip()] = float(number)
            except ValueError as error:
                raise ImproperlyConfigured(f"{name} looks like {DEADLINES}, in seconds.") from error
        if set(values) != {"connect", "read", "write", "refresh", "request"} or min(values.values()) <= 0:
            raise ImproperlyConfigured(f"{name} looks like {DEADLINES}, in seconds.")
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
            ca_bundle=self.text("UPSTREAM_CA_BUNDLE") or None,
            proxy=self.text("UPSTREAM_PROXY") or None,
            deadlines=self.deadlines("UPSTREAM_DEADLINES"),
            forgot_password_path=self.text("FORGOT_PASSWORD_PATH", default="/v1/bizOrganizationAdmins/forgotPassword"),
            environment=environment,
            variant=variant,
        )

    def _base_url(self, name: str, *, insecure: bool, required: bool) -> str:
        value = self.text(name, required=required).rstrip("/")
        parts = urlsplit(value)
        if value and not (
            parts.hostname
            and (parts.scheme == "https" or (insecure and parts.hostname in LOOPBACK and parts.scheme == "http"))
        ):
            raise ImproperlyConfigured(f"{name} is an https address (http only with UPSTREAM_INSECURE_LOOPBACK).")
        return value

    def server_locations(self, name: str) -> list[dict[str, str]]:
        try:
            value = json.loads(self.text(name, default="[]"))
            return [{"code": str(v["code"]), "label": str(v["label"]), "api_url": str(v["api_url"])} for v in value]
        except (ValueError, TypeError, KeyError) as error:
            raise ImproperlyConfigured(f"{name} is a JSON list of objects with code, label and api_url.") from error

    def database(self, name: str, data_dir: Path) -> dict[str, Any]:
        """SQLite in write-ahead mode unless DATABASE_URL says otherwise.

        Transactions are IMMEDIATE: a deferred one that first reads and then writes answers "database is locked" at
        once when another writer came between.
        """
        if url := self.text(name):
            return {**self._env.db_url_config(url), "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
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
