"""Reading of the environment: each wrong value stops the start with one sentence that names the variable."""

import io
import ipaddress
import re
import ssl
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import environ
import msgspec
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from console.upstream.errors import ForeignHost
from console.upstream.hosts import HOST, check_base_url, is_own_address, is_path
from console.upstream.transport import Deadlines, TransportConfig

SECRET_LENGTH = 50
DEADLINES = "connect=2,read=10,write=20,refresh=8,request=25"
SHORTEST, LONGEST = 0.01, 600
"""Seconds; a form that is being carried out is forgotten after an hour (console/forms/idempotency.py)."""
MOST_WORKERS = 1000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
DERIVED = "derived"
"""In GRANT_KEYS: the key that follows from SECRET_KEY."""
GONE_HOST = {"connect_timeout": 3, "tcp_user_timeout": 10_000, "keepalives_idle": 5, "keepalives_interval": 2}
"""Options of libpq: after about ten seconds a host of PostgreSQL that has gone without a word is an error, and not a
thread that waits for the quarter of an hour that a kernel goes on sending."""
LOCKED = "-c lock_timeout=20s"
"""What somebody else has locked in PostgreSQL is an error after this, as in SQLite; no thread waits for ever."""
PROXY = re.compile(rf"https?://(?:[^\s/@]+@)?(?:{HOST})(?::\d{{1,5}})?/?", re.IGNORECASE)
PAGE = re.compile(rf"https://(?:{HOST})(?::\d{{1,5}})?(?:[/?#][!-~]*)?", re.IGNORECASE)
ROOTS = re.compile(r"[0-9a-f]{8}\.\d+")
"""The name of a certificate in a folder of roots: its hash, as `openssl rehash` gives it."""
HOST_NAME = re.compile(HOST)
ENV_LINE = re.compile(r"(?:export )?[A-Za-z_0-9]+=")
COUNT = re.compile("[0-9]{1,4}")
SECONDS = re.compile("[0-9]{1,9}")


class Location(msgspec.Struct, frozen=True):
    """One of SERVER_LOCATIONS."""

    code: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
    api_url: str
    label: str = ""


