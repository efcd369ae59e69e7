"""End sessions in an incident: of all administrators, of an organization, or of one administrator."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from console.management.manual import ManualCommand
from console.models import TranslatorLogin
from console.sessions.crypto import StoredSession
from console.sessions.logout import end_logins
from console.sessions.models import Grant, Session
from console.sessions.tokens import api_url, expire
from console.web.request import transport
from upstream.client import Upstream
from upstream.errors import ForeignHost, Refused
from upstream.hosts import check_base_url

GIVE_UP_AFTER = 3
"""Consecutive failed calls to a host after which the tokens of its other logins are left to expire."""


class Command(ManualCommand):
    help = "End sessions at once: all, those of one organization, or those of one administrator."
    does = (
        "Deletes sessions from the database, so that each ends with its next request, on all hosts. Then revokes "
        "their tokens in the service, if it answers (not with --only-here). --all includes the sessions of "
        "translators and those that no key decrypts. An ID may exist in several regions: without --location, the "
        "sessions of all regions end."
    )
    never = "Never locks an account, changes a password, or deletes drafts. Users can log in again at once."
    exits = (
        "0 on success; 1 if the service did not revoke some tokens (it names their owners), or if nothing was "
        "done (the last line says which); 2 for a wrong option"
    )
    example = """
        manage.py sessions end --all
        manage.py sessions end --all --only-here    # after a restore: the tokens have been used since
        manage.py sessions end --organization o-17
        manage.py sessions end --administrator a-4 --organization o-17 --location KR
    """

    def add_arguments(self, parser: CommandParser) -> None:
        end = self.add_subcommand(parser.add_subparsers(dest="act", required=True), "end", "end sessions")
        end.add_argument("--all", action="store_true", help="all sessions, also of translators")
        end.add_argument("--organization", metavar="ID", help="the ID of an organization in the service")
        end.add_argument("--administrator", metavar="ID", help="the ID of one of its administrators")
        end.add_argument("--only-here", action="store_true", help="don't call the service: after a restore")
        end.add_argument("--location", metavar="CODE", help="only at this location, a code of SERVER_LOCATIONS")

    def handle(
        self,
        *args: Any,
        all: bool = False,
        organization: str | None = None,
        administrator: str | None = None,
        location: str | None = None,
        only_here: bool = False,
        **options: Any,
    ) -> None:
        if all == bool(organization) or (all and (administrator or location)):
            raise CommandError("Say whose: --all, or --organization ID, and with it --administrator or --location.")
        base = _base_url_for(location) if location else ""

        def is_meant(stored: StoredSession) -> bool:
            return all or (
                str(stored.adminAuthDetail.get("organizationId") or "") == organization
                and administrator in (None, stored.adminId)
                and (not base or _normalized(api_url(stored, settings.UPSTREAM)) == base)
            )

        ended = end_logins(is_meant)
        if all:
            Grant.objects.all().delete()
            Session.objects.all().delete()
            count = TranslatorLogin.objects.all().delete()[0]
            self.stdout.write(f"{count} sessions of translators ended")
        self.stdout.write(f"{len(ended.stored)} sessions of administrators ended")
        if ended.unreadable:
            what = "deleted" if all else "left; nobody can use them, and --all deletes them"
            self.stdout.write(f"{ended.unreadable} sessions that no key decrypts: {what}")
        if not only_here:
            self._end_at_the_service(ended.stored)

    def _end_at_the_service(self, logins: Sequence[StoredSession]) -> None:
        """End the tokens at the service; report the remaining ones, also if the command is interrupted."""
        remaining = list(logins)
        try:
            for stored in _expire_tokens(logins):
                remaining.remove(stored)
        finally:
            self.stdout.write(f"{len(logins) - len(remaining)} of them ended in the service, too")
            for whose in sorted({_whose(stored) for stored in remaining}):
                self.stdout.write(f"not ended in the service: {whose}")
        if remaining:
            raise CommandError(
                f"The tokens of {len(remaining)} sessions were not ended in the service, which has to end them itself: "
                "nobody can use them here, but whoever has a copy can use them there until they expire."
            )


def _expire_tokens(logins: Sequence[StoredSession]) -> Iterator[StoredSession]:
    """End the tokens of logins at the service; yield the logins for which that succeeded."""
    silent = Counter[str]()
    for stored in logins:
        base = api_url(stored, settings.UPSTREAM)
        if silent[base] >= GIVE_UP_AFTER:
            continue
        error = expire(Upstream(transport).oauth, stored, settings.UPSTREAM)
        silent[base] = 0 if error is None or isinstance(error, Refused) else silent[base] + 1
        if error is None:
            yield stored


def _whose(stored: StoredSession) -> str:
    """Return a login's ids at its service, which operators may see."""
    organization = stored.adminAuthDetail.get("organizationId") or "none"
    return f"administrator {stored.adminId} of organization {organization} at {api_url(stored, settings.UPSTREAM)}"


def _base_url_for(code: str) -> str:
    for location in settings.SERVER_LOCATIONS:
        if location["code"] == code:
            return _normalized(location["api_url"])
    known = ", ".join(location["code"] for location in settings.SERVER_LOCATIONS)
    raise CommandError(f"{code} is none of SERVER_LOCATIONS: {known or 'there are none'}.")


def _normalized(url: str) -> str:
    try:
        return check_base_url(url, settings.UPSTREAM)
    except ForeignHost:
        return url
