"""The views of an import, which all lists share.

The file is stored encrypted for an hour. Each question about it has its own address, so that the browser's Back button
works: `encoding`, `columns`, `values`, and `review`, which shows the planned outcome of each row. Each answer is stored
and redirects to the next step that is needed. The form of the review is sent to the address of the import, and
redirects to the page with the actual outcomes. Both pages offer a file with the rows that can't be, or were not
imported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
from django.forms import BaseForm
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from console.errors import ObjectNotFound, StorageUnavailable
from console.files.audit import complete_import, record_import
from console.files.columns import ColumnsForm, Source
from console.files.import_view import ImportView, import_view
from console.files.importer import (
    Line,
    StaleImport,
    check,
    find_lines,
    import_lines,
    not_known,
    overwriting,
    pack,
    rejected,
    unpack,
)
from console.files.origin import Origin
from console.files.read import Unreadable, build_preview
from console.files.spec import Import
from console.files.stored import earlier_choices, find_file, read_file, save_choices, store_file
from console.files.upload import EncodingForm, FileRows, UploadForm, read_rows
from console.files.values import UnknownValue, ValuesForm, create_values, created_texts, map_values
from console.files.views import local_day
from console.files.write import file_response
from console.forms.form_page import INVALID, refused
from console.forms.idempotency import SENT_BEFORE, mark_outcome_unknown, may_be_done
from console.forms.results import find_result, redirect_to_result
from console.forms.submit import CHECK_LIST, Problem, WriteTexts, add_problem, problem_from, run_write
from console.models import ImportChoices, ImportFile
from console.web.request import ConsoleRequest, bound, wants_json
from console.web.responses import Answer, json, show

ENCODING, COLUMNS, VALUES, REVIEW = STEPS = ("encoding", "columns", "values", "review")
GONE = 410


def runs_import(request: ConsoleRequest) -> bool:
    """Return whether a POST imports the rows of a checked file; all others only read."""
    return bool(request.POST.get("lines")) and {"rejected", "overwrite"}.isdisjoint(request.POST)


def import_page(request: ConsoleRequest, definition: Import) -> HttpResponse:
    """Store a file to import, import the rows of one that was checked, or show a stored result."""
    if packed := request.POST.get("lines"):
        return _checked_rows(request, definition, packed)
    if request.method != "POST":
        return _stored_result(request, definition) or _upload_page(
            request, definition, UploadForm(request, definition, is_sent=False)
        )
    form, failed = UploadForm(request, definition), _failed_check()
    if not form.is_valid() or form.rows is None:
        return _refuse_upload(request, definition, form, Problem(INVALID, failed))
    identity, header = request.admin.identity, form.rows.table.header
    choices = ImportChoices(
        definition.url, back=definition.back, header=header, overwrite=form.cleaned_data["overwrite"]
    )
    try:
        if earlier := earlier_choices(identity, definition.url, header):
            choices = msgspec.structs.replace(choices, columns=earlier.columns, values=earlier.values)
        row = store_file(identity, form.content, choices)
    except StorageUnavailable as error:
        problem = problem_from(error, WriteTexts(failed=failed, unknown=failed))
        add_problem(form, problem)
        return _refuse_upload(request, definition, form, problem)
    return _Steps(request, definition, row, form.rows).redirect()


def import_step(request: ConsoleRequest, definition: Import, import_id: str, step: str) -> HttpResponse:
    """Ask one of the questions about a stored file, store its answer, or show the planned outcomes."""
    row = find_file(request.admin.identity, definition.url, import_id)
    definition = replace(definition, back=row.content.back)
    if step not in STEPS:
        raise ObjectNotFound("no such step of an import")
    if not (data := read_file(row)):
        return _expired_page(request, definition)
    if "sheet" in request.POST:
        save_choices(row, sheet=request.POST["sheet"], encoding="", columns={}, values={})
    try:
        rows = read_rows(definition.spec, data, row.content.encoding, row.content.sheet)
    except Unreadable:  # other rules than those of the upload
        return _expired_page(request, definition)
    steps = _Steps(request, definition, row, rows)
    if "sheet" in request.POST:
        save_choices(row, header=rows.table.header)
        return steps.redirect()
    return steps.answer(step) if request.method == "POST" else steps.show(step)


@dataclass
class _Steps:
    """The steps of one import, with the answers so far."""

    request: ConsoleRequest
    definition: Import
    row: ImportFile
    rows: FileRows

    @property
    def choices(self) -> ImportChoices:
        choices: ImportChoices = self.row.content
        return choices

    def url(self, step: str) -> str:
        """Return the address of a step."""
        return f"{self.definition.url}/{self.row.pk}/{step}"

    def redirect(self, step: str = "") -> HttpResponse:
        """Redirect to a step, by default to the next one that needs an answer."""
        return HttpResponseRedirect(self.url(step or self.next_step), status=303)

    @cached_property
    def next_step(self) -> str:
        """The first step that needs an answer; the review if there is none."""
        if self.rows.table.encodings and self.choices.encoding != self.rows.table.encoding:
            return ENCODING
        if self.rows.error or self.sources is None:
            return COLUMNS
        return REVIEW if all(value.key in self.choices.values for value in self.unknown) else VALUES

    @cached_property
    def sources(self) -> list[Source] | None:
        """The sources of the columns, as they were chosen or by the heads; None if they have to be chosen."""
        if self.rows.error:
            return None
        spec, table = self.definition.spec, self.rows.table
        if self.choices.columns:
            form = ColumnsForm(spec, table, {f"column-{name}": value for name, value in self.choices.columns.items()})
            if form.is_valid():
                return form.columns()
        form = ColumnsForm(spec, table)
        return form.columns() if form.is_clear else None

    @cached_property
    def mapped(self) -> tuple[list[Line], list[UnknownValue]]:
        lines = find_lines(self.rows.table, self.sources or [])
        return map_values(self.definition.spec, lines, self.choices.values)

    @property
    def unknown(self) -> list[UnknownValue]:
        """The values of the file that their columns can't have."""
        return self.mapped[1]

    def show(self, step: str) -> HttpResponse:
        """Show a step, or redirect to an earlier one that needs an answer."""
        if step == ENCODING and self.rows.table.encodings:
            return self._encoding_page(EncodingForm(self.rows.table))
        if STEPS.index(self.next_step) < STEPS.index(step) or step == ENCODING:
            return self.redirect()
        if step == COLUMNS:
            chosen = ColumnsForm(self.definition.spec, self.rows.table, chosen=self.choices.columns)
            return self._columns_page(None if self.rows.error else chosen)
        if step == VALUES and self.unknown:
            return self._values_page(ValuesForm(self.definition.spec, self.unknown, chosen=self.choices.values))
        return self._review_page() if step == REVIEW else self.redirect()

    def answer(self, step: str) -> HttpResponse:
        """Store the answer to a step and redirect to the next one, or show the errors of the answer."""
        spec, table, data = self.definition.spec, self.rows.table, self.request.POST
        if step == ENCODING and table.encodings:
            encoding = EncodingForm(table, data)
            if not encoding.is_valid():
                return self._encoding_page(encoding)
            chosen = encoding.cleaned_data["encoding"]
            rows = read_rows(spec, read_file(self.row), chosen)
            save_choices(self.row, encoding=chosen, header=rows.table.header)
            return _Steps(self.request, self.definition, self.row, rows).redirect(ENCODING if "preview" in data else "")
        if step == COLUMNS and not self.rows.error:
            columns = ColumnsForm(spec, table, data)
            if not columns.is_valid():
                return self._columns_page(columns)
            save_choices(self.row, columns=columns.chosen())
        elif step == VALUES and self.sources is not None:
            values = ValuesForm(spec, self.unknown, data, chosen={})
            if not values.is_valid():
                return self._values_page(values)
            save_choices(self.row, values={**self.choices.values, **values.cleaned_data})
        elif step == REVIEW and "overwrite" in data:
            save_choices(self.row, overwrite=True)
        return _Steps(self.request, self.definition, self.row, self.rows).redirect()

    def _encoding_page(self, form: EncodingForm) -> HttpResponse:
        preview = build_preview(self.rows.table)
        item = {"encoding": form.labels, "preview": preview}
        return self._question_page(ENCODING, _("Do these names look right?"), form, item, preview)

    def _columns_page(self, form: ColumnsForm | None) -> HttpResponse:
        item = form.offers() if form else {}
        return self._question_page(COLUMNS, _("Match the columns"), form, item)

    def _values_page(self, form: ValuesForm) -> HttpResponse:
        # Translators: a heading: choose what each unknown value of a file means.
        return self._question_page(VALUES, _("Match the values"), form, form.offers())

    def _question_page(
        self, step: str, title: str, form: BaseForm | None, item: Mapping[str, object], preview: Sequence[object] = ()
    ) -> HttpResponse:
        """Ask a question; a client that accepts JSON gets the possible answers by field."""
        if wants_json(self.request):
            sheets = {"sheets": list(self.rows.sheets), "sheet": self.rows.origin.sheet}
            message = self.rows.error or title
            return json(self.request, Answer(ok=False, message=message, item={**sheets, **item}), status=INVALID)
        is_invalid = bool(self.rows.error or (form and form.errors))
        return show(
            self.request,
            "spreadsheets/import_question.html",
            status=INVALID if is_invalid else 200,
            page=self.definition,
            step=step,
            title=title,
            rows=self.rows,
            form=form,
            preview=preview,
            columns_url=self.url(COLUMNS) if step == VALUES else "",
            back=self.definition.back,
        )

    def _review_page(self) -> HttpResponse:
        spec, failed = self.definition.spec, _failed_check()
        # A check writes nothing, so a failed one is never unknown.
        texts = WriteTexts(done="", failed=failed, unknown=failed)
        lines, problem = run_write(lambda: check(spec, self.mapped[0]), texts)
        if problem:
            form = UploadForm(self.request, self.definition, is_sent=False)
            return _refuse_upload(self.request, self.definition, form, problem, retry_url=self.url(REVIEW))
        lines = overwriting(lines or []) if self.choices.overwrite else lines or []
        owner = _owner(self.request, self.definition)
        view = import_view(
            spec, lines, "plan", owner, resent=lines, origin=self.rows.origin, created=created_texts(spec, lines)
        )
        values_url = self.url(VALUES) if self.unknown else ""
        return _rows_page(
            self.request,
            self.definition,
            view,
            rows=self.rows,
            columns_url=self.url(COLUMNS),
            values_url=values_url,
            review_url=self.url(REVIEW),
        )


