"""Checks of the availability of an email or organization name."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from accounts.forms.availability import Availability, CheckedForm, availability_for
from accounts.reading.locations import get_api_url
from console.errors import NotConfigured, TooManyAttempts
from console.sessions import throttle
from console.web.request import ConsoleRequest
from upstream.errors import UpstreamError


def check_availability(
    request: ConsoleRequest, form: CheckedForm, name: str, check: Callable[[str], bool | None]
) -> Availability:
    """Check the value of a form field, with a throttle; `check` returns None if the result is unknown."""
    try:
        value = form.clean_one(name)
    except ValidationError as error:
        return Availability("invalid", error.messages[0])
    try:
        throttle.enter("availability", address=request.client_ip)
    except (TooManyAttempts, DatabaseError):  # without a throttle, no check
        return availability_for(form, name, "unknown")
    in_use = check(value)
    return availability_for(form, name, "unknown" if in_use is None else "taken" if in_use else "free")


def is_in_use(request: ConsoleRequest, name: str, value: str, location: str) -> bool | None:
    """Check with the service at a location; return None if the result is unknown."""
    upstream = request.upstream
    exists = upstream.admins.exists if name == "email" else upstream.organizations.exists
    try:
        return exists(value, api_url=get_api_url(location))
    except (UpstreamError, NotConfigured):
        return None
