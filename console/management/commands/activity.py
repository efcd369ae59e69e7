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
        "Deletes what is told of the acts of administrators (who did what when, with old and new values) and is older "
        "than ACTIVITY_DAYS, as each start of a process does; with --organization and --region every entry of that "
        "organization, which is found by a keyed hash of its ID and region; with --all every entry."
    )
    never = "Never changes what was done, here or at the service, and ends no login. Entries can't be had back."
    example = """
        manage.py activity purge
        manage.py activity purge --organization o-17 --region 7
        manage.py activity purge --all
    """

    def add_arguments(self, parser: CommandParser) -> None:
        purge = self.add_subcommand(parser.add_subparsers(dest="act", required=True), "purge", "delete entries")
        purge.add_argument("--all", action="store_true", help="every entry")
        purge.add_argument("--organization", default="", help="those of one organization, by its id at the service")
        purge.add_argument("--region", type=int, help="the id of its region (serviceDomainId)")

    def handle(self, *args: Any, organization: str, region: int | None, **options: Any) -> None:
        if bool(organization) != (region is not None) or (organization and options["all"]):
            raise CommandError("--organization and --region go together, and not with --all.")
        if organization:
            identity = identity_for_organization(settings.CONSOLE_VARIANT, region or 0, organization)
            removed = retention.purge(organization=identity)
        else:
            removed = retention.purge() if options["all"] else retention.purge_expired()
        self.stdout.write(f"{removed} entries removed")
