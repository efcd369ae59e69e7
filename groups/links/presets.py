"""Addresses of permission presets."""

from django.utils.translation import gettext as _

from console.web.paths import get_path
from groups.links.clinics import Crumbs
from groups.links.permissions import all_permissions_crumb

PRESET = "groups:preset-edit"


def preset_url(preset_id: str) -> str:
    return get_path(PRESET, preset_id)


def preset_crumbs() -> Crumbs:
    # Translators: a page and a heading: named sets of the five permissions.
    return [all_permissions_crumb(), {"label": _("Permission presets"), "href": get_path("groups:preset-list")}]
