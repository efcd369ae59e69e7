"""The operator's texts: terms and conditions, privacy policy, about."""

from datetime import UTC

from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.reading.documents import document
from console.access import public
from console.error_pages import layout
from console.http import ConsoleRequest
from console.respond import show
from console.text.dates import date_text


@public
def document_show(request: ConsoleRequest, name: str) -> HttpResponse:
    titles = {"terms": _("Terms and conditions"), "privacy": _("Privacy policy"), "about": _("About us")}
    found = document(name, request.lng)
    return show(
        request,
        "accounts/document_show.html",
        base=layout(request),
        title=titles[name],
        document=found,
        written=date_text(found.written, UTC),
    )
