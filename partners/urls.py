"""Paths of labs and partnerships."""

from django.urls import URLPattern, path

from console.web import paths  # noqa: F401 - registers <id:…>
from partners.views import (
    labs,
    my_labs,
    ordering,
    partner_list_changes,
    partnerships,
    requests,
)
from partners.views.partnership_changes import partnership_change, partnership_end
from upstream.resources.partnerships import Act

app_name = "partners"


urlpatterns: list[URLPattern] = [
    # partnerships
    path("", partnerships.home, name="home"),
    path("/list", partnerships.asking_list, name="asking-list"),
    path("/list/export", partnerships.asking_export, name="asking-export"),
    path("/list/export/<xlsx:kind>", partnerships.asking_export, name="asking-export"),
    path("/list/bulk/<str:action>", partnerships.asking_bulk_run, name="asking-bulk-run"),
    path("/list/partners", partnerships.partner_list, name="partner-list"),
    path("/list/partners/export", partnerships.partner_export, name="partner-export"),
    path("/list/partners/export/<xlsx:kind>", partnerships.partner_export, name="partner-export"),
    path("/list/sent", partnerships.sent_list, name="sent-list"),
    path("/list/sent/export", partnerships.sent_export, name="sent-export"),
    path("/list/sent/export/<xlsx:kind>", partnerships.sent_export, name="sent-export"),
    path("/list/sent/bulk/<str:action>", partnerships.sent_bulk_run, name="sent-bulk-run"),
    path("/list/history", partnerships.past_list, name="past-list"),
    path("/list/history/export", partnerships.past_export, name="past-export"),
    path("/list/history/export/<xlsx:kind>", partnerships.past_export, name="past-export"),
    path("/list/mine", my_labs.my_lab_list, name="my-lab-list"),
    path("/list/mine/bulk/<str:action>", my_labs.my_lab_bulk_run, name="my-lab-bulk-run"),
    path("/list/mine/export", my_labs.my_lab_export, name="my-lab-export"),
    path("/list/mine/export/<xlsx:kind>", my_labs.my_lab_export, name="my-lab-export"),
    path("/partnership/<id:partnership_id>", partnerships.partnership_show, name="partnership-show"),
    path("/partnership/<id:partnership_id>/accept", partnership_change, {"act": Act.ACCEPT}, name="partnership-accept"),
    path("/partnership/<id:partnership_id>/reject", partnership_change, {"act": Act.REJECT}, name="partnership-reject"),
    path("/partnership/<id:partnership_id>/cancel", partnership_change, {"act": Act.CANCEL}, name="partnership-cancel"),
    path("/partnership/<id:partnership_id>/end", partnership_end, name="partnership-end"),
    path("/partnership/<id:partnership_id>/send-again", requests.partnership_resend, name="partnership-resend"),
    path("/lab/<id:lab_id>/request", requests.request_list, name="request-list"),
    path("/lab/<id:lab_id>/request/bulk/<str:action>", requests.request_bulk_run, name="request-bulk-run"),
    path("/lab/<id:lab_id>/request/<id:clinic_id>", requests.request_send, name="request-send"),
    path("/ordering", ordering.ordering_show, name="ordering-show"),
    # labs
    path("/search", labs.lab_list, name="lab-list"),
    path("/search/bulk/<str:action>", labs.lab_bulk_run, name="lab-bulk-run"),
    path("/lab/<id:lab_id>", labs.lab_show, name="lab-show"),
    path("/lab/<id:lab_id>/add", partner_list_changes.lab_add, name="lab-add"),
    path("/lab/<id:lab_id>/remove", partner_list_changes.lab_remove, name="lab-remove"),
]
