"""Static files: the names that the build gave them."""

import json
import re
from functools import cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.templatetags.static import static
from whitenoise.storage import CompressedManifestStaticFilesStorage


class DistStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise ships no types
    """Leaves what the build named alone: a second name for a script would make it load and run twice."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        return name if _built(name) else str(super().hashed_name(name, content, filename))

    def stored_name(self, name: str) -> str:
        return name if _built(name) else str(super().stored_name(name))

    def url_converter(self, name: str, hashed_files: Any, template: str | None = None) -> Any:
        return _unchanged if _built(name) else super().url_converter(name, hashed_files, template)


def asset(name: str) -> str:
    """Return the address of a built file by its name before the build. With DEBUG a new build is seen at once."""
    if settings.DEBUG:
        _addresses.cache_clear()
    return _addresses()[name]


@cache
def _addresses() -> dict[str, str]:
    """Made once, because a name with a hash stands for one content for ever."""
    return {name: static(file) for name, file in json.loads(settings.ASSETS_MANIFEST.read_bytes()).items()}


@receiver(setting_changed)
def _forget(*, setting: str, **_others: object) -> None:
    if setting in ("ASSETS_MANIFEST", "STATIC_URL"):
        _addresses.cache_clear()


def _built(name: str) -> bool:
    return name.startswith("dist/")


def _unchanged(match: re.Match[str]) -> str:
    return match.group(0)
