"""Names that several may have."""

from django.utils.translation import gettext as _

from console.text.bidi import isolated


def told_apart(name: str, detail: str) -> str:
    """A name with what tells it from its namesakes, such as an address; the name alone where that is not known."""
    if not detail:
        return isolated(name)
    return _("%(name)s (%(detail)s)") % {"name": isolated(name), "detail": isolated(detail)}
