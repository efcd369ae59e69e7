"""Delete entries of the activity before their retention ends."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from console.audit import retention
from console.management.manual import ManualCommand
from console.sessions.identity import identity_for_organization


class Command(ManualCommand):
    help = "Delete entries of the activity: those that are older than ACTIVITY_DAYS, those of one organization, or all."
    does = (
        "Deletes entries of the activity (which administrator did what and when, with old and new values). "
        "Without options, as clearsessions does every hour, those older than ACTIVITY_DAYS; with --organization and "
        "--region all entries of that organization, which are found by a keyed hash of its ID and region; with "
        "--all every entry."
    )
    never = (
        "Never undoes what was done, here or in the service, and never ends a session. Deleted entries can't be "
        "restored."
    )
    example = """
        manage.py activity purge
        manage.py activity purge --organization o-17 --region 7
        manage.py activity purge --all
    """

    def add_arguments(self, parser: CommandParser) -> None:
        purge = self.add_subcommand(parser.add_subparsers(dest="act", required=True), "purge", "delete entries")
        purge.add_argument("--all", action="store_true", help="every entry")
        purge.add_argument("--organization", default="", help="entries of one organization, by its ID in the service")
        purge.add_argument("--region", type=int, help="the ID of its region (serviceDomainId)")

    def handle(self, *args: Any, organization: str, region: int | None, **options: Any) -> None:
        if bool(organization) != (region is not None) or (organization and options["all"]):
            raise CommandError("--organization and --region go together, and not with --all.")
        if organization:
            identity = identity_for_organization(settings.CONSOLE_VARIANT, region or 0, organization)
            removed = retention.purge(organization=identity)
        else:
            removed = retention.purge() if options["all"] else retention.purge_expired()
        self.stdout.write(f"{removed} entries removed")
