"""Template variables about the console itself."""

from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from console.forms.drafts import get_draft
from console.forms.idempotency import get_form_id, new_form_id
from console.i18n.context import languages_for
from console.i18n.resources import resources_url
from console.l10n.dates import local_moment
from console.sessions.browsers import browser_and_system
from console.sessions.expiry import remaining_time
from console.shell.navigation import bell, navigation
from console.web.badges import NOTHING, get_counts
from console.web.maintenance import planned_notice, reason_in
from console.web.request import get_login, get_tz
from console.web.support import SupportDetails

THEMES = ("light", "dark")


def console(request: HttpRequest) -> dict[str, Any]:
    """Return `console`: values that don't depend on the page; macros get it as an argument.

    `csrf_token` is the same for all forms of the page, because each call would mask it again. `form_id()` is a new id,
    or the id of the form that is shown again. `sender` is the administrator for whom the page is rendered: forms from
    other administrators are refused.
    """
    login = get_login(request)
    theme = request.COOKIES.get("theme", "")
    counts = get_counts(request) if login else NOTHING
    page = SimpleNamespace(
        product="Enterprise for Admin",
        environment=settings.CONSOLE_ENV,
        support_email=settings.SUPPORT_EMAIL,
        support=SupportDetails(request),
        query=f"?{request.GET.urlencode()}" if request.GET else "",
        csrf_token=SimpleLazyObject(lambda: get_token(request)),
        form_id=lambda: get_form_id(request),
        new_form_id=new_form_id,
        draft=get_draft(request),
        i18n_url=resources_url(getattr(request, "lng", "en-US")),
        languages=languages_for(request),
        theme=theme if theme in THEMES else "",
        organization_name=request.session.get("organization_name", "") if login else "",
        remaining_seconds=remaining_time(login.grant, timezone.now()).seconds if login else 0,
        sender=login.sender if login else "",
        admin_name=str(login.detail.get("name") or "") if login else "",
        admin_email=str(login.detail.get("email") or "") if login else "",
        navigation=navigation(request, counts) if login else [],
        bell=bell(counts) if login else None,
        is_logged_in=login is not None,
        is_mac=browser_and_system(request.headers.get("User-Agent", ""))[1] in ("Mac", "iPad", "iPhone"),
        planned=_planned(request) if login else None,
    )
    return {"console": page}


def _planned(request: HttpRequest) -> SimpleNamespace | None:
    """Return the maintenance that starts soon, as pages show it."""
    notice = planned_notice(request)
    if notice is None or notice.start_date is None:
        return None
    tz = get_tz(request)
    reason, lng = reason_in(notice, getattr(request, "lng", "en-US"))
    end = local_moment(notice.end_date, tz) if notice.end_date else None
    return SimpleNamespace(start=local_moment(notice.start_date, tz), end=end, reason=reason, lng=lng)
