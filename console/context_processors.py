"""What every template may read about the console itself."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils import timezone

from console.forms.drafts import Draft, draft_of
from console.forms.idempotency import id_of_form, new_form_id
from console.grants.limits import time_left
from console.grants.opening import Login
from console.http import login_of
from console.i18n.context import Choice, languages_for
from console.i18n.resources import resources_url
from console.navigation import NavigationItem, navigation

THEMES = ("light", "dark")


def console(request: HttpRequest) -> dict[str, Any]:
    return {"console": Page(request)}


@dataclass(frozen=True)
class Page:
    """The page of this request: what is the same whatever it shows. Macros get it handed in."""

    request: HttpRequest
    product = "Enterprise for Admin"
    new_form_id = staticmethod(new_form_id)

    @property
    def environment(self) -> str:
        return str(settings.CONSOLE_ENV)

    @property
    def support_email(self) -> str:
        return str(settings.SUPPORT_EMAIL)

    @property
    def request_id(self) -> str:
        return getattr(self.request, "request_id", "")

    @property
    def query(self) -> str:
        """The query string of this page, with its question mark; "" when there is none."""
        return f"?{self.request.GET.urlencode()}" if self.request.GET else ""

    @cached_property
    def csrf_token(self) -> str:
        """One for all forms of the page: each new one would be masked anew."""
        return get_token(self.request)

    def form_id(self) -> str:
        """Return the id of a form: a new one, or that of the form which comes back."""
        return id_of_form(self.request)

    @property
    def draft(self) -> Draft | None:
        """What was typed into the form of this page before the session ended."""
        return draft_of(self.request)

    @property
    def i18n_url(self) -> str:
        return resources_url(getattr(self.request, "lng", "en-US"))

    @property
    def languages(self) -> list[Choice]:
        return languages_for(self.request)

    @property
    def theme(self) -> str:
        theme = self.request.COOKIES.get("theme", "")
        return theme if theme in THEMES else ""

    @cached_property
    def _login(self) -> Login | None:
        return login_of(self.request)

    @property
    def is_logged_in(self) -> bool:
        return self._login is not None

    @property
    def organization_name(self) -> str:
        return str(self.request.session.get("organization_name", "")) if self._login else ""

    @property
    def seconds_left(self) -> int:
        return time_left(self._login.grant, timezone.now()).seconds if self._login else 0

    @property
    def sender(self) -> str:
        """For whom the page was drawn: a form that somebody else sends is refused."""
        return self._login.grant.admin_id_hash if self._login else ""

    @property
    def admin_name(self) -> str:
        return str(self._login.detail.get("name") or "") if self._login else ""

    @property
    def navigation(self) -> list[NavigationItem]:
        return navigation(self.request) if self._login else []
