"""URLs of the scanners."""

from django.urls import path

from console.screens.list_page import list_urls
from console.web import paths  # noqa: F401 - registers <id:…>
from scanners.views import decisions, expected_pastes, expected_serials, scanners
from upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE

app_name = "scanners"

urlpatterns = [
    *list_urls("scanner", scanners.ScannerList),
    # Before the pages of scanners, because a scanner's ID may be "expected".
    *list_urls("expected-serial", expected_serials.ExpectedSerialList, "/expected"),
    path("/expected/new", expected_pastes.expected_serial_create, name="expected-serial-create"),
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
