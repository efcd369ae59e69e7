"""The teams that a form offers for the chosen clinic."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from console.l10n.bidi import isolated
from console.web.responses import Answer


def teams_answer(clinic_name: str, choices: Iterable[tuple[object, object]]) -> Answer:
    """Return the teams of the clinic chosen in a form, and the hint that names it (behaviors/teams.ts)."""
    return Answer(ok=True, message=teams_hint(clinic_name), item=[(str(value), str(label)) for value, label in choices])


def teams_hint(clinic_name: str) -> str:
    """Return the hint that names the clinic whose teams a form offers; the name is empty if none is chosen yet."""
    if not clinic_name:
        return _("Choose a clinic to see its teams.")
    # Translators: %(clinic)s: name of a clinic.
    return _("Choose a team in %(clinic)s, or none.") % {"clinic": isolated(clinic_name)}
