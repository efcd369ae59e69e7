"""Results of the global search in the administrator's account."""

from django.utils.translation import gettext_lazy as _

from console.web.contributions import StartingPoint

STARTING_POINTS = (
    StartingPoint(_("My account"), "accounts:account-show", "circle-user"),
    # Translators: words that find a page in the search, separated by commas: add all that people may type.
    StartingPoint(_("Password"), "accounts:password-edit", "key-round", _("security, change password")),
    StartingPoint(_("Email"), "accounts:email-edit", "mail"),
    # Translators: words that find a page in the search, separated by commas: add all that people may type.
    StartingPoint(_("Preferences"), "accounts:preferences-edit", "sliders-horizontal", _("settings, time zone")),
    # Translators: words that find a page in the search, separated by commas: add all that people may type.
    StartingPoint(_("Sessions"), "accounts:session-list", "monitor", _("devices, logged in")),
)
