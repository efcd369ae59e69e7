"""Read the environment. An unreadable value stops the start; console/config/checks.py refuses invalid ones."""

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import environ
import msgspec
from django.core.exceptions import ImproperlyConfigured

from upstream.config import Deadlines

DEADLINES = "connect=2,read=10,write=20,refresh=8,request=25"
DERIVED = "derived"
"""In GRANT_KEYS: the key that is derived from SECRET_KEY."""
LOST_HOST = {"connect_timeout": 3, "tcp_user_timeout": 10_000, "keepalives_idle": 5, "keepalives_interval": 2}
"""Options of libpq: an unreachable PostgreSQL host is an error after about ten seconds. The kernel alone would keep a
thread waiting for fifteen minutes."""
LOCK_TIMEOUT = "-c lock_timeout=20s"
"""A lock of another transaction is an error after this time, as in SQLite; no thread waits forever."""
SECONDS = re.compile("[0-9]{1,9}")
ENV_LINE = re.compile(r"(?:export )?[A-Za-z_0-9]+=|#|\Z")


class Location(msgspec.Struct, frozen=True):
    """An entry of SERVER_LOCATIONS."""

    code: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
    api_url: str
    label: str = ""


def read_env_file(env: environ.Env, path: Path) -> None:
    """Add the variables of a file to the environment; existing ones stay.

    Raises ImproperlyConfigured if the file can't be read. No error or warning quotes a line: it may hold a secret.
    """
    try:
        lines = [line.strip() for line in path.read_text("utf-8-sig").splitlines()]
    except FileNotFoundError:
        return
    except OSError as error:
        raise ImproperlyConfigured(f"{path.name} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ImproperlyConfigured(f"{path.name} is not encoded as UTF-8. Save it as UTF-8 text.") from None
    for number, line in enumerate(lines, 1):
        if not ENV_LINE.match(line):
            raise ImproperlyConfigured(f"Line {number} of {path.name} is not of the form NAME=value.")
    env.read_env(io.StringIO("\n".join(lines)))


def deadlines(text: str) -> Deadlines:
    """Read UPSTREAM_DEADLINES, which overrides some of the defaults."""
    pairs = (part.split("=") for part in text.split(",") if part.strip())
    return replace(Deadlines(), **{name.strip(): float(seconds) for name, seconds in pairs})


def locations(text: str) -> list[dict[str, str]]:
    """Read SERVER_LOCATIONS."""
    return [msgspec.structs.asdict(row) for row in msgspec.json.decode(text or "[]", type=list[Location])]


def postgres(url: str) -> dict[str, Any]:
    """Read DATABASE_URL; {} without one."""
    if not url:
        return {}
    from psycopg import ProgrammingError  # takes 6 MB, which SQLite does not need
    from psycopg.conninfo import make_conninfo

    if not url.startswith(("postgres://", "postgresql://")):
        raise ValueError("another database")
    config: dict[str, Any] = environ.Env.db_url_config(url)
    options = {"options": LOCK_TIMEOUT} | LOST_HOST | config.pop("OPTIONS", {})
    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        raise ValueError("an unknown option") from error
    are_seconds = all(SECONDS.fullmatch(str(options[name])) for name in LOST_HOST)
    are_readable = all(str(value).isprintable() for value in options.values())
    if not (are_seconds and are_readable and (config["NAME"] or "service" in options)):
        raise ValueError("no name, or a wrong option")
    return {**config, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}


def sqlite(data_dir: Path) -> dict[str, Any]:
    """Return the database without DATABASE_URL.

    Transactions are IMMEDIATE: a deferred one that first reads and then writes fails with "database is locked" at once
    if another writer came between.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(data_dir / "console.sqlite3"),
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
        },
        # Threads of one test process share a file, as workers do; an in-memory database would lock differently.
        "TEST": {"NAME": str(data_dir / "test.sqlite3")},
    }


EXPECTED = {
    bool: "true or false",
    int: "a whole number from 1 to 1000",
    deadlines: f"a list such as {DEADLINES}",
    locations: "a JSON list of objects with code, api_url and, where the country's name is not right, label",
    postgres: "an address such as postgres://user:password@host:5432/name, with options that libpq knows",
}


class Env(environ.Env):  # type: ignore[misc]  # django-environ has no types
    """The environment. "$" has no meaning in a value, and an error names the variable but never quotes its value."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """Return a variable as `cast` reads it. Raises ImproperlyConfigured."""
        if var not in self:
            return super().get_value(var, default=default)
        value = " ".join(self.ENVIRON[var].strip().splitlines())  # JSON may have several lines
        if not value.isprintable():
            raise ImproperlyConfigured(f"{var} has a character that can't be printed.")
        if cast is list:
            return [part.strip() for part in value.split(",") if part.strip()]
        try:
            if cast is bool and value.lower() not in ("true", "false", "1", "0"):
                raise ValueError("another word")
            return self.parse_value(value, cast)
        except (ValueError, TypeError, RecursionError, msgspec.MsgspecError):
            raise ImproperlyConfigured(f"{var} is {EXPECTED[cast]}.") from None
