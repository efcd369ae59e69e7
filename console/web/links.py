"""Links as pages and JSON answers have them."""

from urllib.parse import unquote

import msgspec
from django.urls import resolve
from django.utils.translation import gettext as _
from django.utils.translation import pgettext


class Link(msgspec.Struct, frozen=True):
    label: str
    href: str


def back_label(back: str) -> str:
    """Return the label of a link to a return URL: not all of them are lists."""
    if (resolve(unquote(back.partition("?")[0])).url_name or "").endswith("-list"):
        return _("Back to list")
    # Translators: a button: goes to the previous page.
    return pgettext("button", "Back")
