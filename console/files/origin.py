"""The origin of an import's rows: information by which a reader can check that the right rows were read."""

import msgspec
from django.utils.translation import gettext as _

from console.files.read import Table
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext


class Origin(msgspec.Struct, frozen=True, array_like=True):
    """The sheet that was read, the row of its header if that is not the first, and what was left out or filled."""

    sheet: str = ""
    header_row: int = 0
    hidden_rows: int = 0
    hidden_columns: int = 0
    filled: int = 0
    merged_across: int = 0

    def sentences(self) -> list[str]:
        """Return the sentences that are shown next to the rows."""
        texts = []
        if self.sheet:
            # Translators: %(name)s: the name of a sheet of a workbook.
            texts.append(_("The rows are from the sheet “%(name)s”.") % {"name": isolated(self.sheet)})
        if self.header_row:
            # Translators: %(row)s: the number of a row of a file.
            text = _("Row %(row)s contains the column names. The rows above it were ignored.")
            texts.append(text % {"row": self.header_row})
        counts = [
            (self.hidden_rows, _hidden_rows),
            (self.hidden_columns, _hidden_columns),
            (self.filled, _filled),
            (self.merged_across, _merged_across),
        ]
        return [*texts, *(text(count) % {"count": count} for count, text in counts if count)]


def build_origin(table: Table, *, is_below_title: bool = False) -> Origin:
    """Return the origin of the rows of a table."""
    header_row = table.numbers[0] if is_below_title else 0
    if not table.sheet:
        return Origin(header_row=header_row)
    rows = set(table.numbers[1:])
    return Origin(
        sheet=table.sheet.name,
        header_row=header_row,
        hidden_rows=table.sheet.hidden_rows,
        hidden_columns=table.sheet.hidden_columns,
        filled=sum(row in rows for row, _column in table.sheet.filled),
        merged_across=len(table.sheet.merged_across & rows),
    )


def _hidden_rows(count: int) -> str:
    return ngettext("%(count)s hidden row was ignored.", "%(count)s hidden rows were ignored.", count)


def _hidden_columns(count: int) -> str:
    return ngettext("%(count)s hidden column was ignored.", "%(count)s hidden columns were ignored.", count)


def _filled(count: int) -> str:
    return ngettext(
        "%(count)s cell was filled from a merged cell.", "%(count)s cells were filled from merged cells.", count
    )


def _merged_across(count: int) -> str:
    return ngettext(
        "%(count)s row has a cell merged across columns. Its text is in the first of those columns.",
        "%(count)s rows have cells merged across columns. Their text is in the first of those columns.",
        count,
    )
