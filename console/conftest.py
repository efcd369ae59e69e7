"""Fixtures of the console's own tests."""

import runpy
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from console.config.checks import variables_are_right

SETTINGS = Path(__file__).resolve().with_name("settings.py")
NEEDED = {
    "SECRET_KEY": "for-tests-only-" + "k" * 50,
    "ALLOWED_HOSTS": "console.example",
    "DOMAIN_HANDLER_URL": "https://handler.example",
    "API_URL": "https://api.example",
    "ALLOWED_UPSTREAM_HOSTS": "example",
    "SUPPORT_EMAIL": "support@console.example",
}


@pytest.fixture
def load_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Return a function that loads the settings with these environment variables; None removes one."""
    monkeypatch.setattr(environ.Env, "read_env", lambda *_: None)  # a developer's .env must not have an effect

    def go(**variables: str | None) -> dict[str, Any]:
        environment = {**NEEDED, "DATA_DIR": str(tmp_path), **variables}
        monkeypatch.setattr(environ.Env, "ENVIRON", {k: v for k, v in environment.items() if v is not None})
        return runpy.run_path(str(SETTINGS), run_name="console.settings")

    return go


@pytest.fixture
def startup_errors(
    load_settings: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[str]]:
    """Return a function that returns the startup errors with these environment variables."""

    def go(**variables: str | None) -> list[str]:
        try:
            loaded = load_settings(**variables)
        except ImproperlyConfigured as error:
            return [str(error)]
        with monkeypatch.context() as patch:
            patch.setattr("console.config.checks.settings", SimpleNamespace(**loaded))
            return [error.msg for error in variables_are_right()]

    return go


@pytest.fixture(autouse=True)
def no_readiness_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make /readyz check at each request."""
    monkeypatch.setattr("console.shell.pages.KNOWN_FOR", 0)


@pytest.fixture
def deadlines(settings: Any) -> Callable[..., None]:
    """Return a function that sets deadlines like UPSTREAM_DEADLINES, except in the client, which has read them."""

    def limit(**seconds: float) -> None:
        settings.UPSTREAM = replace(settings.UPSTREAM, deadlines=replace(settings.UPSTREAM.deadlines, **seconds))

    return limit


@pytest.fixture
def without_rows() -> Iterator[Callable[[], None]]:
    """Return a function that makes the table of the forms unusable until the test ends, like a full database."""
    gone: list[bool] = []

    def take_away() -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE submission RENAME TO gone")
        gone.append(True)

    yield take_away
    if gone:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE gone RENAME TO submission")
