"""Static files: the names that the build gave them."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
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
    path: Path = settings.ASSETS_MANIFEST
    return _addresses(str(path), path.stat().st_mtime_ns if settings.DEBUG else 0)[name]


@lru_cache(maxsize=1)
def _addresses(path: str, _changed: int) -> dict[str, str]:
    """Made once, because a name with a hash stands for one content for ever."""
    return {name: static(file) for name, file in json.loads(Path(path).read_bytes()).items()}


def _built(name: str) -> bool:
    return name.startswith("dist/")


def _unchanged(match: re.Match[str]) -> str:
    return match.group(0)
