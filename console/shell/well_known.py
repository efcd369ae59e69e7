"""Addresses that are the same at every site: for crawlers, password managers and security researchers."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from console.web.access import public
from console.web.request import ConsoleRequest

VALID = timedelta(days=90)
"""The validity of security.txt."""


@public
def robots(request: ConsoleRequest) -> HttpResponse:
    """Exclude all pages from search engines, above all the links in emails."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")


@public
def change_password(request: ConsoleRequest) -> HttpResponse:
    """Redirect password managers to the password page (W3C: Well-Known URL for Changing Passwords)."""
    return HttpResponseRedirect(reverse("accounts:password-edit"))


@public
def security(request: ConsoleRequest) -> HttpResponse:
    """Return the contact for reporting a vulnerability (RFC 9116)."""
    contact = settings.SECURITY_CONTACT
    if not contact:
        raise Http404("no SECURITY_CONTACT")
    expires = datetime.combine(timezone.now().astimezone(UTC).date() + VALID, time(), UTC)
    lines = {
        "Contact": contact if contact.lower().startswith("https:") else f"mailto:{contact}",
        "Expires": f"{expires:%Y-%m-%dT%H:%M:%SZ}",
        "Canonical": request.build_absolute_uri(request.path),
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
