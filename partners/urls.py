"""Paths of labs and partnerships."""

from django.urls import URLPattern, path

from console import paths  # noqa: F401 - registers <id:…>
from partners.links import TABS
from partners.tables.partnerships import TABS as PARTNERSHIP_TABS
from partners.views import labs, listed, ordering, partner_list_changes, partnership_changes, partnerships, requests

app_name = "partners"


def _tab(name: str) -> list[URLPattern]:
    """The paths of a tab of the partner list, which are alike."""
    there, tab = TABS[name][1], {"tab": name}
    return [
        path(there, partnerships.partnership_list, tab, name=f"{name}-list"),
        path(f"{there}/export", partnerships.partnership_export, tab, name=f"{name}-export"),
        path(f"{there}/export/xlsx", partnerships.partnership_xlsx_export, tab, name=f"{name}-xlsx-export"),
        path(f"{there}/bulk/<str:action>", partnerships.partnership_bulk_run, tab, name=f"{name}-bulk-run"),
    ]


urlpatterns: list[URLPattern] = [
    # partnerships
    path("", partnerships.home, name="home"),
    *(pattern for name in PARTNERSHIP_TABS for pattern in _tab(name)),
    path(TABS["listed"][1], listed.listed_list, name="listed-list"),
    path(f"{TABS['listed'][1]}/export", listed.listed_export, name="listed-export"),
    path(f"{TABS['listed'][1]}/export/xlsx", listed.listed_xlsx_export, name="listed-xlsx-export"),
    path("/partnership/<id:partnership_id>", partnerships.partnership_show, name="partnership-show"),
    path("/partnership/<id:partnership_id>/accept", partnership_changes.partnership_accept, name="partnership-accept"),
    path("/partnership/<id:partnership_id>/reject", partnership_changes.partnership_reject, name="partnership-reject"),
    path("/partnership/<id:partnership_id>/cancel", partnership_changes.partnership_cancel, name="partnership-cancel"),
    path("/partnership/<id:partnership_id>/end", partnership_changes.partnership_end, name="partnership-end"),
    path("/partnership/<id:partnership_id>/send-again", requests.partnership_send_again, name="partnership-send-again"),
    path("/lab/<id:lab_id>/request", requests.request_list, name="request-list"),
    path("/lab/<id:lab_id>/request/bulk/<str:action>", requests.request_bulk_run, name="request-bulk-run"),
    path("/lab/<id:lab_id>/request/<id:clinic_id>", requests.request_send, name="request-send"),
    path("/ordering", ordering.ordering, name="ordering"),
    # labs
    path("/search", labs.lab_list, name="lab-list"),
    path("/search/bulk/<str:action>", labs.lab_bulk_run, name="lab-bulk-run"),
    path("/lab/<id:lab_id>", labs.lab_show, name="lab-show"),
    path("/lab/<id:lab_id>/add", partner_list_changes.lab_add, name="lab-add"),
    path("/lab/<id:lab_id>/remove", partner_list_changes.lab_remove, name="lab-remove"),
]
