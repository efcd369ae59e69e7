"""Paths of the scanners."""

from django.urls import path

from console import paths  # noqa: F401 - registers <id:…>
from scanners.views import decisions, scanners

app_name = "scanners"

urlpatterns = [
    path("", scanners.scanner_list, name="scanner-list"),
    path("/export", scanners.scanner_export, name="scanner-export"),
    path("/export/xlsx", scanners.scanner_xlsx_export, name="scanner-xlsx-export"),
    path("/bulk/<str:decision>", scanners.scanner_bulk_run, name="scanner-bulk-run"),
    path("/<id:scanner_id>", scanners.scanner_show, name="scanner-show"),
    path("/<id:scanner_id>/approve", decisions.scanner_approve, name="scanner-approve"),
    path("/<id:scanner_id>/disapprove", decisions.scanner_disapprove, name="scanner-disapprove"),
    path("/<id:scanner_id>/cancel-approval", decisions.approval_cancel, name="approval-cancel"),
]
