"""Remove sessions, grants, drafts, answers and counts of attempts past their limits; for a timer."""

from typing import Any

from console.management.manual import ManualCommand
from console.retention import remove_old


class Command(ManualCommand):
    help = "Remove sessions, grants, drafts, answers and counts of attempts past their limits."
    does = (
        "Does what each process does when it starts, for installations that are not restarted for long: deletes "
        "ended logins, drafts after a quarter of an hour, answers to forms after a minute, counts of attempts "
        "after a day, and lists of expected serial numbers that nobody has used for 365 days; encrypts those "
        "lists with the first of the present keys. For a timer (docs/operations.md)."
    )
    never = "Never ends a login, or deletes anything whose time is not over."
    example = "manage.py clearsessions"

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{remove_old()} grants removed")
