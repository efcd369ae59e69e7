"""Links of a list's page to its exports and its import."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from console.web.paths import get_path


class FileLink(NamedTuple):
    """A link to an export, or to the import page."""

    label: str
    href: str
    is_export: bool = False


def export_links(noun: str, *args: str) -> list[FileLink]:
    """Return the exports of a list; `noun` is the prefix of its view's name: "groups:clinic"."""
    return [
        FileLink(_("Export CSV"), get_path(f"{noun}-export", *args), is_export=True),
        FileLink(_("Export XLSX"), get_path(f"{noun}-export", *args, "xlsx"), is_export=True),
    ]
