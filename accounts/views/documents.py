"""The operator's texts: terms and conditions, privacy policy, about."""

from datetime import UTC

from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.reading.documents import document
from console.l10n.dates import date_text
from console.shell.error_pages import layout
from console.web.access import public
from console.web.request import ConsoleRequest
from console.web.responses import show


@public
def document_show(request: ConsoleRequest, name: str) -> HttpResponse:
    # Translators: a page and a link: “us” is the service provider.
    # Translators: a page and a link.
    # Translators: a page and a link.
    titles = {"terms": _("Terms and conditions"), "privacy": _("Privacy policy"), "about": _("About us")}
    doc = document(name, request.lng)
    return show(
        request,
        "accounts/document_show.html",
        base=layout(request),
        title=titles[name],
        document=doc,
        written=date_text(doc.written, UTC),
    )
