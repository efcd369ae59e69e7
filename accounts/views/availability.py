"""Whether an email or the name of an organization is free."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from accounts.forms.availability import Availability, CheckedForm, told
from accounts.reading.locations import api_url_of
from console.errors import NotConfigured, TooManyAttempts
from console.sessions import throttle
from console.web.request import ConsoleRequest
from upstream.errors import UpstreamError


def availability_of(
    request: ConsoleRequest, form: CheckedForm, name: str, taken: Callable[[str], bool | None]
) -> Availability:
    """Check the value of one field of a form, slowed down for who checks many; `taken` asks, None when it can't."""
    try:
        value = form.clean_one(name)
    except ValidationError as error:
        return Availability("invalid", error.messages[0])
    try:
        throttle.enter("availability", address=request.client_ip)
    except (TooManyAttempts, DatabaseError):  # what can't be counted is not asked
        return told(form, name, "unknown")
    is_taken = taken(value)
    return told(form, name, "unknown" if is_taken is None else "taken" if is_taken else "free")


def is_taken(request: ConsoleRequest, name: str, value: str, location: str) -> bool | None:
    """Ask the service at a location; None when it can't say."""
    upstream = request.upstream
    exists = upstream.admins.exists if name == "email" else upstream.organizations.exists
    try:
        return exists(value, api_url=api_url_of(location))
    except (UpstreamError, NotConfigured):
        return None
