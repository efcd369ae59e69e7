"""The form of an upload, and its rows as they are read after each question about it."""

from dataclasses import dataclass
from typing import cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.files.columns import header_index
from console.files.encodings import ENCODINGS
from console.files.importer import DEFAULT_ORIGIN, check_has_rows
from console.files.origin import Origin, build_origin
from console.files.read import Table, Unreadable, read
from console.files.spec import Import, ImportSpec
from console.files.write import XLSX
from console.web.request import ConsoleRequest

MAX_BYTES = 1024 * 1024


class EncodingForm(forms.Form):
    """Choose the encoding of a file from the possible ones."""

    encoding = forms.ChoiceField(
        # Translators: the label of a choice: how the letters of a CSV file were saved, such as UTF-8.
        label=gettext_lazy("Character encoding"),
        widget=forms.Select(attrs={"class": "select"}),
    )

    def __init__(self, table: Table, data: object = None) -> None:
        super().__init__(cast(None, data), initial={"encoding": table.encoding})
        self.labels = {name: f"{ENCODINGS[name]} ({name})" for name in table.encodings}
        cast(forms.ChoiceField, self.fields["encoding"]).choices = list(self.labels.items())


@dataclass(frozen=True)
class FileRows:
    """The rows of a file with their origin, and the names of the sheets that could be read instead.

    If they can't be imported, `error` says why.
    """

    table: Table
    origin: Origin = DEFAULT_ORIGIN
    sheets: tuple[str, ...] = ()
    error: str = ""


def read_rows(spec: ImportSpec, data: bytes, encoding: str = "", sheet: str = "") -> FileRows:
    """Read the rows of a file. Raises Unreadable if it can't be read at all."""
    table = read(data, encoding, sheet)
    sheets = tuple(table.sheet.names) if table.sheet else ()
    if not table.rows:
        return FileRows(table, build_origin(table), sheets, _("The first row must contain the column names."))
    index = header_index(spec, table.rows)
    table = table.headed_by(index)
    origin = build_origin(table, is_below_title=index > 0)
    try:
        table.check_length(spec.max_rows)
        check_has_rows(table)
    except Unreadable as error:
        return FileRows(table, origin, sheets, str(error))
    return FileRows(table, origin, sheets)


class UploadForm(forms.Form):
    """The file, and whether to overwrite existing objects. After `is_valid`, `content` and `rows` are set."""

    file = forms.FileField(
        # Translators: the label of a field: the file to import.
        label=gettext_lazy("CSV or XLSX file"),
        widget=forms.FileInput(attrs={"accept": f".csv,.tsv,.txt,.xlsx,text/csv,{XLSX}"}),
        error_messages={"required": gettext_lazy("Choose a file"), "empty": gettext_lazy("The file is empty.")},
    )
    overwrite = forms.BooleanField(
        # Translators: this: the box “Update …”; rows and cells: of the file.
        help_text=gettext_lazy(
            "If you don't select this, only new rows are imported. Empty cells don't change anything."
        ),
        required=False,
    )

    def __init__(self, request: ConsoleRequest, definition: Import, *, is_sent: bool = True) -> None:
        super().__init__(request.POST if is_sent else None, request.FILES if is_sent else None)
        self.spec = definition.spec
        self.content = b""
        self.rows: FileRows | None = None
        self.fields["overwrite"].label = definition.overwrite_label
        # Files that are far too large are discarded during the upload (FILE_UPLOAD_HANDLERS).
        if is_sent and not request.FILES and int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
            self.fields["file"].error_messages["required"] = self._too_large()

    def clean_file(self) -> None:
        upload = self.cleaned_data["file"]
        if upload.size > MAX_BYTES:
            raise forms.ValidationError(self._too_large(), code="too_large")
        self.content = bytes(upload.read())
        try:
            self.rows = read_rows(self.spec, self.content)
        except Unreadable as error:
            raise forms.ValidationError(str(error), code="unreadable") from error
        if self.rows.error and len(self.rows.sheets) < 2:
            raise forms.ValidationError(self.rows.error, code="unreadable")

    def _too_large(self) -> str:
        return _("The file is too large. The limit is 1 MB.")
