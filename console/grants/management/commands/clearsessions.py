"""Remove sessions and grants past their limits; for a daily timer."""

from typing import Any

from django.core.management.base import BaseCommand

from console.grants.limits import remove_ended


class Command(BaseCommand):
    help = "Remove sessions and grants past their limits."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{remove_ended()} grants removed")
