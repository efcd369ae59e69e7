from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GroupsConfig(AppConfig):
    name = "groups"

    def ready(self) -> None:
        from console.web.contributions import (
            NavigationEntry,
            register_activity,
            register_decisions,
            register_home,
            register_inbox,
            register_lists,
            register_navigation,
            register_reasons,
            register_refusals,
            register_searches,
            register_starting_points,
            register_targets,
        )
        from groups import labels, links
        from groups.activity import KINDS
        from groups.bulk.decisions import DUE_REMINDERS, ENDED_INVITATIONS
        from groups.lists import LISTS
        from groups.search import SEARCHES, STARTING_POINTS

        register_home("groups:home")
        register_activity(*KINDS)
        register_navigation(
            # Translators: noun: dental clinics; entry of the navigation, heading, column head of their number.
            NavigationEntry(_("Clinics"), "groups:clinic-list", "hospital"),
            # Translators: noun: groups of users inside a clinic; entry of the navigation, heading, column head.
            NavigationEntry(_("Teams"), "groups:all-team-list", "users"),
            # Translators: noun: the people of the clinics, of any gender; navigation, heading, column head, label.
            NavigationEntry(_("Users"), "groups:all-user-list", "user"),
            NavigationEntry(_("Permissions"), "groups:all-permission-list", "key-round"),
        )
        register_targets({"USER": links.address_of_user})
        register_lists(LISTS)
        register_inbox("groups:review-list")
        register_decisions(ENDED_INVITATIONS, DUE_REMINDERS)
        register_reasons(labels.REASONS)
        register_refusals(labels.REFUSALS)
        register_searches(*SEARCHES)
        register_starting_points(*STARTING_POINTS)
