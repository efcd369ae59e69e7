"""Accounts of translators, who work at /translate/."""

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.management.base import CommandError

from console.i18n.languages import CODES, TAGS
from console.management.manual import ManualCommand
from console.models import Translator, TranslatorLogin
from translations.accounts import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, set_password


class Command(ManualCommand):
    help = "Manage the accounts of translators. A password is asked for, or read from standard input."
    does = (
        "Adds, changes, disables and lists the accounts of translators. Setting a password and disabling an "
        "account end all its sessions. An account that is added again keeps its languages unless --languages is "
        "given."
    )
    never = (
        "Never deletes a translation or an account: translations stay, with their author's name. Translators have "
        "no access to the console itself."
    )
    example = """
        manage.py translator add mara --languages ko,fr
        manage.py translator password mara < password.txt
        manage.py translator disable mara
        manage.py translator list
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="act", required=True)
        adding = self.add_subcommand(actions, "add", "add a translator, or enable a disabled one again")
        adding.add_argument("name")
        adding.add_argument(
            "--languages", default="", help="such as ko,fr or ko-KR,fr-FR; a new one has all without it"
        )
        for action, text in (
            ("password", "set another password; all logins end"),
            ("disable", "end all logins, and let nobody log in; what was translated stays"),
        ):
            self.add_subcommand(actions, action, text).add_argument("name")
        self.add_subcommand(actions, "list", "the accounts, with their languages")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, f"_{options['act']}")(**options)

    def _add(self, *, name: str, languages: str, **_: Any) -> None:
        name = name.strip()
        if not (0 < len(name) <= 64 and name.isprintable()):
            raise CommandError("The name has 1 to 64 characters that can be printed.")
        tags = ",".join(dict.fromkeys(map(_tag, filter(str.strip, languages.split(",")))))
        values = {"password": make_password(_password()), "is_active": True, **({"languages": tags} if tags else {})}
        translator, is_new = Translator.objects.update_or_create(name=name, defaults=values)
        TranslatorLogin.objects.filter(translator=translator).delete()
        self.stdout.write(f"{name}: {'added' if is_new else 'changed'}, {translator.languages or 'all languages'}")

    def _password(self, *, name: str, **_: Any) -> None:
        set_password(_translator(name), _password())
        self.stdout.write(f"{name}: password set")

    def _disable(self, *, name: str, **_: Any) -> None:
        translator = _translator(name)
        translator.is_active = False
        translator.save(update_fields=["is_active"])
        TranslatorLogin.objects.filter(translator=translator).delete()
        self.stdout.write(f"{name}: disabled")

    def _list(self, **_: Any) -> None:
        for translator in Translator.objects.order_by("name"):
            state = "" if translator.is_active else ", disabled"
            self.stdout.write(f"{translator.name}: {translator.languages or 'all languages'}{state}")


def _translator(name: str) -> Translator:
    translator = Translator.objects.filter(name=name.strip()).first()
    if translator is None:
        raise CommandError(f"There is no translator {name}.")
    return translator


def _tag(text: str) -> str:
    wanted = text.strip().lower()
    for tag, code in CODES.items():
        if wanted in (tag.lower(), code):
            return TAGS[code]
    raise CommandError(f"{text} is none of the languages: {', '.join(CODES)}.")


def _password() -> str:
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        raise CommandError(f"The password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters.")
    return password
