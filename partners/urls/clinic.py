"""The URL of the tab with a clinic's partners."""

from django.urls import path

from console.web.access import private
from partners.views import partnerships

app_name = "clinic_partners"

urlpatterns = [path("", private(partnerships.ClinicPartnerList.as_view()), name="clinic-partner-list")]
