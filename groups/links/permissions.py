"""Addresses of permissions, and of the labs that clinics may order from."""

from django.utils.translation import gettext as _

from console.files.links import FileLink, export_links
from console.web.paths import get_path


def all_permissions_url() -> str:
    """Return the address of the table with the permissions of all clinics."""
    return get_path("groups:all-permission-list")


def ordering_list_url() -> str:
    """Return the address of the list of labs with the clinics that can order from them."""
    return get_path("partners:ordering-list")


def ordering_url() -> str:
    """Return the address of the page that asks which clinics may order from new partner labs."""
    return get_path("partners:ordering-show")


def clinic_permissions_url(clinic_id: str) -> str:
    return get_path("groups:clinic-permission-edit", clinic_id)


def all_permission_files() -> list[FileLink]:
    return export_links("groups:all-permission")


def all_permissions_crumb() -> dict[str, str]:
    # Translators: a page and a heading: a table of the permissions of each clinic.
    return {"label": _("Permissions for all clinics"), "href": all_permissions_url()}
