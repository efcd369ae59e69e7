"""Catalogs of tests: the caches hold nothing of other tests, and deployed ones are made once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from console.i18n import catalogs, publish, resources


def forget() -> None:
    """Forget all translations that this process has loaded."""
    catalogs._seen.clear()
    catalogs._django._translations.clear()
    resources._build.cache_clear()
    translation.deactivate()


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of catalogs as a deployment makes them."""
    root = tmp_path_factory.mktemp("deployed")
    publish.deploy(live=root)
    return root


@pytest.fixture
def live_catalogs(deployed: Path, settings: Any) -> Iterator[None]:
    """The console in 21 languages; other tests see English only."""
    settings.LOCALE_PATHS = [deployed]
    forget()
    yield
    forget()
