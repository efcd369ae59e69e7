"""Purge rows that are kept for a limited time; deploy/console-purge.timer runs it every hour."""

from typing import Any

from console.management.manual import ManualCommand
from console.ops.purge import purge


class Command(ManualCommand):
    help = "Delete expired sessions, drafts, answers to forms, counts of attempts, activity and saved views."
    does = (
        "Deletes expired sessions, drafts after 15 minutes, stored answers to forms after a minute, counts of "
        "attempts after a day, activity after ACTIVITY_DAYS, and lists of expected serial numbers, presets and "
        "saved views that were not used for 365 days. Encrypts the other rows with the first of the present keys. "
        "deploy/console-purge.timer runs it every hour. Only one process at a time does it, also with several "
        "hosts."
    )
    never = "Never ends a session early, or deletes anything that hasn't expired."
    exits = "0, also when another process is doing it; 1 when the database fails (the next run completes it)"
    example = "manage.py clearsessions"

    def handle(self, *args: Any, **options: Any) -> None:
        deleted = purge()
        self.stdout.write("Another process is purging." if deleted is None else f"{deleted} grants removed")
