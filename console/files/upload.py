"""The forms of an upload: the file, then the questions that only its sender can answer."""

from base64 import b64decode, b64encode
from binascii import Error
from typing import cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.files.columns import ColumnsForm, header_index
from console.files.encodings import ENCODINGS
from console.files.importer import DEFAULT_ORIGIN, Line, find_lines
from console.files.origin import build_origin
from console.files.read import Table, Unreadable, build_preview, read
from console.files.spec import Import
from console.files.write import XLSX
from console.web.request import ConsoleRequest

MAX_BYTES = 1024 * 1024


class EncodingForm(forms.Form):
    """Choose the encoding of a file from the possible ones."""

    encoding = forms.ChoiceField(
        label=gettext_lazy("Character encoding"), widget=forms.Select(attrs={"class": "select"})
    )

    def __init__(self, table: Table) -> None:
        super().__init__(initial={"encoding": table.encoding})
        self.labels = {name: f"{ENCODINGS[name]} ({name})" for name in table.encodings}
        cast(forms.ChoiceField, self.fields["encoding"]).choices = list(self.labels.items())


class UploadForm(forms.Form):
    """The file, and whether to overwrite existing objects.

    After `is_valid`, `lines` are the rows of the file. If they are empty, there is a question: which `encoding` is
    right, with a `preview`, or which columns are which (`columns`). The page then carries the file as `uploaded`,
    because it is not stored. It does so, too, if another one of the `sheets` can be read.
    """

    file = forms.FileField(
        label=gettext_lazy("CSV or XLSX file"),
        widget=forms.FileInput(attrs={"accept": f".csv,.tsv,.txt,.xlsx,text/csv,{XLSX}"}),
        error_messages={"required": gettext_lazy("Choose a file"), "empty": gettext_lazy("The file is empty")},
    )
    overwrite = forms.BooleanField(
        # Translators: they: the rows that exist already, if the box “Update …” is not checked.
        help_text=gettext_lazy("Otherwise they are left unchanged. Empty cells change nothing."),
        required=False,
    )

    def __init__(self, request: ConsoleRequest, definition: Import) -> None:
        is_sent = request.method == "POST"
        super().__init__(request.POST if is_sent else None, request.FILES if is_sent else None)
        self.spec = definition.spec
        self.lines: list[Line] = []
        self.uploaded = ""
        self.encoding: EncodingForm | None = None
        self.preview: list[list[str]] = []
        self.chosen_encoding = ""
        self.columns: ColumnsForm | None = None
        self.origin = DEFAULT_ORIGIN
        self.sheets: list[str] = []
        self.fields["overwrite"].label = definition.overwrite_label
        if "uploaded" in self.data:
            self.fields["file"].required = False
        # Files that are far too large are discarded during the upload (FILE_UPLOAD_HANDLERS).
        elif is_sent and not request.FILES and int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
            self.fields["file"].error_messages["required"] = self._too_large()

    def clean_file(self) -> None:
        data = self._content()
        if len(data) > MAX_BYTES:
            raise forms.ValidationError(self._too_large(), code="too_large")
        try:
            self._understand(data)
        except Unreadable as error:
            raise forms.ValidationError(str(error), code="unreadable") from error

    def _content(self) -> bytes:
        if upload := self.cleaned_data["file"]:
            return bytes(upload.read()) if upload.size <= MAX_BYTES else bytes(MAX_BYTES + 1)
        try:
            return b64decode(self.data["uploaded"], altchars=b"-_", validate=True)
        except (Error, ValueError) as error:
            raise forms.ValidationError(_("Choose the file again."), code="unreadable") from error

    def _understand(self, data: bytes) -> None:
        """Set the lines, or the form of a question. Raises Unreadable."""
        chosen = self.data.get("encoding", "")
        table = read(data, chosen, self.data.get("sheet", ""))
        self.uploaded = b64encode(data, altchars=b"-_").decode()
        self.sheets = table.sheet.names if table.sheet else []
        self.origin = build_origin(table)
        if not table.rows:
            raise Unreadable(_("The first row must name the columns."))
        index = header_index(self.spec, table.rows)
        table = table.headed_by(index)
        self.origin = build_origin(table, is_below_title=index > 0)
        table.check_length(self.spec.max_rows)
        has_column_data = any(name.startswith("column-") for name in self.data)
        columns = ColumnsForm(self.spec, table, self.data if has_column_data else None)
        # Report errors that no choice of columns would resolve right away.
        lines = find_lines(table, columns.columns() if not has_column_data or columns.is_valid() else [])
        if table.encodings and (chosen != table.encoding or "preview" in self.data):
            self.encoding, self.preview = EncodingForm(table), build_preview(table)
        elif columns.is_valid() if has_column_data else columns.is_clear:
            self.lines = lines
        else:
            self.chosen_encoding, self.columns = chosen, columns

    def _too_large(self) -> str:
        return _("The file is too large: at most 1 MB.")
