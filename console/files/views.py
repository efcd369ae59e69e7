"""The views of export and import, which all lists share.

An import is a series of POSTs to one URL, each answered with its own page, so that it works without JavaScript. The
answer to the file is a page with the planned outcome of each row; the answer to that page's form shows the actual
outcomes. Both pages offer a file with the rows that can't be, or were not imported.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from console.files.audit import complete_import, record_import
from console.files.exporter import Export
from console.files.import_view import ImportView, import_view
from console.files.importer import (
    Line,
    StaleImport,
    check,
    import_lines,
    not_known,
    overwriting,
    rejected,
    template,
    unpack,
)
from console.files.origin import Origin
from console.files.slots import ExportSlot, NotExported
from console.files.spec import Import
from console.files.upload import UploadForm
from console.files.write import Kind, csv_response, file_response, head_response, workbook_response
from console.forms.form_page import INVALID, refused
from console.forms.idempotency import SENT_BEFORE, mark_outcome_unknown, may_be_done
from console.forms.submit import Problem, WriteTexts, add_problem, problem_from, run_write
from console.lists.query import ListQuery, report_missing
from console.shell.error_pages import error_page
from console.web.failures import Failure
from console.web.request import ConsoleRequest, bound, get_tz, wants_json
from console.web.responses import Answer, json, show
from upstream.errors import Refused


def export(request: ConsoleRequest, source: Export[Any], kind: Kind) -> HttpResponseBase:
    """Return all rows of a list as a file; if that is not possible, redirect to the list with the reason.

    The status is 422 if the list can't apply a part of the address: without it the file would have more rows.
    """
    query = report_missing(request.upstream, ListQuery.read(source.definition, request.GET))
    address = query.url(source.list_path)
    if query.invalid:
        return _refuse_export(request, address, query.invalid_text)
    if query.keyword_error:  # the list shows this error
        return _redirect_to_list(request, address, str(query.keyword_error))
    if request.method == "HEAD":
        return head_response(source.definition.name, kind, day=_today(request))
    respond = csv_response if kind == "csv" else workbook_response
    slot = ExportSlot(request.admin.identity)
    try:
        with ExitStack() as ending:
            slot.acquire()
            ending.callback(slot.release)
            batches = source.batches(query)
            response = respond(source.definition.name, batches, slot, day=_today(request))
            ending.pop_all()  # from here on closing the response ends the export
        return response
    except Refused as error:
        if not query.is_keyword_refused(error):
            raise
        return _refuse_export(request, address, str(query.with_refused_keyword().keyword_error))
    except NotExported as error:
        if not wants_json(request):
            messages.error(request, str(error))
        return _redirect_to_list(request, address, str(error))


def _refuse_export(request: ConsoleRequest, address: str, text: str) -> HttpResponse:
    return error_page(request, Failure(INVALID, _("The list was not exported"), text), list_href=address)


def _redirect_to_list(request: ConsoleRequest, address: str, text: str) -> HttpResponse:
    if wants_json(request):
        return json(request, Answer(ok=False, message=text, goto=address), status=INVALID)
    return HttpResponseRedirect(address, status=303)


def template_file(definition: Import) -> HttpResponse:
    """Return a template file: the header and one example."""
    return file_response(f"{definition.name}-template", template(definition.spec, definition.example))


def runs_import(request: ConsoleRequest) -> bool:
    """Return whether a POST imports the rows of a checked file; all others only read."""
    return bool(request.POST.get("lines")) and {"rejected", "overwrite"}.isdisjoint(request.POST)


def import_page(request: ConsoleRequest, definition: Import) -> HttpResponse:
    """Answer each step of an import."""
    if packed := request.POST.get("lines"):
        return _next_step(request, definition, packed)
    form = UploadForm(request, definition)
    if request.method != "POST":
        return _upload_page(request, definition, form)
    failed = _("Failed to check the file.")
    if not form.is_valid():
        return _refuse_upload(request, definition, form, Problem(INVALID, failed))
    if not form.lines:
        return _question(request, definition, form)
    # A check writes nothing, so a failed one is never unknown.
    texts = WriteTexts(done="", failed=failed, unknown=failed)
    lines, problem = run_write(lambda: check(definition.spec, form.lines), texts)
    if problem:
        add_problem(form, problem)
        return _refuse_upload(request, definition, form, problem)
    lines = overwriting(lines or []) if form.cleaned_data["overwrite"] else lines or []
    return _plan(request, definition, lines, form.origin, form=form)


def _question(request: ConsoleRequest, definition: Import, form: UploadForm) -> HttpResponse:
    """Ask the sender of a file which encoding is right, or which column is which."""
    title = _("Are the names spelled correctly?") if form.encoding else _("Which column is which?")
    if wants_json(request):
        encodings = form.encoding.labels if form.encoding else {}
        columns = form.columns.offers() if form.columns else {}
        item = {
            "encoding": encodings,
            "preview": form.preview,
            "sheets": form.sheets,
            "sheet": form.origin.sheet,
            **columns,
        }
        return json(request, Answer(ok=False, message=title, item=item), status=INVALID)
    return show(
        request,
        "spreadsheets/import_question.html",
        status=INVALID if form.columns and form.columns.errors else 200,
        page=definition,
        title=title,
        form=form,
        back=definition.back,
    )


def _next_step(request: ConsoleRequest, definition: Import, packed: str) -> HttpResponse:
    """Answer a step with a checked file."""
    try:
        lines, origin = unpack(packed, _owner(request))
    except StaleImport:
        form = UploadForm(request, definition)
        expired = _("This page has expired. Choose the file again.")
        form.add_error(None, expired)
        return _refuse_upload(request, definition, form, Problem(INVALID, expired))
    if "rejected" in request.POST:
        rows = rejected(definition.spec, lines)
        return file_response(f"{definition.name}-not-imported", rows, day=_today(request))
    if "overwrite" in request.POST:
        return _plan(request, definition, overwriting(lines), origin)
    return _import(request, definition, lines, origin)


def _texts(*, was_sent: bool) -> WriteTexts:
    unknown = _("It is not known whether the rows were imported. Look at the list before you try again.")
    # If the second try failed, the outcome of the first one is still unknown.
    return WriteTexts(done="", failed=unknown if was_sent else _("Failed to import the rows."), unknown=unknown)


def _import(request: ConsoleRequest, definition: Import, lines: list[Line], origin: Origin) -> HttpResponse:
    spec, submission = definition.spec, request.submission
    if (error := submission.error) is not None:
        was_sent = error.may_be_done or SENT_BEFORE in request.POST
        return _not_imported(
            request, definition, lines, problem_from(error, _texts(was_sent=was_sent)), was_sent=was_sent
        )
    was_sent, key = may_be_done(request), submission.key
    submission.is_started = True
    with record_import(request, spec, lines, key) as entries:
        results, problem = run_write(
            lambda: import_lines(spec, lines, key, was_sent=was_sent), _texts(was_sent=was_sent)
        )
        complete_import(entries, lines, results or (), problem)
    if problem is None:
        view = import_view(spec, results or [], "done", _owner(request), origin=origin)
        return _rows_page(request, definition, view, made=[line.id for line in results or () if line.id])
    if problem.is_unknown or problem.is_repeat:
        mark_outcome_unknown(request)
    return _not_imported(request, definition, lines, problem, was_sent=was_sent)


def _not_imported(
    request: ConsoleRequest, definition: Import, lines: list[Line], problem: Problem, *, was_sent: bool
) -> HttpResponse:
    spec, owner = definition.spec, _owner(request)
    # A form that is sent again unchanged has the same key. Return the lines as they came, because their signature
    # contains its time and is part of the form.
    packed = request.POST["lines"]
    if was_sent or problem.is_unknown or problem.is_repeat:
        results = not_known(spec, lines, was_sent=was_sent or problem.is_repeat)
        view = import_view(spec, results, "unknown", owner, resent=lines, packed=packed)
        problem = replace(problem, status_url=definition.back)
    else:
        view = import_view(spec, lines, "plan", owner, resent=lines, packed=packed)
    return _rows_page(request, definition, view, problem=problem)


def _plan(
    request: ConsoleRequest, definition: Import, lines: list[Line], origin: Origin, *, form: UploadForm | None = None
) -> HttpResponse:
    view = import_view(definition.spec, lines, "plan", _owner(request), resent=lines, origin=origin)
    return _rows_page(request, definition, view, form=form)


def _rows_page(
    request: ConsoleRequest,
    definition: Import,
    view: ImportView,
    *,
    problem: Problem | None = None,
    made: Sequence[str] = (),
    form: UploadForm | None = None,
) -> HttpResponse:
    status = problem.status if problem else 200
    if wants_json(request):
        sentences = problem.sentences if problem else view.summary
        return json(request, Answer(ok=not problem, message=" ".join(sentences), item=view), status=status)
    return show(
        request,
        "spreadsheets/import_rows.html",
        status=status,
        page=definition,
        view=view,
        problem=problem,
        form=form,
        is_done=view.stage == "done",
        made=made,
        plan=definition.plan(len(made)) if definition.plan and made else None,
        is_next=not problem,  # a failed form is sent again with the same ID
        sent_before="" if problem is None or problem.is_unknown else request.POST.get(SENT_BEFORE, ""),
        back=definition.back,
    )


def _refuse_upload(request: ConsoleRequest, definition: Import, form: UploadForm, problem: Problem) -> HttpResponse:
    if wants_json(request):
        return refused(request, problem, form)
    return _upload_page(request, definition, form, status=problem.status)


def _upload_page(request: ConsoleRequest, definition: Import, form: UploadForm, *, status: int = 200) -> HttpResponse:
    columns = [
        # Translators: next to a field or a column that may be left empty.
        (column.label, "" if column.required else _("(optional)"))
        for column in definition.spec.form.base_fields.values()
    ]
    return show(
        request,
        "spreadsheets/import.html",
        status=status,
        page=definition,
        form=form,
        columns=columns,
        max_rows=definition.spec.max_rows,
        back=definition.back,
    )


def _owner(request: ConsoleRequest) -> str:
    """Return the salt of signed rows, which are not accepted from another administrator or path."""
    return bound(request, "import", request.path)


def _today(request: ConsoleRequest) -> date:
    return timezone.now().astimezone(get_tz(request)).date()
