"""Catalogs of tests: the caches hold nothing of other tests, and deployed ones are made once per run."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from gettext import NullTranslations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.utils import translation

from console.i18n import catalogs, publish, resources


class Caches(NamedTuple):
    """The translations that a process has loaded, and the states of the catalogs they came from."""

    signatures: Mapping[str, catalogs.Signature] = {}
    translations: Mapping[str, NullTranslations] = {}

    @classmethod
    def current(cls) -> "Caches":
        return cls(dict(catalogs._signatures), dict(catalogs.loaded()))

    def use(self) -> None:
        """Make these the translations that the process has loaded."""
        catalogs._signatures.clear()
        catalogs._signatures.update(self.signatures)
        catalogs.loaded().clear()
        catalogs.loaded().update(self.translations)
        resources._build.cache_clear()
        translation.activate(settings.LANGUAGE_CODE)

    @property
    def has_edits(self) -> bool:
        return any(digest for _file, digest in self.signatures.values())


@receiver(setting_changed)
def _clear_on_change(*, setting: str, **_others: object) -> None:
    """Forget what was loaded when a test changes where it comes from."""
    if setting in ("LANGUAGES", "LIVE_CATALOGS"):
        clear_catalogs()


def clear_catalogs() -> None:
    """Forget all translations that this process has loaded."""
    Caches().use()


@contextmanager
def separate_caches(initial: Caches | None = None) -> Iterator[None]:
    """Begin with these translations, by default with none, and restore the former ones at the end."""
    former = Caches.current()
    (initial or Caches()).use()
    try:
        yield
    finally:
        former.use()


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of catalogs as a deployment makes them, shared by all workers: the first one to deploy makes it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    root = folder / "deployed"
    publish.deploy(live=root)
    return root


@pytest.fixture(scope="session")
def loaded_catalogs() -> list[Caches]:
    """The translations of `deployed` that tests have loaded so far."""
    return []


@pytest.fixture
def live_catalogs(deployed: Path, loaded_catalogs: list[Caches], settings: Any) -> Iterator[None]:
    """The console in 21 languages; other tests see English only."""
    settings.LIVE_CATALOGS = deployed
    with separate_caches(loaded_catalogs[0] if loaded_catalogs else None):
        catalogs.refresh()
        yield
        caches = Caches.current()
        if deployed == settings.LIVE_CATALOGS and not caches.has_edits:
            loaded_catalogs[:] = [caches]
