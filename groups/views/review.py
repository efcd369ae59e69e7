"""The access review: the users to review, the decisions, and the reviews that were signed off."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse
from django.utils.translation import gettext as _
from msgspec import UNSET
from msgspec.structs import replace

from console.audit.content import Change, Entry
from console.audit.query import stored_activity
from console.audit.record import AuditAction, record_complete
from console.bulk.views import run_bulk, runs_step
from console.errors import FeatureUnavailable, OutcomeUnknown, StateConflict
from console.files.links import export_links
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import compute_key, idempotent
from console.forms.submit import Problem, State, WriteTexts, submit
from console.l10n import dates
from console.l10n.bidi import isolated
from console.l10n.numbers import number_text
from console.lists.answers import list_json
from console.lists.choices import find_clinics
from console.lists.preferences import RedirectTo, read_query
from console.lists.query import ID, ListQuery, empty_listing, read_list, report_missing
from console.lists.view import EmptyView, ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.failures import not_loaded
from console.web.links import Link
from console.web.request import ConsoleRequest, get_tz, wants_json
from console.web.responses import done, show
from groups.audit.review import DECISIONS, SIGN_OFF
from groups.bulk.review import ReviewActions
from groups.files.review import signed_review
from groups.forms.review import KEEP_REASON, SignOffForm
from groups.links.review import review_crumbs, review_url, signed_reviews_url
from groups.links.users import users_crumb
from groups.reviewing import (
    EXCLUSIVE_GROUPS,
    MAX_SIGNED_OFF_USERS,
    REVIEW_GROUPS,
    Decision,
    Review,
    TooManyToSign,
    decided_in,
    is_current,
    read_decisions,
    read_group,
    read_progress,
    read_review,
    recorded_note,
    reviewed_text,
    users_text,
)
from groups.tables import review as tables
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import PAGE_LIMIT, Incomplete, Listing, ListParams
from upstream.resources.permissions import NAMES
from upstream.resources.users import User

_DECIDED = re.compile(rf"({ID.pattern})\.(\d{{1,3}})", re.ASCII)
"""A user who was decided about in the page: the ID, and the position of the row."""


class ReviewList(ListPage[User]):
    definition = tables.REVIEW
    template = "groups/review_list.html"
    bulk = ReviewActions

    def load(self, query: ListQuery) -> tuple[Listing[User], ListQuery]:
        upstream = self.request.upstream
        (group,) = query.filters["group"]
        others = [name for name in REVIEW_GROUPS if name != group]
        overlapping = () if query.is_narrowed else EXCLUSIVE_GROUPS  # only the progress needs them
        failed: list[str] = []
        positions = _decided_positions(self.request)
        (listing, query), clinics, decided, *counted = upstream.together(
            partial(_read, upstream, query),
            lambda: find_clinics(self.request, query),
            lambda: _read_decided(upstream, positions),
            *(partial(_count, upstream, query, name, failed) for name in others),
            *(partial(_count, upstream, query, name, failed, {"own_permission": tuple(NAMES)}) for name in overlapping),
        )
        query = report_missing(upstream, query.with_choices("clinic", clinics.choices, search_term=clinics.search_term))
        self.is_offered = listing is not None
        in_groups, overlaps = counted[: len(others)], counted[len(others) :]
        self.counts = {group: listing and listing.result_count, **dict(zip(others, in_groups, strict=True))}
        if not (self.request.GET or self.counts[group] or wants_json(self.request)):
            self._open_first_tab(query)
        listing = _with_decided(listing or empty_listing(query), decided, positions)
        self.decisions, reviewed = _decisions(self.request, [user.id for user in listing.results if user.id])
        self.clinic_names = upstream.clinics.get_known_names(listing.results)
        self.progress = (
            None if failed or query.is_narrowed else read_progress(upstream, self.counts, overlaps, reviewed)
        )
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[User]) -> ListView:
        table = tables.review_table(
            query,
            listing,
            tz=self.tz,
            decisions=self.decisions or {},
            clinic_names=self.clinic_names,
            can_lock=self.request.upstream.users.can_be_locked,
            counts=self.counts,
        )
        if not self.is_offered:
            table = replace(table, empty=EmptyView(_("This list of users isn't available.")))
        table = replace(table, progress=self.progress or UNSET)
        return with_facts(table, *self._facts(listing), once=["clinic", "status"])

    def _open_first_tab(self, query: ListQuery) -> None:
        """Redirect to the first tab that has users, if there is one."""
        for name in REVIEW_GROUPS:
            if self.counts[name]:
                raise RedirectTo(query.url(self.request.path, filters={"group": (name,)}))

    def _facts(self, listing: Listing[User]) -> list[str]:
        """Return the number of users if it is known, and a note if the decisions could not be read."""
        count = [users_text(listing.result_count)] if self.is_offered else []
        unread = _("%(filter)s: %(value)s") % {"filter": _("Decision"), "value": not_loaded()}
        return [*count, unread] if self.decisions is None else count

    def context(self) -> dict[str, Any]:
        return {"crumbs": [users_crumb()], "reason_field": KEEP_REASON}


@private(methods=("GET", "POST"))
@idempotent(writes=lambda request: "job" not in request.POST or runs_step(request), keeps_format=True)
def review_decide(request: ConsoleRequest, user_id: str, action: str) -> HttpResponse:
    """Decide about one user at once, in the list."""
    return run_bulk(request, ReviewActions(request), action, user_id)


@private(methods=("GET", "POST"))
@idempotent
def review_sign(request: ConsoleRequest) -> HttpResponse:
    form = SignOffForm(form_data_or_draft(request))
    # The input stays on the page even if the service can't be read.
    unread = (Incomplete,) if request.method == "GET" else (Incomplete, NotDone, NotFound)
    try:
        review = read_review(request)
    except TooManyToSign:
        return _sign_off_page(
            request, form, None, limit=MAX_SIGNED_OFF_USERS, status=200 if request.method == "GET" else 422
        )
    except unread:
        return _sign_off_page(request, form, None, status=200 if request.method == "GET" else 503)
    page = partial(_sign_off_page, request, form, review)
    texts = WriteTexts(
        action=_("Sign off on access review"),
        failed=_("Failed to sign off on the access review."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    key = compute_key(request, form.cleaned_data["digest"])  # of the page, regardless of the note
    if recorded_note(request, key) not in (None, form.cleaned_data["note"]):
        problem = Problem(409, _("This access review was already signed off. The note wasn't changed."))
        form.add_error(None, problem.text)
        return page(status=409, problem=problem)

    changed = _("The access review changed after you opened this page. Check the numbers before you sign off.")
    outcome = submit(
        request,
        form,
        lambda _key: _sign_off(request, review, form.cleaned_data, key),  # stores the entry itself
        texts=texts,
        verify=lambda: State(_reread(request, review), is_as_sent=False, now=changed),
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=signed_reviews_url())
    return done(request, goto=signed_reviews_url(), message=_("Access review signed off."))


class SignedReviewList(ListPage[Entry]):
    definition = tables.SIGNED_REVIEWS
    template = "groups/signed_review_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[Entry], ListQuery]:
        stored, sign_offs = stored_activity(self.request), {"act": (f"user.{SIGN_OFF}",)}
        return read_list(query, lambda params: stored.list(replace(params, filters=sign_offs)))

    def rows(self, query: ListQuery, listing: Listing[Entry]) -> ListView:
        return tables.signed_reviews_table(query, listing, tz=self.tz)

    def context(self) -> dict[str, Any]:
        return {"crumbs": review_crumbs()}


@private
def signed_review_show(request: ConsoleRequest, review_id: str) -> HttpResponse:
    entry, query, tz = signed_review(request, review_id), read_query(request, tables.SIGNED_USERS), get_tz(request)
    stored = stored_activity(request)
    listing, query = read_list(query, lambda params: decided_in(stored.rows(entry, params)))
    table = tables.signed_users_table(query, listing, path=request.path, tz=tz)
    by = _("%(filter)s: %(value)s") % {"filter": _("Signed off by"), "value": isolated(entry.content.who)}
    view = with_facts(table, tables.signed_users_text(entry), by, *filter(None, [tables.sign_off_note(entry)]))
    if wants_json(request):
        return list_json(request, view)
    date = dates.local_moment(entry.at, tz).local if entry.at else entry.id
    return show(
        request,
        "groups/signed_review_show.html",
        list=view,
        title=_("%(filter)s: %(value)s") % {"filter": _("Access review"), "value": date},
        files=export_links("groups:signed-review", entry.id),
        crumbs=[*review_crumbs(), {"label": _("Signed-off reviews"), "href": signed_reviews_url()}],
    )


def _read(upstream: Upstream, query: ListQuery) -> tuple[Listing[User] | None, ListQuery]:
    try:
        return read_list(query, partial(read_group, upstream))
    except FeatureUnavailable:
        return None, query


def _decided_positions(request: ConsoleRequest) -> dict[str, int]:
    """Return the positions in the page of the users who were decided about there, by ID."""
    matches = filter(None, map(_DECIDED.fullmatch, request.GET.getlist("decided")[:PAGE_LIMIT]))
    return {match[1]: int(match[2]) for match in matches}


def _read_decided(upstream: Upstream, positions: Mapping[str, int]) -> Sequence[User]:
    """Read the users who were decided about in the page; none if they can't be read."""
    if not positions:
        return ()
    try:
        return read_group(upstream, ListParams(size=PAGE_LIMIT, ids=tuple(positions))).results
    except (NotDone, NotFound):
        return ()