def _checked_rows(request: ConsoleRequest, definition: Import, packed: str) -> HttpResponse:
    """Import the rows of a checked file, or return those that can't be imported as a file."""
    try:
        if "overwrite" in request.POST:
            raise StaleImport  # a page of the previous release
        lines, origin = unpack(packed, _owner(request, definition))
    except StaleImport:
        form = UploadForm(request, definition, is_sent=False)
        expired = _("This page has expired. Choose the file again.")
        return _refuse_upload(request, definition, form, Problem(INVALID, expired))
    if "rejected" in request.POST:
        rows = rejected(definition.spec, lines)
        return file_response(f"{definition.name}-not-imported", rows, day=local_day(request))
    return _import(request, definition, lines, origin)


def _texts(*, was_sent: bool) -> WriteTexts:
    # If the second try failed, the outcome of the first one is still unknown.
    return WriteTexts(failed=str(CHECK_LIST) if was_sent else _("Failed to import the rows."))


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
            lambda: import_lines(spec, create_values(spec, lines, key), key, was_sent=was_sent),
            _texts(was_sent=was_sent),
        )
        complete_import(entries, lines, results or (), problem)
    if problem is None:
        return _result(request, definition, results or [], origin)
    if problem.is_unknown or problem.is_repeat:
        mark_outcome_unknown(request)
    return _not_imported(request, definition, lines, problem, was_sent=was_sent)


