"""Adding pasted serial numbers: they are shown as rows first, and added after a review."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.files.audit import complete_import, record_import
from console.files.import_view import ImportView, import_view
from console.files.importer import Line, check, import_lines, overwriting
from console.files.spec import ImportSpec
from console.forms.drafts import form_data_or_draft, restore
from console.forms.form_page import INVALID, refused
from console.forms.idempotency import idempotent, mark_outcome_unknown, may_be_done
from console.forms.return_url import return_url
from console.forms.submit import Problem, WriteTexts, add_problem, as_resubmission, problem_from, run_write
from console.l10n.numbers import ngettext
from console.web.access import private
from console.web.badges import start_unknown_counts
from console.web.paths import get_path
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import Answer, done, json, show
from scanners.files.expected_serials import complete_clinics, expected_spec, suggest_clinics
from scanners.forms.expected_serials import PasteForm, format_lines

CHECKED = "checked"
"""The form field with the hash of the reviewed data; only that data is added."""


def adds_serials(request: ConsoleRequest) -> bool:
    """Return True if a POST adds the reviewed rows."""
    return CHECKED in request.POST


@private(methods=("GET", "POST"))
@idempotent(writes=adds_serials)
def expected_serial_create(request: ConsoleRequest) -> HttpResponse:
    form = PasteForm(form_data_or_draft(request))
    if request.method != "POST":
        restore(request, form, extra_fields=[CHECKED])
        return _page(request, form)
    if not wants_json(request) and not adds_serials(request):
        start_unknown_counts(request)
    if not form.is_valid():
        return _refuse(request, form, Problem(INVALID, _texts().failed))
    if request.POST.get(CHECKED) != form.mark:
        return _show(request, form)
    return _add(request, form)


def _checked(request: ConsoleRequest, form: PasteForm, spec: ImportSpec) -> tuple[list[Line], Problem | None]:
    """Return the checked lines. A check writes nothing, so any failure of it is a definite one."""
    failed = _("Failed to check the serial numbers.")
    lines, problem = run_write(lambda: _check(spec, form.lines), WriteTexts(done="", failed=failed, unknown=failed))
    return overwriting(lines or []) if form.cleaned_data["overwrite"] else lines or [], problem


def _check(spec: ImportSpec, lines: list[Line]) -> list[Line]:
    return suggest_clinics(spec, check(spec, complete_clinics(spec, lines)))


def _show(request: ConsoleRequest, form: PasteForm) -> HttpResponse:
    """Show the result that each line would have."""
    spec = expected_spec(request)
    lines, problem = _checked(request, form, spec)
    if problem:
        add_problem(form, problem)
        return _refuse(request, form, problem)
    return _page(request, form, view=_plan(spec, lines), is_changed=bool(request.POST.get(CHECKED)))


def _plan(spec: ImportSpec, lines: list[Line]) -> ImportView:
    return import_view(spec, lines, "plan", "", resent=lines, is_file=False)


def _add(request: ConsoleRequest, form: PasteForm) -> HttpResponse:
    """Add the valid lines; the others stay on the page as typed, with the reasons."""
    submission, spec = request.submission, expected_spec(request)
    if submission.error is not None:
        not_started = as_resubmission(request, problem_from(submission.error, _texts()), _texts())
        add_problem(form, not_started)
        return _refuse(request, form, not_started)
    was_sent, key = may_be_done(request), submission.key
    lines, problem = _checked(request, form, spec)
    results: list[Line] | None = []
    if not problem and not any(line.is_effective for line in lines):
        return _page(request, form, view=_plan(spec, lines))
    if not problem:
        submission.is_started = True
        with record_import(request, spec, lines, key) as entry:
            results, problem = run_write(lambda: import_lines(spec, lines, key, was_sent=was_sent), _texts())
            complete_import(entry, lines, results or (), problem)
    if problem:
        problem = as_resubmission(request, problem, _texts())
        if problem.is_unknown:
            mark_outcome_unknown(request)
        add_problem(form, problem)
        return _refuse(request, form, problem)
    results = results or []
    rejected = [line for line in results if line.reasons]
    count = sum(line.is_effective for line in results)
    message = ngettext("%(count)s expected serial number added.", "%(count)s expected serial numbers added.", count)
    message = message % {"count": count}
    if not rejected:
        return done(request, goto=_list(request), message=message)
    view = import_view(spec, rejected, "done", "", is_file=False)
    if wants_json(request):
        return json(request, Answer(ok=False, message=" ".join([message, *view.summary[1:]]), item=view))
    return _page(request, PasteForm(initial={"pasted": format_lines(rejected)}), view=view, message=message)


def _refuse(request: ConsoleRequest, form: PasteForm, problem: Problem) -> HttpResponse:
    if wants_json(request):
        return refused(request, problem, form)
    if problem.is_unknown:
        problem = replace(problem, status_url=_list(request))
    return _page(request, form, problem=problem)


def _page(
    request: ConsoleRequest,
    form: PasteForm,
    *,
    view: ImportView | None = None,
    message: str = "",
    problem: Problem | None = None,
    is_changed: bool = False,
) -> HttpResponse:
    """Show the form and, below it, the result of each line; `is_changed` says that the reviewed lines were changed."""
    if view and wants_json(request) and not message:
        item = {CHECKED: form.mark, "view": view}
        return json(request, Answer(ok=False, message=" ".join(view.summary), item=item), status=INVALID)
    return show(
        request,
        "scanners/expected_serial_add.html",
        status=problem.status if problem else 200,
        problem=problem,
        form=form,
        view=view,
        message=message,
        is_changed=is_changed,
        crumbs=[{"label": _("Expected serial numbers"), "href": get_path("scanners:expected-serial-list")}],
        back=_list(request),
    )


def _list(request: ConsoleRequest) -> str:
    return return_url(request, get_path("scanners:expected-serial-list"))


def _texts() -> WriteTexts:
    return WriteTexts(
        done="",
        action=_("Add serial numbers"),
        failed=_("Failed to add the serial numbers."),
    )
