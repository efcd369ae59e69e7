"""Addresses of access reviews."""

from django.utils.translation import gettext as _

from console.web.paths import get_path
from groups.links.clinics import Crumbs
from groups.links.users import users_crumb


def review_url() -> str:
    return get_path("groups:review-list")


def decision_url(user_id: str, action: str) -> str:
    """Return the address whose POST decides about a user at once; "" if the ID can't be part of a path."""
    return decisions_url(user_id) and f"{decisions_url(user_id)}/{action}"


def decisions_url(user_id: str) -> str:
    """Return the common start of the addresses of decisions about a user."""
    return get_path("groups:review-decide", user_id, "keep").removesuffix("/keep")


def signed_reviews_url() -> str:
    return get_path("groups:signed-review-list")


def signed_review_url(entry_id: str) -> str:
    return get_path("groups:signed-review-show", entry_id)


def review_crumbs() -> Crumbs:
    """Return the breadcrumbs from the list of users to the access review."""
    # Translators: heading and link: a check of who still needs access.
    return [users_crumb(), {"label": _("Access review"), "href": review_url()}]
