"""`manage.py messages`: the catalogs from the code to the page."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.base import CommandError

from console.i18n import edits, po, publish
from console.i18n.languages import TABLE
from console.management.manual import ManualCommand

ROOT = po.SHIPPED.parent


class Command(ManualCommand):
    help = (
        "Without an action: extract the texts, merge them into the shipped catalogs, check, and deploy. "
        "deploy: merge the shipped catalogs into the live ones and compile. compile: compile the live ones. "
        "export: write the shipped catalogs with what translators have changed, for the repository."
    )
    does = (
        "Without an action, for developers: updates the repository's catalogs, checks and deploys them. deploy is "
        "a part of prepare. export writes what translators changed into catalogs, for the next release."
    )
    never = "Never removes a translation, except with --drop; never changes what translators stored."
    exits = (
        "0 on success, and with --check if nothing has to be done; 1 if not (each line says what); 2 for a wrong option"
    )
    example = """
        manage.py messages --check --complete
        manage.py messages export --to /tmp/catalogs
    """
    requires_system_checks = []  # it runs at setup, when there is nothing to check yet

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", nargs="?", choices=["update", "deploy", "compile", "export"], default="update")
        parser.add_argument(
            "--to",
            type=Path,
            default=po.SHIPPED,
            help="the folder of an export, where the console may write; by default the repository's",
        )
        parser.add_argument("--check", action="store_true", help="change nothing; fail if something is not right")
        parser.add_argument("--drop", action="store_true", help="accept that catalogs have lost messages")
        parser.add_argument("--complete", action="store_true", help="fail if a language is not translated to 100 %%")

    def handle(self, *, action: str, to: Path, check: bool, drop: bool, complete: bool, **options: Any) -> None:
        try:
            if action == "deploy":
                publish.deploy()
            elif action == "compile":
                publish.compile_live()
            elif action == "export":
                self._export(to)
            else:
                self._update(write=not check, drop=drop)
                self._check(complete=complete)
                if not check:
                    publish.deploy()
        except ValueError as error:  # a damaged catalog, by its path
            raise CommandError(str(error)) from error

    def _export(self, root: Path) -> None:
        edits.sync(at_once=True)
        for language in TABLE:
            changed = publish.export(language, edits.edited_forms(language.code), root)
            self.stdout.write(f"{language.tag}: {changed} changed")

    def _update(self, *, write: bool, drop: bool) -> None:
        if not (ROOT / "static_src").is_dir():
            raise CommandError("A release has not all sources of the texts. It is only deployed: manage.py prepare.")
        # Babel's extraction is for development: workers run without it.
        from console.i18n import extract

        folders = [*_packages(), "templates", "static_src"]
        template = extract.extract(ROOT, folders)
        self._fail_with(list(extract.faults(ROOT, folders, template)))
        island_messages = extract.island_messages(template)
        if write:
            publish.update(template, drop=drop)
            po.write(po.ISLAND_MESSAGES, island_messages.encode())
            return
        paths = publish.stale(template)
        if po.ISLAND_MESSAGES.read_text("utf-8") != island_messages:
            paths.append(po.ISLAND_MESSAGES)
        self._fail_with([f"not up to date, run manage.py messages: {path.relative_to(ROOT)}" for path in paths])

    def _check(self, *, complete: bool) -> None:
        self._fail_with([fault for language in TABLE for fault in publish.faults(language)])
        incomplete = []
        for language in TABLE:
            state = publish.progress(language)
            percent = 100 * state.translated // state.total if state.total else 100
            self.stdout.write(f"{language.tag}: {percent} % ({state.translated} of {state.total})")
            if not state.complete:
                incomplete.append(f"{language.tag} is not complete")
        if complete:
            self._fail_with(incomplete)

    def _fail_with(self, faults: list[str]) -> None:
        if faults:
            raise CommandError("\n".join(faults))


def _packages() -> list[str]:
    """Return our own apps' folders, without those inside another one."""
    folders = {Path(app.path) for app in apps.get_app_configs() if Path(app.path).is_relative_to(ROOT)}
    folders = {folder for folder in folders if ".venv" not in folder.parts}
    return sorted(str(folder.relative_to(ROOT)) for folder in folders if not folders.intersection(folder.parents))
