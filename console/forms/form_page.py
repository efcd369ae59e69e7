"""The responses of form views before a write, and after one that was not carried out: a page, or JSON."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from django.forms import BaseForm
from django.http import HttpResponse

from console.errors import ActionFailed
from console.forms.drafts import restore
from console.forms.errors import in_use
from console.forms.idempotency import may_be_done
from console.forms.submit import Problem, WriteTexts, as_resubmission
from console.forms.versioned import VersionedForm
from console.web.badges import start_unknown_counts
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import Answer, json
from upstream.errors import Maintenance, NotDone, NotFound

INVALID = 422

Page = Callable[..., HttpResponse]
"""Renders the page of a form, with `status` and `problem` if there is one."""


def show_form(
    request: ConsoleRequest, form: BaseForm, page: Page, texts: WriteTexts, *, extra_fields: Iterable[str] = ()
) -> HttpResponse:
    """Show the form of a GET, with its draft if there is one, or the form of a POST with its errors (422).

    `extra_fields` are fields of the page that the form does not have.
    """
    if request.method != "POST":
        restore(request, form, extra_fields=extra_fields)
        return page()
    if not wants_json(request):
        start_unknown_counts(request)
    return refuse(request, form, as_resubmission(request, Problem(INVALID, texts.failed), texts), page)


def refuse(
    request: ConsoleRequest, form: BaseForm, problem: Problem, page: Page, *, url: str = "", item: object = None
) -> HttpResponse:
    """Show a form again with a problem.

    If the outcome is unknown, `url` is the page where the user can check it. `item` is added to a JSON response.
    """
    if isinstance(form, VersionedForm) and problem.newest and (problem.is_stale or problem.is_unknown):
        form.rebase(getattr(problem.newest, "version", None))
    if problem.is_unknown or problem.is_repeat:
        problem = replace(problem, status_url=url)
    if wants_json(request):
        response = refused(request, problem, form, item=item)
    else:
        response = page(status=problem.status, problem=problem)
    if isinstance(problem.error, NotDone | ActionFailed) and problem.error.retry_after:
        response.headers["Retry-After"] = str(problem.error.retry_after)
    return response


def refused(request: ConsoleRequest, problem: Problem, form: BaseForm, *, item: object = None) -> HttpResponse:
    """Return a problem as JSON: its sentences, and the errors of the form by field name."""
    errors = {name: [str(text) for text in messages] for name, messages in form.errors.items()}
    body = Answer(ok=False, message=" ".join(problem.sentences), errors=errors, item=item)
    return json(request, body, status=problem.status)


def reject_duplicates(
    request: ConsoleRequest, form: BaseForm, exists: Callable[[], Mapping[str, bool]], texts: WriteTexts
) -> Problem | None:
    """Add an error to each field whose value is in use; `exists` asks the service and returns a bool by field name.

    Return None if no value is in use, or if an earlier submission with an unknown outcome may have stored it.
    """
    if may_be_done(request) or not (names := _names_in_use(exists)):
        return None
    for name in names:
        form.add_error(name, in_use(form, name))
    return Problem(INVALID, texts.failed)


def add_probable_success(
    form: BaseForm, problem: Problem, exists: Callable[[], Mapping[str, bool]], text: str
) -> Problem:
    """Add `text` to a write with an unknown outcome if an object with its name exists now."""
    if not (problem.is_unknown or problem.is_repeat) or not _names_in_use(exists):
        return problem
    form.add_error(None, text)
    return replace(problem, details=[*problem.details, text])


def _names_in_use(exists: Callable[[], Mapping[str, bool]]) -> list[str]:
    """Return the fields whose values are in use; none if reading fails, because the service checks it, too."""
    try:
        return [name for name, is_in_use in exists().items() if is_in_use]
    except (NotDone, NotFound, Maintenance, ActionFailed):
        return []