def _result(request: ConsoleRequest, definition: Import, lines: list[Line], origin: Origin) -> HttpResponse:
    """Redirect to the page with the outcomes; show it at once as JSON, or if it can't be stored."""
    if not wants_json(request):
        packed = pack(lines, _owner(request, definition), origin)
        if page := redirect_to_result(request, definition.back, lines=packed):
            return page
    return _result_page(request, definition, lines, origin)


def _stored_result(request: ConsoleRequest, definition: Import) -> HttpResponse | None:
    """Return the page of the result at the address of this request, if there is one."""
    stored = None if wants_json(request) else find_result(request)
    if not stored:
        return None
    try:
        lines, origin = unpack(stored.values["lines"], _owner(request, definition))
    except StaleImport:
        return None
    return _result_page(request, replace(definition, back=stored.back), lines, origin)


def _result_page(request: ConsoleRequest, definition: Import, lines: list[Line], origin: Origin) -> HttpResponse:
    view = import_view(definition.spec, lines, "done", _owner(request, definition), origin=origin)
    return _rows_page(request, definition, view, made=[line.id for line in lines if line.id])


def _not_imported(
    request: ConsoleRequest, definition: Import, lines: list[Line], problem: Problem, *, was_sent: bool
) -> HttpResponse:
    spec, owner = definition.spec, _owner(request, definition)
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


