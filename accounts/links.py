"""The addresses of the account's pages, and the email that goes along from one public page to the next (AX-06).

It travels encrypted: addresses stand in histories, and in the logs of proxies.
"""

import json
import time
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.forms.fields import is_email
from console.web.paths import path_of

CARRIED = "for"
GOOD_FOR = 900
"""Seconds."""


def with_email(path: str, email: str, **query: str) -> str:
    """Return the address of a page that knows this email; what is none is left out."""
    carried = {CARRIED: encrypt_text(json.dumps([int(time.time()), email]))} if is_email(email) else {}
    told = urlencode({**query, **carried})
    return f"{path}?{told}" if told else path


def email_in(request: HttpRequest) -> str:
    """Return the email that came with a request; "" when there is none, or it is too old."""
    try:
        at, email = json.loads(decrypt_text(request.GET.get(CARRIED, "")))
    except (Unreadable, ValueError):
        return ""
    return str(email) if time.time() - at < GOOD_FOR else ""


def account_url() -> str:
    """The page of the own account."""
    return path_of("accounts:account-show")


def account_crumb() -> dict[str, str]:
    """The way back to it, above the page of a section."""
    return {"label": _("My account"), "href": account_url()}
