"""Results of the global search among the records of the organization."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from console.web.contributions import StartingPoint

STARTING_POINTS = (
    StartingPoint(
        _("Activity"),
        "overview:activity-list",
        "history",
        pgettext_lazy("search words", "audit log, changes, who"),
        is_suggested=False,
    ),
)
