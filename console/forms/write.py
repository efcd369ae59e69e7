"""The way to write that `submit` replaces."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from django.forms import BaseForm
from django.http import HttpResponse

from console.activity.content import REFUSED
from console.activity.writing import Act, Became, note
from console.forms.drafts import restore
from console.forms.errors import in_use
from console.forms.form_page import INVALID, _names_in_use, refused
from console.forms.idempotency import first_answer, may_be_done, note_may_be_done, once
from console.forms.submit import Problem, State, WriteTexts, add_problem, became, carry_out, of_repeat, problem_of
from console.forms.versioned import VersionedForm
from console.http import ConsoleRequest, wants_json
from console.lists.view import Link
from console.respond import done
from console.upstream.errors import Maintenance, NotDone, NotFound, Refused

R = TypeVar("R")


def save(
    request: ConsoleRequest,
    form: BaseForm,
    *,
    act: Callable[[str], R],
    activity: Callable[[], Act] | None,
    texts: WriteTexts,
    goto: str | Callable[[], str],
    page: Callable[..., HttpResponse],
    said: Callable[[Any], str] | None = None,
    about: Callable[[Any], Link] | None = None,
    item: Callable[[Problem | None], object] | None = None,
    undo: Callable[[], str] | None = None,
    check: Callable[[], State[Any]] | None = None,
    taken: Callable[[], Mapping[str, bool]] | None = None,
    carries: Iterable[str] = (),
) -> HttpResponse:
    """Answer the request of a form: show it, or carry it out once and go on to `goto` (303) with a message.

    `act` gets the Idempotency-Key. `activity` says what is noted of it, with the ID that `act` returns where it makes
    something; None for what nobody asks about later. `page` draws the form, with `status` and `problem` when there is
    one. `said` makes the message of a success that depends on its result or on what was typed; `about` is what was
    changed, with its address, whose name stands in the message. The result is None where only `check` knows of the
    success. `item` is what JSON answers beside the message. `undo` is the address where a POST takes it back, "" where
    none does. `check` reads what is stored now. `taken` asks the service which of the typed values somebody else has,
    by the fields' names. `carries` are fields of the page that are not those of the form.
    """

    def address() -> str:
        return goto if isinstance(goto, str) else goto()

    def refuse(problem: Problem) -> HttpResponse:
        if isinstance(form, VersionedForm) and problem.newest and (problem.is_stale or problem.is_unknown):
            form.rebase(getattr(problem.newest, "version", None))
        if problem.is_unknown or problem.is_repeat:
            problem = replace(problem, look=address())
        if wants_json(request):
            response = refused(request, problem, form, item=item(problem) if item else None)
        else:
            response = page(status=problem.status, problem=problem)
        if isinstance(problem.error, NotDone) and problem.error.retry_after:
            response.headers["Retry-After"] = str(problem.error.retry_after)
        return response

    refusal: Refused | NotFound | None = None

    def attempt(key: str) -> R:
        nonlocal refusal
        try:
            if isinstance(form, VersionedForm):
                form.check_seen()
            return act(key)
        except (Refused, NotFound) as error:
            refusal = error
            raise

    def carry_out_once(key: str) -> HttpResponse:
        # After an unknown outcome, what is there may be this form's own work.
        if taken and not may_be_done(request) and (names := _names_in_use(taken)):
            for name in names:
                form.add_error(name, in_use(form, name))
            return refuse(Problem(INVALID, texts.failed))
        with note(request, activity() if activity else None, key, form=form) as noted:
            result, problem = carry_out(lambda: attempt(key), texts, check)
            told = problem and of_repeat(request, problem, texts)
            if told is None and refusal is not None:  # what is stored is what was asked for, whoever stored it
                noted.complete(Became(REFUSED, code=refusal.code, is_as_requested=True))
            else:
                # What may have become of an earlier submission is told by the entry of that one.
                noted.complete(became(problem, id=result if isinstance(result, str) else ""))
        if problem and isinstance(problem.error, Maintenance):
            raise problem.error  # a page of its own
        problem = told
        if problem is None:
            message = said(result) if said else texts.done
            new = item(None) if item and wants_json(request) else None
            return done(
                request,
                goto=address(),
                message=message,
                about=[about(result)] if about else [],
                item=new,
                undo=undo() if undo else "",
            )
        if problem.is_unknown or problem.is_repeat:
            note_may_be_done(request)
            if texts.exists_now and taken and _names_in_use(taken):
                problem = replace(problem, details=[*problem.details, texts.exists_now])
        add_problem(form, problem)
        return refuse(problem)

    def not_carried_out(error: NotDone) -> HttpResponse:
        problem = of_repeat(request, problem_of(error, texts), texts)
        add_problem(form, problem)
        return refuse(problem)

    if request.method != "POST":
        restore(request, form, carries=carries)
        return page()
    if not form.is_valid():
        if answered := first_answer(request):
            return answered
        return refuse(of_repeat(request, Problem(INVALID, texts.failed), texts))
    return once(request, carry_out_once, not_carried_out)