def _with_decided(listing: Listing[User], decided: Sequence[User], positions: Mapping[str, int]) -> Listing[User]:
    """Return the listing with the users whom a decision took out of it, where they were, until the page is reloaded."""
    results = list(listing.results)
    listed = {user.id for user in results}
    missing = (user for user in decided if user.id in positions and user.id not in listed)
    for user in sorted(missing, key=lambda user: positions[user.id]):
        results.insert(positions[user.id], user)
    return replace(listing, results=results)


def _count(
    upstream: Upstream,
    query: ListQuery,
    name: str,
    failed: list[str],
    filters: Mapping[str, tuple[str, ...]] = {},
) -> int | None:
    """Return the number of users in a group for the same query and more filters.

    None if the service can't list them, or if it failed, which adds the group to `failed`.
    """
    if not query.can_be_read:
        return None
    params = replace(query.params(), page=1, size=10, filters={**query.filters, **filters, "group": (name,)})
    try:
        return read_group(upstream, params).result_count
    except FeatureUnavailable:
        return None
    except (NotDone, NotFound):
        failed.append(name)
        return None


def _decisions(
    request: ConsoleRequest, users: Sequence[str]
) -> tuple[Mapping[str, Decision] | None, Sequence[Decision] | None]:
    """Return the decisions about these users by their IDs, and those about all users.

    Both are None if they can't be read, because the list is shown anyway.
    """
    try:
        return read_decisions(request, users)
    except DatabaseError:
        return None, None


