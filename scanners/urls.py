"""Paths of the scanners."""

from django.urls import path

from console.web import paths  # noqa: F401 - registers <id:…>
from scanners.views import decisions, expected_pastes, expected_serials, scanners
from upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE

app_name = "scanners"

urlpatterns = [
    path("", scanners.scanner_list, name="scanner-list"),
    path("/export", scanners.scanner_export, name="scanner-export"),
    path("/export/<xlsx:kind>", scanners.scanner_export, name="scanner-export"),
    path("/bulk/<str:decision>", scanners.scanner_bulk_run, name="scanner-bulk-run"),
    # What is expected: before the pages of scanners, whose IDs may be anything.
    path("/expected", expected_serials.expected_serial_list, name="expected-serial-list"),
    path("/expected/new", expected_pastes.expected_serial_create, name="expected-serial-create"),
    path("/expected/import", expected_serials.expected_serial_import, name="expected-serial-import"),
    path(
        "/expected/import/template",
        expected_serials.expected_serial_template_export,
        name="expected-serial-template-export",
    ),
    path("/expected/export", expected_serials.expected_serial_export, name="expected-serial-export"),
    path("/expected/export/<xlsx:kind>", expected_serials.expected_serial_export, name="expected-serial-export"),
    path("/expected/bulk/<str:action>", expected_serials.expected_serial_bulk_run, name="expected-serial-bulk-run"),
    path("/expected/check", expected_serials.expected_check_run, name="expected-check-run"),
    path("/expected/clear", expected_serials.all_expected_serial_delete, name="all-expected-serial-delete"),
    path("/expected/<id:expected_id>/edit", expected_serials.expected_serial_edit, name="expected-serial-edit"),
    path("/expected/<id:expected_id>/delete", expected_serials.expected_serial_delete, name="expected-serial-delete"),
    path("/<id:scanner_id>", scanners.scanner_show, name="scanner-show"),
    path("/<id:scanner_id>/approve", decisions.scanner_decide, {"action": APPROVE}, name="scanner-approve"),
    path("/<id:scanner_id>/disapprove", decisions.scanner_decide, {"action": DISAPPROVE}, name="scanner-disapprove"),
    path(
        "/<id:scanner_id>/cancel-approval",
        decisions.scanner_decide,
        {"action": CANCEL_APPROVAL},
        name="scanner-approval-cancel",
    ),
]
