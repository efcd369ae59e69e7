"""Remove sessions, grants, drafts, answers and counts of attempts past their limits; for a timer."""

from typing import Any

from django.core.management.base import BaseCommand

from console.retention import remove_old


class Command(BaseCommand):
    help = "Remove sessions, grants, drafts, answers and counts of attempts past their limits."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{remove_old()} grants removed")
