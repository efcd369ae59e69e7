"""Paths of labs and partnerships."""

from django.urls import path

from console import paths  # noqa: F401 - registers <id:…>
from partners.views import labs, partner_list_changes

app_name = "partners"

urlpatterns = [
    # labs
    path("/search", labs.lab_list, name="lab-list"),
    path("/search/bulk/<str:action>", labs.lab_bulk_run, name="lab-bulk-run"),
    path("/lab/<id:lab_id>", labs.lab_show, name="lab-show"),
    path("/lab/<id:lab_id>/add", partner_list_changes.lab_add, name="lab-add"),
    path("/lab/<id:lab_id>/remove", partner_list_changes.lab_remove, name="lab-remove"),
]
