"""Addresses of clinics: lists, pages, tabs, files and breadcrumbs."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.files.links import FileLink, export_links
from console.forms.return_url import with_return_url
from console.web.contributions import Section
from console.web.paths import get_path
from groups.links.users import user_list_url
from upstream.resources.clinics import Clinic

Crumbs = list[dict[str, str]]


def _tab(name: str, label: Any, url_name: str) -> Section:
    return Section(name, label, lambda clinic: get_path(url_name, clinic.id))


CLINIC_TABS = (
    _tab("users", gettext_lazy("Users"), "groups:user-list"),
    _tab("teams", gettext_lazy("Teams"), "groups:team-list"),
    _tab("permissions", gettext_lazy("Permissions"), "groups:clinic-permission-edit"),
    _tab("scanners", gettext_lazy("Scanners"), "clinic_scanners:clinic-scanner-list"),
    _tab("partners", gettext_lazy("Partners"), "clinic_partners:clinic-partner-list"),
    # Translators: noun: tab with the name, country and other data of a clinic, which can be edited.
    _tab("settings", gettext_lazy("Settings"), "groups:clinic-edit"),
)


def clinic_list_url() -> str:
    return get_path("groups:clinic-list")


def clinic_delete_url(clinic_id: str, *, back: str = "") -> str:
    """Return the address of the page that confirms the deletion of a clinic, with the list to return to."""
    return with_return_url(get_path("groups:clinic-delete", clinic_id), back or clinic_list_url(), clinic_list_url())


def clinic_scanners_url(clinic: Clinic) -> str:
    """Return the address of the tab with a clinic's scanners; "" if the clinic has no pages."""
    return get_path("clinic_scanners:clinic-scanner-list", clinic.id)


def clinic_partners_url(clinic: Clinic) -> str:
    """Return the address of the tab with the labs that are partners of a clinic; "" if the clinic has no pages."""
    return get_path("clinic_partners:clinic-partner-list", clinic.id)


def clinic_pages(clinic: Clinic) -> str:
    """Return the start of the addresses of a clinic's pages; "" if its ID can't be part of an address."""
    return get_path("groups:clinic-edit", clinic.id).removesuffix("/edit")


def clinic_files() -> list[FileLink]:
    imports = FileLink(_("Import"), get_path("groups:clinic-import"))
    return [*export_links("groups:clinic"), imports, FileLink(_("Import users"), get_path("groups:all-user-import"))]


def clinics_crumb() -> dict[str, str]:
    return {"label": _("Clinics"), "href": clinic_list_url()}


def clinic_crumbs(clinic: Clinic) -> Crumbs:
    """Return the breadcrumbs from the list of clinics to this clinic's users."""
    return [clinics_crumb(), {"label": clinic.called, "href": user_list_url(clinic.id)}]
