"""Paths of the scanners."""

from django.urls import URLPattern, path

from console import paths  # noqa: F401 - registers <id:…>
from scanners.views import expected_pastes, expected_serials

app_name = "scanners"

urlpatterns: list[URLPattern] = [
    path("/expected", expected_serials.expected_serial_list, name="expected-serial-list"),
    path("/expected/new", expected_pastes.expected_serial_create, name="expected-serial-create"),
    path("/expected/import", expected_serials.expected_serial_import, name="expected-serial-import"),
    path(
        "/expected/import/template",
        expected_serials.expected_serial_template_export,
        name="expected-serial-template-export",
    ),
    path("/expected/export", expected_serials.expected_serial_export, name="expected-serial-export"),
    path("/expected/export/xlsx", expected_serials.expected_serial_xlsx_export, name="expected-serial-xlsx-export"),
    path("/expected/bulk/<str:action>", expected_serials.expected_serial_bulk_run, name="expected-serial-bulk-run"),
    path("/expected/check", expected_serials.expected_check_run, name="expected-check-run"),
    path("/expected/clear", expected_serials.all_expected_serial_delete, name="all-expected-serial-delete"),
    path("/expected/<id:expected_id>/edit", expected_serials.expected_serial_edit, name="expected-serial-edit"),
    path("/expected/<id:expected_id>/delete", expected_serials.expected_serial_delete, name="expected-serial-delete"),
]
