"""The addresses of labs and partnerships."""

from django.utils.translation import gettext as _

from console.paths import path_of
from console.upstream.resources.labs import Lab


def lab_list_url() -> str:
    return path_of("partners:lab-list")


def lab_url(lab_id: str) -> str:
    """The page of a lab; "" where its ID can't stand in a path."""
    return path_of("partners:lab-show", lab_id)


def lab_add_url(lab_id: str) -> str:
    return path_of("partners:lab-add", lab_id)


def lab_remove_url(lab_id: str) -> str:
    return path_of("partners:lab-remove", lab_id)


def labs_crumb() -> dict[str, str]:
    return {"label": _("Search"), "href": lab_list_url()}


def lab_crumbs(lab: Lab) -> list[dict[str, str]]:
    """The way from the search to this lab's page."""
    return [labs_crumb(), {"label": lab.name, "href": lab_url(lab.id)}]


STATES = "#clinics"
"""Where the page of a lab tells what it is to each clinic."""
REQUEST = "/request"


def request_url(lab_id: str) -> str:
    """Where a lab is asked; "" where that can't be."""
    return path_of("partners:request-list", lab_id)
