"""URLs of labs and partnerships."""

from django.urls import URLPattern, path

from console.screens.list_page import list_urls
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
from upstream.resources.partnerships import Action

app_name = "partners"


urlpatterns: list[URLPattern] = [
    # partnerships
    path("", partnerships.home, name="home"),
    *list_urls("asking", partnerships.AskingList, "/list"),
    *list_urls("partner", partnerships.PartnerList, "/list/partners"),
    *list_urls("sent", partnerships.SentList, "/list/sent"),
    *list_urls("past", partnerships.PastList, "/list/history"),
    *list_urls("ordering", ordering.OrderingList, "/list/ordering"),
    *list_urls("my-lab", my_labs.MyLabList, "/list/mine"),
    path("/partnership/<id:partnership_id>", partnerships.partnership_show, name="partnership-show"),
    path(
        "/partnership/<id:partnership_id>/accept",
        partnership_change,
        {"action": Action.ACCEPT},
        name="partnership-accept",
    ),
    path(
        "/partnership/<id:partnership_id>/reject",
        partnership_change,
        {"action": Action.REJECT},
        name="partnership-reject",
    ),
    path(
        "/partnership/<id:partnership_id>/cancel",
        partnership_change,
        {"action": Action.CANCEL},
        name="partnership-cancel",
    ),
    path("/partnership/<id:partnership_id>/end", partnership_end, name="partnership-end"),
    path("/partnership/<id:partnership_id>/send-again", requests.partnership_resend, name="partnership-resend"),
    *list_urls("request", requests.RequestList, "/lab/<id:lab_id>/request"),
    path("/lab/<id:lab_id>/cancel", requests.request_cancel, name="request-cancel"),
    path("/lab/<id:lab_id>/request/<id:clinic_id>", requests.request_send, name="request-send"),
    path("/ordering", ordering.ordering_show, name="ordering-show"),
    # labs
    *list_urls("lab", labs.LabList, "/search"),
    path("/lab/<id:lab_id>", labs.lab_show, name="lab-show"),
    path("/lab/<id:lab_id>/add", partner_list_changes.lab_add, name="lab-add"),
    path("/lab/<id:lab_id>/remove", partner_list_changes.lab_remove, name="lab-remove"),
]
