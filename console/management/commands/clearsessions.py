"""Purge rows that are kept for a limited time; deploy/console-purge.timer runs it every hour."""

from typing import Any

from console.management.manual import ManualCommand
from console.ops.purge import purge


class Command(ManualCommand):
    help = "Delete expired logins, drafts, answers to forms, counts of attempts, activity and saved views."
    does = (
        "Deletes ended logins, drafts after a quarter of an hour, answers to forms after a minute, counts of attempts "
        "after a day, activity after ACTIVITY_DAYS, and lists of expected serial numbers, presets and saved views that "
        "nobody has used for 365 days; encrypts the others with the first of the present keys. "
        "deploy/console-purge.timer runs it every hour. One process at a time does it, also with several hosts."
    )
    never = "Never ends a login, or deletes anything whose time is not over."
    exits = "0 also when another process is doing it; 1 when the database fails (the next run makes up for it)"
    example = "manage.py clearsessions"

    def handle(self, *args: Any, **options: Any) -> None:
        deleted = purge()
        self.stdout.write("Another process is purging." if deleted is None else f"{deleted} grants removed")