def read_env_file(env: environ.Env, path: Path) -> None:
    """Add the variables of a file to the environment; those that are set already stay.

    Raises ImproperlyConfigured where the file can't be read. No error or warning quotes a line: it may hold a secret.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return
    except OSError as error:
        raise ImproperlyConfigured(f"{path.name} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ImproperlyConfigured(f"{path.name} is not encoded as UTF-8. Save it as UTF-8 text.") from None
    lines = [line.strip() for line in text.splitlines()]
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#") and not ENV_LINE.match(line):
            raise ImproperlyConfigured(f"Line {number} of {path.name} is not of the form NAME=value.")
    env.read_env(io.StringIO("\n".join(line for line in lines if ENV_LINE.match(line))))


class Configuration:
    """The environment, typed."""

    def __init__(self, env: environ.Env) -> None:
        self._env = env

    def text(self, name: str, *, default: str = "", required: bool = False) -> str:
        """Return a value as it stands there: environ itself takes "$NAME" for another variable, or for none."""
        value = str(self._env.ENVIRON.get(name, default)).strip()
        if required and not value:
            raise ImproperlyConfigured(f"{name} is missing.")
        if not value.isprintable():
            raise ImproperlyConfigured(f"{name} has a character that can't be printed, such as the end of a line.")
        return value

    def texts(self, name: str) -> list[str]:
        return [part.strip() for part in self.text(name).split(",") if part.strip()]

    def hosts(self, name: str, *, default: list[str]) -> list[str]:
        """Exact host names: a pattern would let a foreign Host header through."""
        values = self.texts(name) or default
        if not values:
            raise ImproperlyConfigured(f"{name} is missing.")
        if not all(HOST_NAME.fullmatch(value.lower()) for value in values):
            raise ImproperlyConfigured(f"{name} is a list of exact host names, without patterns, ports and addresses.")
        return values

    def suffixes(self, name: str) -> list[str]:
        """Hosts that are allowed with all below them."""
        values = self.texts(name)
        if not all(HOST_NAME.fullmatch(value.lower().removeprefix(".")) for value in values):
            raise ImproperlyConfigured(f"{name} is a list of host names, without patterns, ports and addresses.")
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
        if value := self.text(name, required=required):
            try:
                validate_email(value)
            except ValidationError:
                raise ImproperlyConfigured(f"{name} is an email address.") from None
        return value

    def contact(self, name: str) -> str:
        """An address as RFC 9116 writes it: mailto:, or an https page; "" for none."""
        value = self.text(name)
        if PAGE.fullmatch(value) and _has_usable_port(value):
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
        if not (COUNT.fullmatch(text) and 0 < int(text) <= MOST_WORKERS):
            raise ImproperlyConfigured(f"{name} is a whole number from 1 to {MOST_WORKERS}.")
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

    def secret_keys(self, name: str) -> list[str]:
        """Former values of SECRET_KEY."""
        keys = self.texts(name)
        if any(len(key) < SECRET_LENGTH for key in keys):
            raise ImproperlyConfigured(
                f"{name} holds a key that is shorter than {SECRET_LENGTH} characters: none was ever allowed."
            )
        return keys

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
        wrong = f"{name} looks like {DEADLINES}, in seconds, each from {SHORTEST} to {LONGEST}."
        for part in (DEADLINES + "," + self.text(name)).strip(",").split(","):
            key, _, number = part.partition("=")
            try:
                values[key.strip()] = float(number)
            except ValueError as error:
                raise ImproperlyConfigured(wrong) from error
        known = {"connect", "read", "write", "refresh", "request"}
        if set(values) != known or not all(SHORTEST <= value <= LONGEST for value in values.values()):
            raise ImproperlyConfigured(wrong)
        return Deadlines(**values)

    def upstream(self, *, variant: str, environment: str) -> TransportConfig:
        insecure = self.flag("UPSTREAM_INSECURE_LOOPBACK", default=False)
        if insecure and environment == "prod":
            raise ImproperlyConfigured("UPSTREAM_INSECURE_LOOPBACK can't be true when CONSOLE_ENV is prod.")
        return TransportConfig(
            handler_url=self._base_url("DOMAIN_HANDLER_URL", insecure=insecure, required=variant == "global"),
            api_url=self._base_url("API_URL", insecure=insecure, required=variant == "china"),
            allowed_hosts=tuple(self.suffixes("ALLOWED_UPSTREAM_HOSTS")),
            insecure_loopback=insecure,
            ca_bundle=self._roots("UPSTREAM_CA_BUNDLE"),
            proxy=self._proxy("UPSTREAM_PROXY"),
            deadlines=self.deadlines("UPSTREAM_DEADLINES"),
            forgot_password_path=self._path("FORGOT_PASSWORD_PATH", "/v1/bizOrganizationAdmins/forgotPassword"),
            environment=environment,
            variant=variant,
        )

    def _base_url(self, name: str, *, insecure: bool, required: bool) -> str:
        value = self.text(name, required=required)
        if value and not _is_base(value, insecure=insecure):
            raise ImproperlyConfigured(
                f"{name} is an https address without user name and query (http only with UPSTREAM_INSECURE_LOOPBACK)."
            )
        return value.rstrip("/")

    def _roots(self, name: str) -> str | None:
        value = self.text(name)
        if value and not _holds_roots(Path(value)):
            raise ImproperlyConfigured(f"{name} is a file of TLS roots (PEM), or a folder of them (openssl rehash).")
        return value or None

    def _proxy(self, name: str) -> str | None:
        value = self.text(name)
        if value and not (PROXY.fullmatch(value) and _has_usable_port(value)):
            raise ImproperlyConfigured(f"{name} is the address of a proxy: http:// or https://, and its host.")
        return value or None

    def _path(self, name: str, default: str) -> str:
        value = self.text(name, default=default)
        if not is_path(value):
            raise ImproperlyConfigured(f"{name} is a path that starts with /, without a query.")
        return value

    def server_locations(self, name: str, upstream: TransportConfig) -> list[dict[str, str]]:
        """Where a new organization can be; each address must be one that may be called."""
        text = " ".join(str(self._env.ENVIRON.get(name, "")).split())  # it may stand in several lines
        try:
            locations = msgspec.json.decode(text or "[]", type=list[Location])
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            expected = "a JSON list of objects with code, api_url and, where the country's name is not right, label"
            raise ImproperlyConfigured(f"{name} is {expected}.") from error
        found = [msgspec.structs.asdict(location) for location in locations]
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
            options = {"options": LOCKED} | GONE_HOST | dict(config.pop("OPTIONS", {}))
            if not _can_be_used(config["NAME"], options):
                raise ImproperlyConfigured(f"{name} has no name of a database, or an option that libpq does not know.")
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


def _has_usable_port(address: str) -> bool:
    try:
        return urlsplit(address).port != 0
    except ValueError:  # a port that is none
        return False


def _holds_roots(path: Path) -> bool:
    try:
        if path.is_dir():
            return any(ROOTS.fullmatch(file.name) for file in path.iterdir())
        ssl.create_default_context(cafile=path)
    except (OSError, ValueError):
        return False
    return True


def _can_be_used(database: str, options: dict[str, Any]) -> bool:
    from psycopg import ProgrammingError  # takes 6 MB, which SQLite does not need
    from psycopg.conninfo import make_conninfo

    try:
        make_conninfo(**options)
    except ProgrammingError:
        return False
    numbers_are_right = all(SECONDS.fullmatch(str(options[name])) for name in GONE_HOST)
    is_readable = all(str(value).isprintable() for value in options.values())
    return bool(database or "service" in options) and numbers_are_right and is_readable


def _is_base(url: str, *, insecure: bool) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # a port that is none raises
    except ValueError:
        return False
    if not host or parts.username is not None or parts.query or parts.fragment:
        return False
    is_allowed = parts.scheme == "https" or (insecure and parts.scheme == "http" and host in LOOPBACK)
    return is_allowed and is_own_address(url)
