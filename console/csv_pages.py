"""The pages and files of CSV export and import, one for all lists.

An import is POSTs to one URL, each answered for itself, so that it works without JavaScript: the file is answered with
a page of what each row would become; that page's form with one of what it became; and from both, those rows that could
not be imported are answered as a file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from console.csv import Unreadable, file_response, read
from console.csv_import import (
    MOST_BYTES,
    MOST_ROWS,
    Kind,
    Line,
    Unknown,
    carry_out,
    check,
    find_lines,
    overwriting,
    pack,
    rejected,
    shown,
    template,
    unpack,
)
from console.failures import describe
from console.form_errors import upstream_message
from console.http import ConsoleRequest
from console.lists import Label, ListQuery
from console.once import once
from console.tables import Cell, Identified, ListView
from console.timezone import shown as shown_time
from console.timezone import zone_of
from console.upstream.errors import NotDone
from console.upstream.listing import Listing, ListParams

T = TypeVar("T", bound=Identified)

AT_ONCE = 100
"""Rows of one read."""
MOST_EXPORTED = 2000


class NotExported(Exception):
    """A list that can't become a whole file; the message is a sentence."""


def export(
    request: ConsoleRequest,
    query: ListQuery,
    *,
    read: Callable[[ListParams], Listing[T]],
    draw: Callable[[Listing[T]], ListView],
    list_path: str,
    more: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Answer all rows of a list as a file, with the columns that are shown; if that can't be, lead back and say why.

    `more` are further columns, by their labels, which say in each row what the page says once.
    """
    more = more or {}
    if query.keyword_error:
        return HttpResponseRedirect(query.url(list_path), status=303)
    try:
        view = draw(_read_all(query, read))
    except NotExported as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(query.url(list_path), status=303)
    rows = [[*(_text(request, cell) for cell in row.cells), *more.values()] for row in view.rows]
    return file_response(_file_name(request, view.name), [[*(c.label for c in view.columns), *more], *rows])


def _read_all(query: ListQuery, read: Callable[[ListParams], Listing[T]]) -> Listing[T]:
    """Read the pages of a list one after the other. Raises NotExported rather than leave rows out."""
    params = msgspec.structs.replace(query.params(), page=1, size=AT_ONCE)
    rows: dict[str, T] = {}
    while True:
        listing = read(params)
        if listing.result_count > MOST_EXPORTED:
            text = _("The list has %(count)s rows. At most %(most)s can be exported: search or filter.")
            raise NotExported(text % {"count": listing.result_count, "most": MOST_EXPORTED})
        before = len(rows)
        rows |= {row.id: row for row in listing.results}
        if len(rows) >= listing.result_count:
            return msgspec.structs.replace(listing, results=list(rows.values()), result_count=len(rows), page=1)
        if len(rows) == before:
            raise NotExported(_("The list changed while it was read. Export it again."))
        params = msgspec.structs.replace(params, page=params.page + 1)


def _text(request: ConsoleRequest, cell: Cell) -> str:
    """A cell as text. A date is written so that every spreadsheet knows it, in the reader's zone."""
    if not isinstance(cell.at, str):
        return cell.text
    moment, where = datetime.fromisoformat(cell.at), zone_of(request)
    is_date = cell.text == shown_time(moment, where)[0]  # and not a sentence that mentions one
    return moment.astimezone(where).date().isoformat() if is_date else cell.text


def _file_name(request: ConsoleRequest, stem: str) -> str:
    return f"{stem}-{timezone.now().astimezone(zone_of(request)).date().isoformat()}.csv"


@dataclass(frozen=True)
class ImportPage:
    """One import as its pages show it: its rules, its words, and where it leads."""

    kind: Kind
    name: str
    title: Label
    crumbs: Sequence[Mapping[str, str]]
    example: Mapping[str, str]
    template_href: str
    back: str
    hints: Sequence[Label] = field(default_factory=list)
    note: Label = ""
    """What the import does beside writing, told before it is done."""
    next: tuple[Label, str] | None = None
    """What people do when it is done, and where."""


class UploadForm(forms.Form):
    """The file, and what to do with what exists already; `lines` are the rows of a file that can be read."""

    file = forms.FileField(
        label=gettext_lazy("CSV file"),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv"}),
        error_messages={"required": gettext_lazy("Choose a file"), "empty": gettext_lazy("The file is empty")},
    )
    overwrite = forms.BooleanField(
        label=gettext_lazy("Update those that exist"),
        help_text=gettext_lazy("Otherwise they are left as they are. Empty cells change nothing."),
        required=False,
    )

    def __init__(self, request: ConsoleRequest, kind: Kind) -> None:
        is_sent = request.method == "POST"
        super().__init__(request.POST if is_sent else None, request.FILES if is_sent else None)
        self.kind = kind
        self.lines: list[Line] = []
        # What is far too large was not even kept (FILE_UPLOAD_HANDLERS).
        if is_sent and not request.FILES and int(request.headers.get("Content-Length") or 0) > MOST_BYTES:
            self.fields["file"].error_messages["required"] = self._too_large()

    def clean_file(self) -> None:
        upload = self.cleaned_data["file"]
        if upload.size > MOST_BYTES:
            raise forms.ValidationError(self._too_large(), code="too_large")
        try:
            self.lines = find_lines(self.kind, read(upload.read()))
        except Unreadable as error:
            raise forms.ValidationError(str(error), code="unreadable") from error

    def _too_large(self) -> str:
        return _("The file is too large: at most 1 MB.")


def import_page(request: ConsoleRequest, page: ImportPage) -> HttpResponse:
    """Answer each step of an import."""
    if packed := request.POST.get("lines"):
        try:
            lines = unpack(packed, _owner(request))
        except Unknown:
            form = UploadForm(request, page.kind)
            form.add_error(None, _("This page is too old. Choose the file again."))
            return _upload_page(request, page, form, status=422)
        if "rejected" in request.POST:
            return file_response(_file_name(request, f"{page.name}-not-imported"), rejected(page.kind, lines))
        if "overwrite" in request.POST:
            return _plan_page(request, page, overwriting(lines))
        return once(request, lambda key: _import(request, page, lines, key))
    form = UploadForm(request, page.kind)
    if not form.is_valid():
        return _upload_page(request, page, form, status=422 if form.is_bound else 200)
    try:
        lines = check(page.kind, form.lines)
    except NotDone as error:
        form.add_error(None, upstream_message(error, _("Failed to check the file.")))
        return _upload_page(request, page, form, status=describe(error).status)
    return _plan_page(request, page, overwriting(lines) if form.cleaned_data["overwrite"] else lines)


def template_file(page: ImportPage) -> HttpResponse:
    """Answer a file to begin with: the header and one example."""
    return file_response(f"{page.name}-template.csv", template(page.kind, page.example))


def _import(request: ConsoleRequest, page: ImportPage, lines: list[Line], key: str) -> HttpResponse:
    try:
        result = carry_out(page.kind, lines, key)
    except NotDone as error:
        text = upstream_message(error, _("Failed to import the rows."))
        return _plan_page(request, page, lines, error=text, status=describe(error, was_write=True).status)
    count = sum(line.is_due for line in result)
    done = ngettext("%(count)s row was imported.", "%(count)s rows were imported.", count) % {"count": count}
    return _rows_page(request, page, result, is_done=True, good=count, good_text=done)


def _upload_page(request: ConsoleRequest, page: ImportPage, form: UploadForm, *, status: int) -> HttpResponse:
    columns = [
        (column.label, "" if column.required else _("(optional)")) for column in page.kind.form.base_fields.values()
    ]
    context = {"page": page, "form": form, "columns": columns, "most": MOST_ROWS, "back": page.back}
    return render(request, "groups/csv_import.html", context, status=status)


def _plan_page(
    request: ConsoleRequest, page: ImportPage, lines: list[Line], *, error: str = "", status: int = 200
) -> HttpResponse:
    count = sum(line.is_due for line in lines)
    exist = sum(line.present is not None and bool(line.reason) for line in lines)
    context = {
        "good": count,
        "good_text": ngettext("%(count)s row can be imported.", "%(count)s rows can be imported.", count)
        % {"count": count},
        "button": ngettext("Import %(count)s row", "Import %(count)s rows", count) % {"count": count},
        "exist_text": ngettext("%(count)s row exists already.", "%(count)s rows exist already.", exist)
        % {"count": exist}
        if exist
        else "",
        "packed": pack(lines, _owner(request)) if count or exist else "",
        "error": error,
        "is_next": not error,  # what failed is sent again under its own id
    }
    return _rows_page(request, page, lines, status=status, **context)


def _rows_page(
    request: ConsoleRequest, page: ImportPage, lines: list[Line], *, status: int = 200, **context: Any
) -> HttpResponse:
    """The rows of a file, those that need a look first; what becomes of a row stands before its other cells."""
    is_done = "is_done" in context
    bad = [line for line in lines if line.reason and (is_done or not line.present)]
    if is_done:
        text = ngettext("%(count)s row was not imported.", "%(count)s rows were not imported.", len(bad))
    else:
        text = ngettext("%(count)s row can't be imported.", "%(count)s rows can't be imported.", len(bad))
    lines = sorted(lines, key=lambda line: (not line.reason, line.present is None))
    labels, cells = shown(page.kind, lines)
    context |= {
        "page": page,
        "labels": labels,
        "rows": [
            (line, row[0], _details(line, is_done=is_done), list(zip(labels[1:], row[1:], strict=True)))
            for line, row in zip(lines, cells, strict=True)
        ],
        "bad_text": text % {"count": len(bad)} if bad else "",
        "packed_bad": pack(bad, _owner(request)) if bad else "",
        "back": page.back,
    }
    return render(request, "groups/csv_import_rows.html", context, status=status)


def _details(line: Line, *, is_done: bool) -> list[str]:
    """Why it is not imported, or what it changes, or would change."""
    if line.present and not (is_done and line.reason):
        return line.present.texts or [_("Exists already. There is nothing to change.")]
    return [line.reason] if line.reason else []


def _owner(request: ConsoleRequest) -> str:
    """Whose import of what: another administrator's rows, or those of another clinic, are not taken."""
    return f"{request.admin.organization_id}:{request.admin.id}:{request.path}"
