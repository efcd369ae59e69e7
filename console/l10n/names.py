"""Names that several objects may share."""

from django.utils.translation import gettext as _

from console.l10n.bidi import isolated


def disambiguate(name: str, detail: str) -> str:
    """Return a name with a distinguishing detail, such as an address; one of them if the other is empty."""
    name, detail = isolated(name), isolated(detail)
    # Translators: a name, and what tells it from others of the same name, such as “North (Berlin)”.
    return _("%(name)s (%(detail)s)") % {"name": name, "detail": detail} if name and detail else name or detail
