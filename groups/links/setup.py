"""The steps of user management to set up an organization."""

from django.utils.translation import gettext_lazy as _

from console.web.contributions import SetupStep
from console.web.paths import get_path

SETUP_STEPS = (
    SetupStep(
        label=_("Add your first clinic"),
        text=_("Users and scanners belong to a clinic, and each clinic has its own partner labs."),
        count=lambda summary: summary.main_group_count,
        href=lambda _summary: get_path("groups:clinic-create"),
        rank=1,
    ),
    SetupStep(
        label=_("Invite users"),
        text=_("Each new user gets an invitation by email."),
        count=lambda summary: summary.user_count,
        href=lambda _summary: get_path("groups:all-user-invite"),
        rank=2,
    ),
)
