"""System checks of the languages: one table everywhere, and live catalogues that can be written."""

import os
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from console.i18n import po
from console.i18n.languages import LANGUAGES, TABLE
from console.i18n.resources import SAMPLES


@register
def one_table(**options: Any) -> list[CheckMessage]:
    """The settings and the plural samples have exactly the table's languages."""
    found: list[CheckMessage] = []
    if list(settings.LANGUAGES) != LANGUAGES:
        found.append(Error("LANGUAGES is not console.i18n.languages.LANGUAGES.", id="i18n.E001"))
    if set(SAMPLES) != {language.tag for language in TABLE}:
        hint = "Run node static_src/plural-samples.mjs with all tags."
        found.append(Error("plural_samples.json has other languages than the table.", hint=hint, id="i18n.E002"))
    return found


@register
def live_catalogues_are_writable(**options: Any) -> list[CheckMessage]:
    """Each live catalogue and its folder can be written; without that, edits would silently be lost."""
    found: list[CheckMessage] = []
    for language in TABLE:
        path = po.path_of(po.live(), language.code)
        if path.parent.exists() and not all(os.access(p, os.W_OK) for p in (path.parent, path) if p.exists()):
            found.append(Error(f"The catalogue of {language.tag} can't be written.", id="i18n.E003"))
    return found


@register(deploy=True)
def catalogues_are_deployed(**options: Any) -> list[CheckMessage]:
    """Each language has its live catalogue; without one the console works, in English."""
    missing = [language.tag for language in TABLE if not po.path_of(po.live(), language.code, "mo").exists()]
    if not missing:
        return []
    hint = "Run manage.py messages deploy."
    return [Warning(f"Without live catalogue: {', '.join(missing)}.", hint=hint, id="i18n.W001")]
