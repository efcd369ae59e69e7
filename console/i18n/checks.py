"""System checks for languages: the same table everywhere, and writable live catalogs."""

import os
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from console.i18n import po
from console.i18n.languages import LANGUAGES, TABLE
from console.i18n.resources import SAMPLES


@register
def one_table(**options: Any) -> list[CheckMessage]:
    """Check that the settings and the plural samples have exactly the languages of the table."""
    messages: list[CheckMessage] = []
    if list(settings.LANGUAGES) != LANGUAGES:
        messages.append(Error("LANGUAGES is not console.i18n.languages.LANGUAGES.", id="i18n.E001"))
    if set(SAMPLES) != {language.tag for language in TABLE}:
        hint = "Run node static_src/plural-samples.mjs with all tags."
        messages.append(Error("plural_samples.json has other languages than the table.", hint=hint, id="i18n.E002"))
    return messages


@register
def live_catalogs_are_writable(**options: Any) -> list[CheckMessage]:
    """Check that each live catalog and its folder are writable; otherwise edits would be lost silently."""
    messages: list[CheckMessage] = []
    for language in TABLE:
        path = po.catalog_path(po.live(), language.code)
        if path.parent.exists() and not all(os.access(p, os.W_OK) for p in (path.parent, path) if p.exists()):
            messages.append(Error(f"The catalog of {language.tag} can't be written.", id="i18n.E003"))
    return messages


@register(deploy=True)
def catalogs_are_deployed(**options: Any) -> list[CheckMessage]:
    """Check that each language has a live catalog; without one, the console is in English."""
    missing = [language.tag for language in TABLE if not po.catalog_path(po.live(), language.code, "mo").exists()]
    if not missing:
        return []
    hint = "Run manage.py messages deploy."
    return [Warning(f"Without live catalog: {', '.join(missing)}.", hint=hint, id="i18n.W001")]
