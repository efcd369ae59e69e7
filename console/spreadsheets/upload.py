"""The form that a file is sent with."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.http import ConsoleRequest
from console.spreadsheets.importer import Line, find_lines
from console.spreadsheets.read import Unreadable, read
from console.spreadsheets.spec import Import

MOST_BYTES = 1024 * 1024


class UploadForm(forms.Form):
    """The file, and what to do with what exists already; `lines` are the rows of a file that can be read."""

    file = forms.FileField(
        label=gettext_lazy("CSV file"),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv"}),
        error_messages={"required": gettext_lazy("Choose a file"), "empty": gettext_lazy("The file is empty")},
    )
    overwrite = forms.BooleanField(
        help_text=gettext_lazy("Otherwise they are left unchanged. Empty cells change nothing."), required=False
    )

    def __init__(self, request: ConsoleRequest, definition: Import) -> None:
        is_sent = request.method == "POST"
        super().__init__(request.POST if is_sent else None, request.FILES if is_sent else None)
        self.spec = definition.spec
        self.lines: list[Line] = []
        self.fields["overwrite"].label = definition.overwrite_label
        # What is far too large was not even kept (FILE_UPLOAD_HANDLERS).
        if is_sent and not request.FILES and int(request.headers.get("Content-Length") or 0) > MOST_BYTES:
            self.fields["file"].error_messages["required"] = self._too_large()

    def clean_file(self) -> None:
        upload = self.cleaned_data["file"]
        if upload.size > MOST_BYTES:
            raise forms.ValidationError(self._too_large(), code="too_large")
        try:
            self.lines = find_lines(self.spec, read(upload.read()))
        except Unreadable as error:
            raise forms.ValidationError(str(error), code="unreadable") from error

    def _too_large(self) -> str:
        return _("The file is too large: at most 1 MB.")
