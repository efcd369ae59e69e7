"""Results of the global search in the administrator's account."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from console.web.contributions import StartingPoint

STARTING_POINTS = (
    StartingPoint(_("My account"), "accounts:account-show", "circle-user"),
    StartingPoint(
        _("Password"), "accounts:password-edit", "key-round", pgettext_lazy("search words", "security, change password")
    ),
    StartingPoint(_("Email"), "accounts:email-edit", "mail"),
    StartingPoint(
        _("Preferences"),
        "accounts:preferences-edit",
        "sliders-horizontal",
        pgettext_lazy("search words", "settings, time zone"),
    ),
    StartingPoint(
        _("Sessions"), "accounts:session-list", "monitor", pgettext_lazy("search words", "devices, logged in")
    ),
)
