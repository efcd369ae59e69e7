"""Encrypt stored values with the first of the current keys, so that the older ones can be removed."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from console.management.manual import ManualCommand
from console.sessions.key_rotation import UNREADABLE, encrypted_fields, rotate


class Command(ManualCommand):
    help = "Encrypt every encrypted row with the first of the present keys."
    does = (
        "Reads every encrypted column of every table, decrypts it with whichever of the present keys fits "
        "(GRANT_KEYS, and those that follow from SECRET_KEY and SECRET_KEY_FALLBACKS), and encrypts it with the first "
        "one. It can run while the console is in use, and can be stopped and started again. It prints how many values "
        "were reencrypted, had the first key already, or can't be decrypted with any of the keys."
    )
    never = (
        "Never ends a session, overwrites a newer value (such as a new pair of tokens), or deletes a row. Values that "
        "can't be decrypted stay unchanged."
    )
    exits = (
        "0 if all rows have the first key, so that the others can be removed; 1 if some can't be decrypted, or the "
        "database fails (start again); 2 for a wrong option"
    )
    example = """
        GRANT_KEYS=OLD,NEW, and restart each host (only where there are several)
        GRANT_KEYS=NEW,OLD, restart each host, then:
        manage.py keys rotate
        GRANT_KEYS=NEW, and restart
    """

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_subcommand(parser.add_subparsers(dest="act", required=True), "rotate", "encrypt with the first key")

    def handle(self, *args: Any, **options: Any) -> None:
        unreadable = 0
        for model, field in encrypted_fields():
            counts = rotate(model, field.name)
            unreadable += counts[UNREADABLE]
            summary = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "no rows"
            self.stdout.write(f"{model._meta.db_table}.{field.name}: {summary}")
        if unreadable:
            raise CommandError(f"{unreadable} values can't be decrypted with the present keys. Keep the former ones.")
