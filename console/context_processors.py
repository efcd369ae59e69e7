"""What every template may read about the console itself."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from console.grants.limits import time_left
from console.http import login_of
from console.i18n.context import languages_for
from console.i18n.resources import resources_url
from console.navigation import navigation

THEMES = ("light", "dark")


def console(request: HttpRequest) -> dict[str, Any]:
    login = login_of(request)
    theme = request.COOKIES.get("theme", "")
    return {
        "console": {
            "product": "Enterprise for Admin",
            "environment": settings.CONSOLE_ENV,
            "support_email": settings.SUPPORT_EMAIL,
            "request_id": getattr(request, "request_id", ""),
            "i18n_url": resources_url(getattr(request, "lng", "en-US")),
            "languages": languages_for(request),
            "theme": theme if theme in THEMES else "",
            "organization_name": request.session.get("organization_name", "") if login else "",
            "seconds_left": time_left(login.grant, timezone.now()).seconds if login else 0,
            "sender": login.grant.admin_id_hash if login else "",
            "admin_name": str(login.detail.get("name") or "") if login else "",
            "navigation": navigation(request) if login else [],
            "is_logged_in": login is not None,
        }
    }
