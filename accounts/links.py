"""URLs of the account's pages, and the email that one public page passes to the next (AX-06).

The email is encrypted, because URLs end up in browser histories and proxy logs.
"""

import json
import time
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.forms.fields import is_email
from console.web.paths import get_path

EMAIL_PARAM = "for"
EMAIL_TTL_S = 900
"""Seconds."""


def with_email(path: str, email: str, **query: str) -> str:
    """Return the URL of a page with this email; an invalid one is omitted."""
    carried = {EMAIL_PARAM: encrypt_text(json.dumps([int(time.time()), email]))} if is_email(email) else {}
    params = urlencode({**query, **carried})
    return f"{path}?{params}" if params else path


def email_in(request: HttpRequest) -> str:
    """Return the email in a request; "" if there is none or it has expired."""
    try:
        at, email = json.loads(decrypt_text(request.GET.get(EMAIL_PARAM, "")))
    except (Unreadable, ValueError):
        return ""
    return str(email) if time.time() - at < EMAIL_TTL_S else ""


def account_url() -> str:
    return get_path("accounts:account-show")


def account_crumb() -> dict[str, str]:
    # Translators: a page, and an entry of the menu: the data of the administrator who is logged in.
    return {"label": _("My account"), "href": account_url()}
