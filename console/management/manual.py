"""Base of the commands of `manage.py`: `--help` says what a command does, never does and returns."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from textwrap import dedent, fill
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter
from django.db import DatabaseError, InterfaceError

from console.config.database_errors import is_unusable


class _Formatter(DjangoHelpFormatter, RawDescriptionHelpFormatter):
    """Keeps the lines of the manual, and puts Django's own options last."""


class ManualCommand(BaseCommand):
    """A command with a manual. Failures of the database or a file are reported in one sentence, like other errors."""

    does = ""
    """The effects, in whole sentences; `help` is the summary."""
    never = ""
    """Effects that an operator might fear."""
    exits = "0 when done, 1 when not (the last line says why), 2 for a wrong option"
    example = ""

    @property
    def manual(self) -> str:
        """Return the manual as it is shown below the options."""
        parts = {"What it does": self.does, "What it never does": self.never, "Exit codes": self.exits}
        texts = [
            f"{title}:\n{fill(text, 100, initial_indent='  ', subsequent_indent='  ')}" for title, text in parts.items()
        ]
        lines = [f"  {line}" for line in dedent(self.example).strip().splitlines()]
        return "\n\n".join([*texts, "\n".join(["Example:", *lines])])

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        """Return Django's parser, with the manual."""
        return super().create_parser(prog_name, subcommand, epilog=self.manual, formatter_class=_Formatter, **options)

    def add_subcommand(self, subparsers: Any, name: str, text: str) -> ArgumentParser:
        """Add a subcommand to the result of `add_subparsers`; its `--help` has the manual, too."""
        parser: ArgumentParser = subparsers.add_parser(
            name, help=text, description=text, epilog=self.manual, formatter_class=RawDescriptionHelpFormatter
        )
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (DatabaseError, InterfaceError) as error:
            if not is_unusable(error):
                raise
            raise CommandError(f"The database can't be used: {str(error).strip()}") from error
        except UnicodeEncodeError as error:
            raise CommandError("What was typed is not in UTF-8.") from error
        except OSError as error:
            raise CommandError(f"A file can't be used: {error}") from error