def _sign_off(request: ConsoleRequest, review: Review, values: Mapping[str, Any], key: str) -> None:
    """Store each user with the decision, as the page of the form showed it.

    A form that was stored already is not stored again. Raises StateConflict if the review has changed.
    """
    if recorded_note(request, key) is not None:
        return

    def check() -> None:
        if values["digest"] != review.digest or not is_current(request, review):
            raise StateConflict("the review is not the one that the page showed")

    note = [Change("note", None, values["note"])] if values["note"] else []
    action = AuditAction("user", SIGN_OFF, changes=[Change("undecided", None, review.undecided_count), *note])
    rows = [
        (AuditAction("user", SIGN_OFF, line.user, clinic=line.clinic, changes=line.changes()), line.outcome)
        for line in review.lines
    ]
    if not record_complete(request, action, rows, key=key, check=check):
        raise OutcomeUnknown("the sign-off could not be stored")


def _reread(request: ConsoleRequest, review: Review) -> Review:
    """Return the review as it is now, or as it was read before if it can't be read again."""
    try:
        return read_review(request)
    except (Incomplete, DatabaseError):
        return review


def _sign_off_page(
    request: ConsoleRequest,
    form: SignOffForm,
    review: Review | None,
    *,
    limit: int = 0,
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the form, and how many users have which decision.

    Without a review, the users could not be read completely, or a group has more than `limit`.
    """
    if problem and problem.newest:
        review = problem.newest
    lines = review.lines if review else []
    counts = {code: sum(line.code == code for line in lines) for code in DECISIONS}
    return show(
        request,
        "groups/review_sign_off.html",
        form=form,
        digest=review.digest if review else "",
        count=reviewed_text(len(lines) - review.undecided_count, len(lines)) if review else None,
        limit=number_text(limit) if limit else "",
        undecided=review.undecided_count if review else 0,
        undecided_groups=_undecided_groups(review) if review else [],
        counts=[(str(DECISIONS[code]), number_text(count)) for code, count in counts.items() if count],
        unavailable=[str(tables.GROUPS[name]) for name in review.unavailable] if review else [],
        crumbs=review_crumbs(),
        back=review_url(),
        problem=problem,
        status=status,
    )


def _undecided_groups(review: Review) -> list[Link]:
    """Return a link to each tab with users who have no decision, with their number."""
    return [
        Link(
            _("%(filter)s: %(value)s") % {"filter": tables.GROUPS[name], "value": number_text(count)},
            f"{review_url()}?group={name}",
        )
        for name, count in review.undecided.items()
    ]
