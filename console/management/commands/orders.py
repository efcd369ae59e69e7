"""Write the order of countries, languages and time zones by their names in each language."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import translation

from console.i18n.languages import TABLE
from console.l10n import collation
from console.l10n.countries import countries
from console.l10n.languages import languages
from console.l10n.zones import zones
from console.management.manual import ManualCommand

NAMED: dict[collation.Kind, Callable[[], list[tuple[str, str]]]] = {
    "countries": countries,
    "languages": languages,
    "zones": zones,
}


class Command(ManualCommand):
    help = "Write the order of names in each language. Needed when Babel or Node's Unicode data changes."
    does = (
        "For developers, after an update of Node: asks Node how each language orders names, and writes "
        "console/l10n/collation.json."
    )
    never = "Never changes another file. Needs no database."
    example = "manage.py orders"
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        orders = {kind: codes_in_order(named) for kind, named in NAMED.items()}
        collation.FILE.write_text(json.dumps(orders, indent=1) + "\n", encoding="utf-8")


def codes_in_order(named: Callable[[], list[tuple[str, str]]]) -> dict[str, str]:
    """Sort the names of all languages with Node; return the codes, separated by blanks, by Django's language code."""
    names = {}
    for language in TABLE:
        with translation.override(language.code):
            names[language.tag] = dict(named())
    tool = settings.BASE_DIR / "static_src" / "orders.mjs"
    done = subprocess.run(["node", str(tool)], input=json.dumps(names), capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(done.stderr)
    codes = json.loads(done.stdout)
    return {language.code: " ".join(codes[language.tag]) for language in TABLE}
