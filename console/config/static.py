"""Static files: the names that the build gave them."""

import json
from functools import cache

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.templatetags.static import static


def asset(name: str) -> str:
    """Return the URL of a built file by its name before the build. With DEBUG a new build is used immediately."""
    if settings.DEBUG:
        _addresses.cache_clear()
    return _addresses()[name]


@cache
def _addresses() -> dict[str, str]:
    """Return the manifest's addresses, cached because a name with a hash always has the same content."""
    return {name: static(file) for name, file in json.loads(settings.ASSETS_MANIFEST.read_bytes()).items()}


@receiver(setting_changed)
def _clear_addresses(*, setting: str, **_others: object) -> None:
    if setting in ("ASSETS_MANIFEST", "STATIC_URL"):
        _addresses.cache_clear()