def _rows_page(
    request: ConsoleRequest,
    definition: Import,
    view: ImportView,
    *,
    problem: Problem | None = None,
    made: Sequence[str] = (),
    rows: FileRows | None = None,
    review_url: str = "",
    columns_url: str = "",
    values_url: str = "",
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
        rows=rows,
        is_done=view.stage == "done",
        made=made,
        plan=definition.plan(len(made)) if definition.plan and made else None,
        is_next=not problem,  # a failed form is sent again with the same ID
        sent_before="" if problem is None or problem.is_unknown else request.POST.get(SENT_BEFORE, ""),
        review_url=review_url,
        columns_url=columns_url,
        values_url=values_url,
        back=definition.back,
    )


def _refuse_upload(
    request: ConsoleRequest, definition: Import, form: UploadForm, problem: Problem, *, retry_url: str = ""
) -> HttpResponse:
    if wants_json(request):
        return refused(request, problem, form)
    if not form.is_bound:
        return _upload_page(request, definition, form, problem=problem, status=problem.status, retry_url=retry_url)
    return _upload_page(request, definition, form, status=problem.status)


def _expired_page(request: ConsoleRequest, definition: Import) -> HttpResponse:
    """Ask for the file again; the answers are reused for another file with the same header."""
    text = _("The file was deleted because files are stored for only one hour. Choose it again.")
    problem = Problem(GONE, text, [_("Your choices for columns and values were saved.")])
    return _refuse_upload(request, definition, UploadForm(request, definition, is_sent=False), problem)


def _upload_page(
    request: ConsoleRequest,
    definition: Import,
    form: UploadForm,
    *,
    status: int = 200,
    problem: Problem | None = None,
    retry_url: str = "",
) -> HttpResponse:
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
        problem=problem,
        retry_url=retry_url,
        columns=columns,
        max_rows=definition.spec.max_rows,
        back=definition.back,
    )


def _failed_check() -> str:
    return _("Failed to check the file.")


def _owner(request: ConsoleRequest, definition: Import) -> str:
    """Return the salt of signed rows, which are not accepted from another administrator or import."""
    return bound(request, "import", definition.url)
