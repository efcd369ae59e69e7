"""Names of server locations."""

from django.conf import settings

from console.l10n.countries import country_name


def location_name(code: str) -> str:
    """Return the name of a location: the operator's, in all languages the same, else its country's, or its code."""
    return next((row["label"] for row in settings.SERVER_LOCATIONS if row["code"] == code), "") or country_name(code)
