"""What a server location is called."""

from django.conf import settings

from console.l10n.countries import country_name


def location_name(code: str) -> str:
    """The operator's name of it, which is the same in all languages; without one that of the country, or its code."""
    return next((row["label"] for row in settings.SERVER_LOCATIONS if row["code"] == code), "") or country_name(code)
