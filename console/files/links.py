"""The addresses of a list's files, which its page offers: what it can be exported as, and where files become rows."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from console.web.paths import get_path


class FileLink(NamedTuple):
    """A file that a list is exported as, or the page that makes rows of one."""

    label: str
    href: str
    is_export: bool = False


def export_links(noun: str, *args: str) -> list[FileLink]:
    """Return the exports of a list; `noun` is what the name of its view begins with: "groups:clinic"."""
    return [
        FileLink(_("Export CSV"), get_path(f"{noun}-export", *args), is_export=True),
        FileLink(_("Export XLSX"), get_path(f"{noun}-export", *args, "xlsx"), is_export=True),
    ]
