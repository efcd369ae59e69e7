"""The global search in user management: clinics, teams and users."""

from urllib.parse import urlencode

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from console.l10n.countries import country_name
from console.web.contributions import SearchHit, SearchKind, StartingPoint
from console.web.paths import get_path
from groups.links.teams import team_users_url
from groups.links.users import user_pages
from groups.tables.review import GROUPS
from upstream.resources.clinics import Clinic
from upstream.resources.teams import Team
from upstream.resources.users import User


def _clinic(clinic: Clinic) -> SearchHit:
    return SearchHit(clinic.called, get_path("groups:user-list", clinic.id), (country_name(clinic.country_code or ""),))


def _team(team: Team) -> SearchHit:
    return SearchHit(team.called, team_users_url(team.clinic_id, team.id), (team.clinic_name,))


def _user(user: User) -> SearchHit:
    return SearchHit(user.called, user_pages(user.clinic_id, user.id), (user.email, user.clinic_name))


SEARCHES = (
    SearchKind(
        name="clinics",
        title=_("Clinics"),
        icon="hospital",
        read=lambda upstream, params: upstream.clinics.list(params, organization_id=upstream.organization_id),
        hit=_clinic,
        # Translators: link to the list of clinics, where the same keyword is looked for.
        all_label=_("See all results in Clinics"),
        all_url_name="groups:clinic-list",
    ),
    SearchKind(
        name="teams",
        title=_("Teams"),
        icon="users",
        read=lambda upstream, params: upstream.teams.list(params, organization_id=upstream.organization_id),
        hit=_team,
        all_label=_("See all results in Teams"),
        all_url_name="groups:all-team-list",
    ),
    SearchKind(
        name="users",
        title=_("Users"),
        icon="user",
        read=lambda upstream, params: upstream.users.list(params, organization_id=upstream.organization_id),
        hit=_user,
        all_label=_("See all results in Users"),
        all_url_name="groups:all-user-list",
    ),
)

_FILE_WORDS = pgettext_lazy("search words", "download, file, spreadsheet, Excel")

STARTING_POINTS = (
    StartingPoint(
        _("Invite user"),
        "groups:all-user-invite",
        "plus",
        # Translators: words that find a page or a command in the search, separated by commas: add all that people may
        # type in your language.
        pgettext_lazy("search words", "add user, new user, send invitations, create, person"),
    ),
    StartingPoint(_("Add clinic"), "groups:clinic-create", "plus", pgettext_lazy("search words", "new clinic, create")),
    StartingPoint(
        _("Import users"), "groups:all-user-import", "upload", pgettext_lazy("search words", "upload, file, CSV, Excel")
    ),
    StartingPoint(_("Import clinics"), "groups:clinic-import", "upload"),
    StartingPoint(
        _("Users"),
        "groups:all-user-list",
        "user",
        pgettext_lazy("search words", "lock, unlock, move, delete, people"),
        is_suggested=False,
    ),
    StartingPoint(_("Change permissions"), "groups:all-permission-list", "key-round", is_suggested=False),
    StartingPoint(
        _("Permission presets"),
        "groups:preset-list",
        "key-round",
        format_lazy("{}, {}", pgettext_lazy("search words", "template, roles"), _("Change permissions")),
        is_suggested=False,
    ),
    StartingPoint(
        _("Access review"),
        "groups:review-list",
        "shield-check",
        pgettext_lazy("search words", "audit, sign off, certification"),
        is_suggested=False,
    ),
    *(
        StartingPoint(
            label,
            "groups:review-list",
            "shield-check",
            is_suggested=False,
            page=_("Access review"),
            query=urlencode({"group": group}),
        )
        for group, label in GROUPS.items()
    ),
    StartingPoint(_("Signed-off reviews"), "groups:signed-review-list", "shield-check", is_suggested=False),
    StartingPoint(_("Export users (CSV)"), "groups:all-user-export", "download", _FILE_WORDS, is_suggested=False),
    StartingPoint(_("Export clinics (CSV)"), "groups:clinic-export", "download", _FILE_WORDS, is_suggested=False),
)
