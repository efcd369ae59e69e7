"""The pages of bulk actions: the plan, the run in batches of a hundred rows, and the result.

An action that completely succeeded has no result page: it returns to the list, which reports it. Any other result has
its own address once no row is waiting.

One form carries the job through all of them. Its button decides the step: none of these names (perform the next rows),
SHOW (only show the current state; with the value FIND the rows that match the search), RETRY (try rows again that were
not done), REMAINING (plan the selected rows beyond these), CHECK (read and plan rows again: blocked ones, or those of
an undo that asks first).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic
from urllib.parse import urlencode
from uuid import uuid4

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.translation import gettext as _
from msgspec import UNSET

from console.audit.record import record_rows
from console.bulk.action import (
    LIST_CHANGED,
    NOTHING_SELECTED,
    SELECTION_LIMIT,
    SELECTION_NOT_USABLE,
    TOO_MANY_SELECTED,
    TYPING_THRESHOLD,
    BulkAction,
    BulkList,
    Candidate,
    FollowUp,
    Plural,
    T,
)
from console.bulk.audit import build_entries, chosen_names, outcomes_by_row
from console.bulk.job import (
    MAX_EXCLUDED,
    MAX_PLANNED,
    Job,
    JobRow,
    Matching,
    NotApplicable,
    NotUsable,
    Selection,
    StaleJob,
    TooMany,
    sent_ids,
)
from console.bulk.outcomes import call_outcome, row_outcome
from console.errors import ActionFailed
from console.forms.form_page import INVALID
from console.forms.idempotency import mark_outcome_unknown, may_be_done
from console.forms.results import (
    find_result,
    find_run,
    mark_retried,
    redirect_to,
    redirect_to_result,
    remove_undo,
)
from console.forms.submit import Problem, WriteTexts, problem_from, run_write, unconfirmed_rows, with_action
from console.l10n.bidi import filled, isolated, isolated_sentence
from console.l10n.numbers import ngettext, number_text
from console.l10n.word_matching import matches_input
from console.lists.query import Label, ListQuery, report_missing
from console.shell.error_pages import answer_error, error_page
from console.web.badges import start_counts
from console.web.failures import Failure, not_offered
from console.web.message_extras import MessageExtras
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import Answer, json, show
from upstream.bulk import BulkResult
from upstream.errors import NotDone, NotFound, NotOffered, Refused
from upstream.listing import PAGE_LIMIT, ListParams, chunked, read_all
from upstream.nouns import plain

SCROLL_THRESHOLD = 8
"""More rows than this scroll in a box, so that the button stays near."""
SEARCH_THRESHOLD = 25
"""More rows than this get a search."""
MAX_MESSAGE_ROWS = 100
"""Maximum rows of a job that a message can undo: the session stores them. The result page undoes more."""
SHOW, FIND, RETRY, REMAINING, CHECK = "show", "find", "retry", "rest", "check"


def runs_step(request: ConsoleRequest) -> bool:
    """Return whether a POST confirms a plan or continues its job; all others only read."""
    return bool(request.POST.get("job")) and {SHOW, REMAINING, CHECK}.isdisjoint(request.POST)


def run_bulk(request: ConsoleRequest, bulk_list: BulkList[T], action_name: str, row_id: str = "") -> HttpResponse:
    """Answer a request of a bulk action: its plan, its next hundred rows, or its result.

    With `row_id` the action is performed on this row at once; its plan is only shown if the sent form is not valid. A
    GET shows a stored result. Any other GET comes from the address of an expired result, a link to try again, a change
    of the language, or a login: it redirects to the list. Raises ObjectNotFound if the list has no such action.
    """
    return _Step(request, bulk_list, bulk_list.action(action_name), bulk_list.back(), row_id).answer()


@dataclass(frozen=True)
class _Step(Generic[T]):
    """One request of a bulk action."""

    request: ConsoleRequest
    list: BulkList[T]
    action: BulkAction[T]
    back: str
    row_id: str = ""

    def answer(self) -> HttpResponse:
        if self.request.method != "POST":
            return self._stored_result() or self._redirect_to_list()
        if not (self.row_id or runs_step(self.request) or wants_json(self.request)):
            start_counts(self.request)  # a plan is a page, although it answers a POST
        signed = self._signed
        if not (signed or self.action.is_offered(self.request.upstream)):
            return self._refuse(self.action.texts.title, not_offered())
        try:
            job = Job.read(self.request, signed) if signed else self._planned(self._selection())
            if job.remaining and REMAINING in self.request.POST:
                job, signed = msgspec.structs.replace(self._planned(job.remaining), options=job.options), ""
            if signed and CHECK in self.request.POST:  # replan these rows; the remaining ones follow later
                ids = [row.id for row in job.rows if row.outcome in ("blocked", "waiting")]
                checked, signed = self._planned(Selection(ids)), ""
                job = msgspec.structs.replace(
                    checked, options=job.options, remaining=job.remaining, undone_run=job.undone_run
                )
            while job.remaining and not job.rows:  # none of these exist any more
                job = msgspec.structs.replace(self._planned(job.remaining), options=job.options)
            if job.rows and self._is_row_action:
                return self._run_next_batch(msgspec.structs.replace(job, key=self.request.submission.key))
            if runs_step(self.request):
                return self._run_next_batch(job)
            if job.confirmed:
                if result := find_run(self.request, job.run):
                    return self._result(job, stored=result.content.values)
                # The end of a run by script stores its result; a search stores nothing.
                return self._result(job, is_new=self.request.POST.get(SHOW) != FIND)
            if not job.rows:
                return self._to_list(
                    _("The selected rows no longer exist.") if job.selected else NOTHING_SELECTED, self.back, status=303
                )
            return self._plan(job, self._form(job))
        except (NotDone, NotFound, ActionFailed) as error:  # of a read; writes handle their errors
            return answer_error(self.request, error, list_href=self.back)
        except StaleJob:
            text = (
                _("This selection has expired. Select the rows again.")
                if self._is_back_in_list
                else _("This selection has expired. Go back and try again.")
            )
            return self._refuse(_("Selection expired"), text)
        except NotUsable:
            return self._refuse(_("Can't use this selection"), SELECTION_NOT_USABLE)
        except NotApplicable as error:
            return self._refuse(_("Can't use this selection"), str(error))
        except TooMany:
            return self._refuse(TOO_MANY_SELECTED, _counted(SELECTION_LIMIT, MAX_PLANNED + MAX_EXCLUDED))

    def _stored_result(self) -> HttpResponse | None:
        """Return the result at the address of this request, if there is one."""
        stored = None if wants_json(self.request) else find_result(self.request)
        if not stored:
            return None
        try:
            job = Job.read(self.request, stored.values["job"])
        except (StaleJob, NotUsable):
            return None
        return replace(self, back=stored.back)._result(job, stored=stored.values)

    def _redirect_to_list(self) -> HttpResponse:
        self.list.check()
        language = urlencode({"lng": self.request.GET["lng"]}) if "lng" in self.request.GET else ""
        mark = "&" if "?" in self.back else "?"
        return self._to_list(
            _("Select the rows again."), f"{self.back}{mark}{language}" if language else self.back, status=302
        )

    @property
    def _is_row_action(self) -> bool:
        """True if the request performs the action on a row without a plan before it."""
        return bool(self.row_id) and not self._signed

    @property
    def _is_back_in_list(self) -> bool:
        """False if the action was started on another page, such as that of a deletion that the rows block."""
        return self.back.partition("?")[0] == self.list.path

    @property
    def _shows(self) -> bool:
        """True if the request only shows the current state."""
        return SHOW in self.request.POST

    @property
    def _signed(self) -> str:
        """The job as it was sent. A page that doesn't change the job returns the same one, so it stays one action."""
        return self.request.POST.get("job", "")

    def _selection(self) -> Selection:
        """Return the selection of the list, or the row."""
        data = self.request.POST
        if self.row_id:
            return Selection([self.row_id])
        if data.get("all"):
            return Selection(query=data.get("query", ""), excluded=sent_ids(data.get("except", "")))
        return Selection(sent_ids(*data.getlist("id"), data.get("ids", "")))

    def _planned(self, chosen: Selection) -> Job:
        """Read and plan the first rows of a selection; the job carries the remaining ones."""
        self.list.check()
        rows, selected, remaining = self._matching(chosen) if chosen.query is not None else self._chosen(chosen)
        planned = ((self._candidate(row), self.action.blockers(row)) for row in rows)
        return Job.planned(planned, selected=selected, remaining=remaining)

    def _candidate(self, row: T) -> Candidate:
        # An address is read from the left, in every language; a sentence next to it isn't.
        plan_detail = isolated_sentence(self.action.plan_detail(row))
        return self.list.candidate(row)._replace(plan_detail=plan_detail, previous=self.action.previous(row))

    def _chosen(self, chosen: Selection) -> tuple[Sequence[T], int, Selection | None]:
        """Read rows that were selected by ID; return them, their expected number, and the remaining selection."""
        if len(chosen.ids) > MAX_PLANNED + MAX_EXCLUDED:
            raise TooMany
        now, later = chosen.ids[:MAX_PLANNED], chosen.ids[MAX_PLANNED:]
        return self._find(now), len(now), Selection(later, count=len(later)) if later else None

    def _matching(self, chosen: Selection) -> tuple[Sequence[T], int, Selection | None]:
        """Do as `_chosen` does, for all matches of a query, without rows that were planned earlier."""
        matching = Matching.read(self.request, self.list.path, self.list.definition, chosen.query or "")
        if invalid := report_missing(self.request.upstream, matching.query).invalid_text:
            raise NotApplicable(invalid)
        excluded = set(chosen.excluded)
        if len(excluded) > MAX_EXCLUDED:
            raise TooMany
        selected, limit = max(0, matching.total - len(excluded)), MAX_PLANNED + len(excluded)
        matches, count = self._read_all(matching.query, limit)
        rows = [row for row in matches if row.id not in excluded]
        if len(rows) < MAX_PLANNED or max(len(rows) - MAX_PLANNED, count - limit) <= 0:
            return rows, selected, None
        rows = rows[:MAX_PLANNED]
        without = [*chosen.excluded, *(row.id for row in rows)]
        if len(without) > MAX_EXCLUDED:
            return rows, len(rows), None
        remaining = Selection(query=chosen.query, excluded=without, count=max(1, selected - len(rows)))
        return rows, len(rows), remaining

    def _find(self, ids: Sequence[str]) -> Sequence[T]:
        """Read rows by their IDs, in this order, without those that no longer exist."""
        read = self.list.read
        pages = self.list.together(
            *(partial(read, ListParams(size=PAGE_LIMIT, ids=tuple(chunk))) for chunk in chunked(ids))
        )
        by_id = {row.id: row for page in pages for row in page.results if self.list.belongs(row)}
        return [by_id[id] for id in ids if id in by_id]

    def _read_all(self, query: ListQuery, limit: int) -> tuple[Sequence[T], int]:
        """Read at least the first `limit` matches, without rows that have no ID, and the number of all matches.

        An invalid keyword matches nothing. Raises NotApplicable for one that the service refuses.
        """
        if query.keyword_error:
            return [], 0
        try:
            listing = read_all(self.list.together, self.list.read, params=query.params(), max_rows=limit)
        except Refused as error:
            if not query.is_keyword_refused(error):
                raise
            raise NotApplicable(query.with_refused_keyword().keyword_error) from error
        return [row for row in listing.results if row.id and self.list.belongs(row)], listing.result_count

    def _form(self, job: Job, *, sent: bool = False) -> forms.Form | None:
        """Return the form of the options with the values that were chosen before, which a search has not validated."""
        form = self.action.form(self.request.POST if sent else None)
        if form and not sent:
            form.initial.update(self.request.POST.dict() if self._shows else job.options)
        return form

    def _searched(self, rows: Sequence[JobRow]) -> dict[str, Any]:
        """Return the context of the search in these rows; with scripts the browser searches."""
        find = "" if REMAINING in self.request.POST else self.request.POST.get(FIND, "").strip()
        words = plain(find)
        hidden = {row.id for row in rows if not row.has(words)} if words else set()
        return {
            "can_find": len(rows) > SEARCH_THRESHOLD,
            "scrolls": len(rows) > SCROLL_THRESHOLD,
            "find": find,
            "hidden": hidden,
            "found": len(rows) - len(hidden),
        }

    def _plan(self, job: Job, form: forms.Form | None, *, error: str = "", status: int = 200) -> HttpResponse:
        """Show what will happen to each row, blocked rows with their reasons first."""
        shared, texts = self.list.texts, self.action.texts
        blocked, waiting, total = job.finished, job.waiting, len(job.rows)
        changed = _counted(LIST_CHANGED, job.selected) if job.selected != total else ""
        cannot = _counted(texts.cannot, len(blocked)) if blocked and texts.cannot else ""
        others = _counted(shared.others, len(waiting)) if cannot and waiting else ""
        remaining_count = job.remaining.count if job.remaining else 0
        if total == 1:
            # Translators: rest: a number of selected rows.
            comes_first = _("This is the first one. After it, you can continue with the remaining %(rest)s.")
        else:
            # Translators: of the selected rows; first, rest: numbers.
            comes_first = ngettext(
                "These are the first %(first)s. After them, you can continue with the remaining %(rest)s.",
                "These are the first %(first)s. After them, you can continue with the remaining %(rest)s.",
                total,
            )
        follows = (
            comes_first % {"first": number_text(total), "rest": number_text(remaining_count)} if remaining_count else ""
        )
        if total + remaining_count > MAX_PLANNED + MAX_EXCLUDED:
            follows += " " + _counted(SELECTION_LIMIT, MAX_PLANNED + MAX_EXCLUDED)
        is_new = not self._signed or not {REMAINING, CHECK}.isdisjoint(self.request.POST)
        context: dict[str, Any] = {
            "job": job.sign(self.request, self.request.path) if is_new else self._signed,
            "to_type": self._to_type(job),
            "total": total,
            "selected": _counted(shared.selected, total + remaining_count),
            "rest": remaining_count,
        }
        if wants_json(self.request) and self._is_row_action:
            sentences = [str(text) for errors in form.errors.values() for text in errors] if form else []
            return self._row_answer([error, *sentences], status=status)
        if wants_json(self.request):
            errors = {name: [str(text) for text in messages] for name, messages in form.errors.items()} if form else {}
            answer = Answer(
                ok=status == 200,
                message=" ".join(filter(None, [follows, changed, cannot, others, error])),
                errors=errors | ({"typed": [error]} if error else {}),
                item={**context, "rows": [_as_item(row) for row in job.rows]},
            )
            return json(self.request, answer, status=status)
        return show(
            self.request,
            "bulk/plan.html",
            status=status,
            **context,
            title=texts.title,
            subject=self.list.subject,
            planned=texts.planned,
            note=texts.note,
            button=_counted(texts.button, len(waiting)),
            keep=texts.keep,
            deletes=self.action.deletes,
            follows=follows,
            changed=changed,
            cannot=cannot,
            others=others,
            form=form,
            **self._searched(job.rows),
            solved_at=self._solved_at,
            blocked=blocked,
            possible=waiting,
            error=error,
            confirmation=self.request.POST.get("typed", ""),
            back=self.back,
        )

    def _run_next_batch(self, job: Job) -> HttpResponse:
        """Perform the action on the next rows if the plan is confirmed; else show it again."""
        if not job.confirmed:
            form = self._form(job, sent=True)
            to_type = self._to_type(job)
            is_right = not to_type or matches_input(self.request.POST.get("typed", ""), to_type)
            error = "" if is_right else self._mistyped % {"text": to_type}
            if error or (form and not form.is_valid()):
                return self._plan(job, form, error=error, status=INVALID)
            options = {name: str(value or "") for name, value in form.cleaned_data.items()} if form else {}
            chosen = chosen_names(form) if form else {}
            job = msgspec.structs.replace(job, options=options, confirmed=True, chosen=chosen)
        if not job.waiting and RETRY in self.request.POST:
            stored = find_run(self.request, job.run)
            if stored and stored.content.values.get("retried"):
                return redirect_to(stored)
            job = job.retry(job.run if stored else job.retried_run)  # the page of a failed call is not stored
        if not job.waiting:
            return self._result(job)
        is_first = not job.run
        if is_first:
            job = msgspec.structs.replace(job, run=str(uuid4()))
        submission, is_retry = self.request.submission, any(row.unknown_tries for row in job.next_rows)
        if submission.error is not None:
            problem = problem_from(submission.error, self._call_texts(is_retry))
            return self._step(job, self._with_outcomes(job, None, problem, was_sent=is_retry), problem)
        # A repeat has the same key, so a service with the bulk call only repeats its first answer. Single calls without
        # a key are made once more: the first try may be the reason why they are refused.
        was_sent = is_retry or submission.is_repeat or may_be_done(self.request)
        submission.is_started = True
        ids, entries = [row.id for row in job.next_rows], build_entries(self.list, self.action, job)
        with record_rows(self.request, *entries, key=job.next_key, run=job.run, is_first=is_first) as pending:
            call = partial(self.action.run, ids, job.options, job.next_key)
            result, failure = run_write(call, self._call_texts(was_sent))
            after = self._with_outcomes(job, result, failure, was_sent=was_sent)
            pending.complete(outcomes_by_row(job, after, result, failure))
        if failure and failure.is_unknown:
            mark_outcome_unknown(self.request)
        return self._step(job, after, failure)

    @property
    def _mistyped(self) -> str:
        if self.action.deletes:
            # Translators: text: what is to be typed, such as “DELETE 12” or a name.
            return _("This doesn't match. Type “%(text)s” to delete.")
        # Translators: text: what is to be typed, such as “END 12” or a name.
        return _("This doesn't match. Type “%(text)s” to confirm.")

    def _call_texts(self, was_sent: bool) -> WriteTexts:
        # If the second try failed, the outcome of the first one is still unknown.
        unknown = _("Check the list before you try again.")
        return WriteTexts(failed=unknown if was_sent else str(self.action.texts.failed), unknown=unknown)

    def _with_outcomes(self, job: Job, result: BulkResult | None, problem: Problem | None, *, was_sent: bool) -> Job:
        """Return the job with the outcomes of a call for its next rows.

        `was_sent` says that an earlier call for them may have been carried out.
        """
        if result:
            results = {row.id: row for row in result.rows}
            outcomes = {
                row.id: row_outcome(results.get(row.id), self.action, self.list.texts.gone, was_sent=was_sent)
                for row in job.next_rows
            }
        else:
            outcome = call_outcome(problem, self.action, was_sent=was_sent)
            outcomes = dict.fromkeys([row.id for row in job.next_rows], outcome)
            if problem and isinstance(problem.error, NotOffered):  # the other rows would fail, too: end the run
                for row in job.waiting:
                    outcome = call_outcome(problem, self.action, was_sent=bool(row.unknown_tries))
                    outcomes.setdefault(row.id, outcome)
        return job.with_outcomes(outcomes)

    def _step(self, before: Job, after: Job, problem: Problem | None) -> HttpResponse:
        if before.undone_run and after.count("done") > before.count("done"):
            remove_undo(self.request, before.undone_run)
        if before.retried_run and not (problem or after.waiting):
            mark_retried(self.request, before.retried_run)
        step = {row.id for row in before.waiting} - {row.id for row in after.waiting}
        return self._result(after, problem, step=step)

    def _result(
        self,
        job: Job,
        problem: Problem | None = None,
        *,
        step: Collection[str] = (),
        stored: Mapping[str, str] | None = None,
        is_new: bool = True,
    ) -> HttpResponse:
        """Show the outcomes of the rows so far. After a call that failed as a whole the run stops.

        A page during the run lists only rows that need attention, and all rows on request. JSON has only the rows of
        its `step`, or a long run would send each row with each step. With `stored` values, the page is that of an
        earlier result: its forms have the same jobs again, so that nothing is done twice. A result that is neither
        new nor stored any longer offers no undo.
        """
        status = problem.status if problem else 200  # an error status is not stored, so the form may be sent again
        texts = self.action.texts
        done, failed, unknown = job.count("done"), job.count("failed", "blocked"), job.count("unknown")
        done_text = self.action.done_text(done, job.options, job.chosen)
        if self.row_id and texts.row_done:
            done_text = filled(texts.row_done, {"name": isolated(job.rows[0].name)})
        not_done_texts = [
            *([_counted(texts.not_done, failed)] if failed else []),
            *([unconfirmed_rows(unknown)] if unknown else []),
        ]
        failure = " ".join(problem.sentences) if problem else ""
        waiting, total, undo_url = len(job.waiting), len(job.rows), self.action.undo_url
        is_complete = done == total and not (job.remaining or problem)
        if is_complete and not wants_json(self.request) and not (undo_url and done > MAX_MESSAGE_ROWS):
            return self._to_list_done(job, done_text)
        signed = self._signed if self._shows else stored["job"] if stored else ""
        was_retried = bool(stored and stored.get("retried"))
        context: dict[str, Any] = {
            "job": signed or job.sign(self.request, self.request.path),
            "waiting": waiting,
            "seen": total - waiting,
            "total": total,
            # Translators: numbers of rows, such as “20 of 240”.
            "progress": _("%(seen)s of %(total)s")
            % {"seen": number_text(total - waiting), "total": number_text(total)},
            # Translators: a button.
            "button": ngettext(
                "Continue with the next %(count)s row", "Continue with the next %(count)s rows", len(job.next_rows)
            )
            % {"count": len(job.next_rows)},
            "can_retry": not (waiting or was_retried) and job.count("failed", "unknown") > 0,
            "rest": job.remaining.count if job.remaining else 0,
        }
        if wants_json(self.request) and self._is_row_action:
            (row,) = job.rows
            reasons = [] if is_complete else [*(row.reasons or not_done_texts), failure]
            if row.outcome == "unknown":
                reasons = [with_action(str(texts.label), reasons[0]), *reasons[1:]]
            return self._row_answer(reasons, done=done_text, is_stale=not is_complete, status=status)
        if wants_json(self.request):
            answer = Answer(
                ok=not not_done_texts,
                message=" ".join(filter(None, [done_text, *not_done_texts, failure])),
                item={
                    **context,
                    "goes_on": bool(waiting and not problem),
                    "rows": [
                        _as_item(row) for row in job.rows if (row.id in step if step else row.outcome != "waiting")
                    ],
                },
            )
            return json(self.request, answer, status=status)
        undo_job = (stored or {}).get("undo_job", "")
        is_new = is_new and stored is None
        if undo_url and done and is_new:
            undo_job = job.undone().sign(self.request, undo_url)
        # Without a run, nothing has happened.
        if job.run and is_new and not (waiting or problem):
            page = redirect_to_result(self.request, self.back, job=context["job"], undo_job=undo_job, run=job.run)
            if page:
                return page
        is_listed = self._shows or not waiting
        rows = [row for row in job.finished if is_listed or row.outcome != "done"]
        return show(
            self.request,
            "bulk/result.html",
            status=status,
            **context,
            title=texts.title,
            **self._searched(rows if is_listed else []),
            rows=rows,
            done=done_text,
            not_done=not_done_texts,
            is_listed=is_listed,
            goes_on=bool(waiting) and not problem and not self._shows,
            failure=failure,
            was_retried=was_retried,
            back=self.back,
            list_path=self.list.path,
            solved_at=self._solved_at,
            blocked=[] if waiting else [row.id for row in job.rows if row.outcome == "blocked"],
            follow_up=self._follow_up(job),
            undo=undo_url if undo_job and not waiting else "",
            undo_label=self.action.undo_label,
            undo_job=undo_job,
        )

    def _row_answer(
        self, problems: Sequence[str], *, done: str = "", is_stale: bool = False, status: int
    ) -> HttpResponse:
        """Report the outcome of a row action to its list, which stays open."""
        text = " ".join(dict.fromkeys(filter(None, problems)))
        undo = "" if text else self.action.row_undo_url(self.row_id)
        item = {"id": self.row_id, "is_stale": is_stale}
        return json(
            self.request, Answer(ok=not text, message=text or done, item=item, undo=undo or UNSET), status=status
        )

    def _follow_up(self, job: Job) -> FollowUp | None:
        """Return the suggested next action if no row is waiting and some are done."""
        ids = [row.id for row in job.rows if row.outcome == "done"]
        return self.action.follow_up(ids, job.options, self.back) if ids and not job.waiting else None

    def _solved_at(self, row: JobRow) -> str:
        return self.action.solution_url(row.id, row.parent_id, self.back)

    def _to_type(self, job: Job) -> str:
        """Return the text that must be typed to confirm this job; "" for none."""
        waiting, least = job.waiting, self.action.typing_threshold
        if least is None and self.action.deletes:
            least = TYPING_THRESHOLD
        if least is None or len(waiting) < least:
            return ""
        return waiting[0].name if len(waiting) == 1 else str(len(waiting))

    def _refuse(self, title: Label, text: Label) -> HttpResponse:
        return error_page(self.request, Failure(INVALID, str(title), str(text)), list_href=self.back)

    def _to_list_done(self, job: Job, text: str) -> HttpResponse:
        """Redirect to the list, which reports the completed action, ends the selection, and offers to undo it."""
        follow_up, undo_url = self._follow_up(job), self.action.undo_url
        fields = {"job": job.undone().sign(self.request, undo_url)} if undo_url else {}
        if undo_url and self.action.undo_label:
            fields[CHECK] = "1"
        message: str = text
        if follow_up:
            message = format_html('{} <a href="{}">{}</a>', text, follow_up.href, follow_up.label)
        extras = MessageExtras(
            undo=undo_url,
            undo_label=str(self.action.undo_label),
            fields=fields,
            finished_list=self.list.path,
        )
        messages.success(self.request, message, extra_tags=extras.encode())
        return HttpResponseRedirect(self.back, status=303)

    def _to_list(self, text: Label, address: str, *, status: int) -> HttpResponse:
        """Redirect to the list, which shows the message."""
        if wants_json(self.request):
            return json(self.request, Answer(ok=False, message=str(text), goto=address), status=INVALID)
        messages.add_message(self.request, messages.WARNING if status == 303 else messages.INFO, str(text))
        return HttpResponseRedirect(address, status=status)


def _counted(text: Plural, count: int) -> str:
    return text(count) % {"count": number_text(count)}


def _as_item(row: JobRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "detail": row.current_detail,
        "outcome": row.outcome,
        "reasons": row.reasons,
    }
