"""Results of the global search among the records of the organization."""

from django.utils.translation import gettext_lazy as _

from console.web.contributions import StartingPoint

STARTING_POINTS = (
    # Translators: words that find a page in the search, separated by commas: add all that people may type.
    StartingPoint(_("Activity"), "overview:activity-list", "history", _("audit log, changes, who"), is_suggested=False),
)
