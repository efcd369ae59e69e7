"""The URL of the tab with a clinic's scanners."""

from django.urls import path

from console.web.access import private
from scanners.views import scanners

app_name = "clinic_scanners"

urlpatterns = [path("", private(scanners.ClinicScannerList.as_view()), name="clinic-scanner-list")]
