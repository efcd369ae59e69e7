from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Contributions, NavigationEntry


class GroupsConfig(AppConfig):
    name = "groups"

    def get_contributions(self) -> Contributions:
        from groups import labels
        from groups.audit.kinds import KINDS
        from groups.bulk.decisions import DUE_REMINDERS, ENDED_INVITATIONS
        from groups.links.clinics import CLINIC_TABS
        from groups.links.setup import SETUP_STEPS
        from groups.links.users import USER_SECTIONS, find_user_url
        from groups.lists import LISTS
        from groups.search import SEARCHES, STARTING_POINTS

        return Contributions(
            home="groups:home",
            navigation=[
                # Translators: noun: dental clinics; entry of the navigation, heading, column head of their number.
                NavigationEntry(_("Clinics"), "groups:clinic-list", "hospital", "people"),
                # Translators: noun: groups of users inside a clinic; entry of the navigation, heading, column head.
                NavigationEntry(_("Teams"), "groups:all-team-list", "users", "people"),
                # Translators: noun: the people of the clinics, of any gender; navigation, heading, column head, label.
                NavigationEntry(_("Users"), "groups:all-user-list", "user", "people"),
                NavigationEntry(_("Permissions"), "groups:all-permission-list", "key-round", "people"),
                # Translators: noun: administrators review who has access; entry of the navigation, heading, button.
                NavigationEntry(_("Access review"), "groups:review-list", "shield-check", "records", rank=2),
            ],
            activity={kind.code: kind for kind in KINDS},
            targets={"USER": find_user_url},
            lists=LISTS,
            inboxes=["groups:review-list"],
            decisions=[ENDED_INVITATIONS, DUE_REMINDERS],
            setup_steps=SETUP_STEPS,
            reasons=labels.REASONS,
            refusals=labels.REFUSALS,
            searches=SEARCHES,
            sections={"clinics": CLINIC_TABS, "users": USER_SECTIONS},
            starting_points=STARTING_POINTS,
        )
