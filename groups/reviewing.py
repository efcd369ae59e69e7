"""The access review: its users, the decisions about them, and its sign-offs."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import partial

import msgspec
from django.utils import timezone
from django.utils.translation import ngettext
from msgspec.structs import replace

from console.audit.content import DONE, Change, Content, Entry, Ref, thing_key
from console.audit.query import stored_activity
from console.audit.record import recorded
from console.config.encryption import Unreadable
from console.errors import FeatureUnavailable
from console.l10n.numbers import number_text
from console.lists.query import ID
from console.lists.view import Progress
from console.web.request import ConsoleRequest, get_organization_key, get_tz
from groups.audit.review import (
    LOCK,
    OPEN,
    REVIEW_ACTIONS,
    SIGN_OFF,
    UNLOCK,
    UNREADABLE,
    last_login_state,
)
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound, Refused
from upstream.listing import PAGE_LIMIT, Incomplete, Listing, ListParams, chunked, read_all
from upstream.resources.permissions import NAMES
from upstream.resources.users import ACTIVE, INVITATION_EXPIRED, INVITED, User

AWAY_DAYS = 180
AWAY, NEVER, PENDING, OVERRIDDEN = "away", "never", "invited", "own"
MAX_SIGNED_OFF_USERS = 10_000
"""Users of a group that can be signed off at once."""
MAX_PROGRESS_USERS = 500
"""Decided users with whom the progress is still shown: finding those in a group takes a call per 100 users."""
_NOT_KNOWN = (400, 422)
"""Statuses with which a service refuses a filter."""


@dataclass(frozen=True)
class ReviewGroup:
    """Users who are reviewed together: the filters that list them, and a check that a user can be one of them.

    A service that doesn't know a filter ignores it.
    """

    filters: Mapping[str, tuple[str, ...]]
    fits: Callable[[User, datetime], bool] = lambda _user, _now: True


def _is_away(user: User, now: datetime) -> bool:
    """Return True if the user may be away for AWAY_DAYS.

    One day less is enough: the clocks of two hosts may differ, and the day of a login may be rounded.
    """
    return user.last_login_date is None or user.last_login_date <= now - timedelta(days=AWAY_DAYS - 1)


REVIEW_GROUPS = {
    AWAY: ReviewGroup({"inactive_days": (str(AWAY_DAYS),), "status": (ACTIVE,)}, _is_away),
    NEVER: ReviewGroup(
        {"never_logged_in": ("true",), "status": (ACTIVE,)},
        lambda user, _now: user.last_login_date is None and not user.is_invited,
    ),
    PENDING: ReviewGroup({"status": (INVITED, INVITATION_EXPIRED)}, lambda user, _now: user.is_invited),
    OVERRIDDEN: ReviewGroup({"own_permission": tuple(NAMES), "status": (ACTIVE, INVITED, INVITATION_EXPIRED)}),
}
EXCLUSIVE_GROUPS = (AWAY, NEVER, PENDING)
"""The groups that have no user in common; each of their users may have own settings, too."""


class FilterRefused(FeatureUnavailable):
    """The service refuses the filter of a group."""


def read_group(upstream: Upstream, params: ListParams) -> Listing[User]:
    """Read a page of the users of the filter `group`, or those of some IDs.

    Raises FeatureUnavailable if the service can't list them.
    """
    organization, filters = upstream.organization_id, dict(params.filters)
    if params.ids:
        return upstream.users.list(params, organization_id=organization)
    (name,) = filters.pop("group", (AWAY,))
    group_params = replace(params, filters={**filters, **REVIEW_GROUPS[name].filters})
    try:
        listing = upstream.users.list(group_params, organization_id=organization)
    except Refused as error:
        if error.status in _NOT_KNOWN:
            raise FilterRefused("the filter is refused") from error
        raise
    if not _is_filter_applied(upstream, name, listing, is_first=params.page == 1):
        raise FeatureUnavailable("the filter is not known")
    return listing


def _is_filter_applied(upstream: Upstream, name: str, listing: Listing[User], *, is_first: bool) -> bool:
    """Return True if the users can be those of the group.

    Users don't show their own settings, but a service that counts these also knows the filter.
    """
    if name != OVERRIDDEN:
        return all(REVIEW_GROUPS[name].fits(user, timezone.now()) for user in listing.results)
    clinic = next((user.clinic_id for user in listing.results if ID.fullmatch(user.clinic_id)), "")
    if not (is_first and clinic):
        return not is_first or not listing.results
    try:
        return bool(upstream.permissions.get_for_clinic(clinic).override_counts)
    except NotFound:
        return False


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision about a user in an access review: its code, the user, and the outcome of its action.

    `last_login` is the day of the last login then, or a code instead (`groups.audit.review.last_login_text`).
    """

    id: str
    user: Ref
    clinic: Ref = Ref()
    last_login: str = ""
    code: str = OPEN
    reason: str = ""
    by: str = ""
    at: datetime | None = None
    outcome: str = DONE

    @classmethod
    def from_entry(cls, entry: Entry) -> "Decision | None":
        """Read a decision from the entry of its action or of a sign-off; None if the entry has none.

        One that can't be decrypted may have been a decision, so it is never left out: its entry's ID stands for the
        user.
        """
        about, is_signed = entry.content, entry.action == SIGN_OFF
        if not entry.is_readable:
            at = None if is_signed else entry.at
            return cls(id=entry.id, user=Ref("", entry.id), code=UNREADABLE, at=at, outcome=entry.outcome)
        changes = {change.field: change for change in about.changes}
        if not (decided := changes.get("decision")):
            return None

        def text(name: str, otherwise: str = "") -> str:
            return str(changes[name].new or "") if name in changes else otherwise

        return cls(
            id=entry.id,
            user=about.target,
            clinic=about.clinic,
            last_login=str(decided.old or ""),
            code=str(decided.new or ""),
            reason=text("reason"),
            by=text("decided_by", "" if is_signed else about.who),
            at=_moment(text("decided_on")) if is_signed else entry.at,
            outcome=entry.outcome,
        )

    def changes(self) -> list[Change]:
        """Return the changes that the entry of the sign-off stores."""
        changes = [Change("decision", self.last_login or None, self.code)]
        changes += [Change("reason", None, self.reason)] if self.reason else []
        changes += [Change("decided_by", None, self.by)] if self.by else []
        return changes + ([Change("decided_on", None, self.at.isoformat())] if self.at else [])

    @classmethod
    def none(cls, user: User, tz: tzinfo) -> "Decision":
        """Return the lack of a decision about a user."""
        clinic = Ref(user.clinic_id, user.clinic_name)
        return cls(id=user.id, user=Ref(user.id, user.name), clinic=clinic, last_login=last_login_state(user, tz))


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


@dataclass(frozen=True)
class Review:
    """The content of a sign-off: the decisions, and the groups whose users the service can't list.

    `decisions` are those that were stored, by `thing_key`; `lines` are these and the users without one, whose numbers
    by group are `undecided` (a user of two groups counts in the first).
    """

    lines: Sequence[Decision]
    unavailable: Sequence[str]
    last_sign_off: str
    decisions: Mapping[str, Decision]
    undecided: Mapping[str, int]

    @property
    def undecided_count(self) -> int:
        return sum(line.code == OPEN for line in self.lines)

    @property
    def digest(self) -> str:
        """A hash of the users, the decisions about them and the groups; the form of the sign-off sends it."""
        lines = sorted(
            msgspec.json.encode([line.user.id or line.id, line.code, line.reason, line.by, line.at, line.outcome])
            for line in self.lines
        )
        return hashlib.sha256(msgspec.json.encode([self.last_sign_off, list(self.unavailable), lines])).hexdigest()


def read_decisions(request: ConsoleRequest, users: Sequence[str]) -> tuple[dict[str, Decision], list[Decision]]:
    """Read the decisions since the last sign-off, those about these users by ID and all of them; two statements."""
    keys = {thing_key(get_organization_key(request), "user", id): id for id in users}
    decisions = _decided(request)
    return {keys[key]: decision for key, decision in decisions.items() if key in keys}, list(decisions.values())


def _decided(request: ConsoleRequest) -> dict[str, Decision]:
    """Read the last decision about each user, by `thing_key`."""
    decisions = dict[str, Decision]()
    after = int(_last_sign_off(request) or 0)
    for entry in stored_activity(request).bulk_rows("user", REVIEW_ACTIONS, after=after, single=(UNLOCK,)):
        before = decisions.get(entry.target)
        if decision := Decision.from_entry(entry) if entry.parent else None:
            if decision.code == OPEN:
                if decision.outcome == DONE:
                    decisions.pop(entry.target, None)
                continue
            if before and not entry.is_readable:
                decision = replace(before, code=UNREADABLE, reason="", by="", at=entry.at, outcome=entry.outcome)
            decisions[entry.target] = decision
        elif entry.action == UNLOCK and entry.outcome == DONE and before and before.code == LOCK:
            del decisions[entry.target]  # unlocked outside of the review
    return decisions


def read_progress(
    upstream: Upstream,
    counts: Mapping[str, int | None],
    overlaps: Sequence[int | None],
    decisions: Sequence[Decision] | None,
) -> Progress | None:
    """Return how many users are decided, as the sign-off counts them; None if that can't be known.

    `counts` are those of the groups now, None for one that the service can't list. `overlaps` are the numbers of users
    with own settings in the exclusive groups.
    """
    if decisions is None or None in [counts.get(name) for name in EXCLUSIVE_GROUPS]:
        return None
    overrides = max(0, (counts.get(OVERRIDDEN) or 0) - sum(count or 0 for count in overlaps))
    listed = sum(counts[name] or 0 for name in EXCLUSIVE_GROUPS) + overrides
    decided = _count_listed(upstream, [name for name, count in counts.items() if count], decisions)
    if decided is None:
        return None
    total = len(decisions) + max(0, listed - decided)
    return Progress(len(decisions), total, reviewed_text(len(decisions), total)) if total else None


def _count_listed(upstream: Upstream, groups: Sequence[str], decisions: Sequence[Decision]) -> int | None:
    """Return how many of the users with a decision are still in these groups; None if that can't be known.

    Many leave them by the decision, and others by a login. One whose decision can't be decrypted counts as listed.
    """
    ids = [decision.user.id for decision in decisions if decision.user.id]
    if len(ids) > MAX_PROGRESS_USERS:
        return None

    def read(name: str, chunk: Sequence[str]) -> list[User]:
        params = ListParams(size=PAGE_LIMIT, ids=tuple(chunk), filters=dict(REVIEW_GROUPS[name].filters))
        return upstream.users.list(params, organization_id=upstream.organization_id).results

    try:
        pages = upstream.together(*(partial(read, name, chunk) for chunk in chunked(ids) for name in groups))
    except (NotDone, NotFound):
        return None
    return len({user.id for users in pages for user in users}) + len(decisions) - len(ids)


def users_text(count: int) -> str:
    return ngettext("%(count)s user", "%(count)s users", count) % {"count": number_text(count)}


def reviewed_text(done: int, total: int) -> str:
    if not total:
        return users_text(0)
    # Translators: progress of an access review; numbers, such as “12 of 235 users reviewed”.
    text = ngettext("%(done)s of %(count)s user reviewed", "%(done)s of %(count)s users reviewed", total)
    return text % {"done": number_text(done), "count": number_text(total)}


def _last_sign_off(request: ConsoleRequest) -> str:
    last = stored_activity(request).last_done("user", SIGN_OFF)
    return last.id if last else ""


class TooManyToSign(Incomplete):
    """A group has more users than can be signed off at once."""


def read_review(request: ConsoleRequest) -> Review:
    """Read the decision about each user who was or is to be reviewed.

    Raises Incomplete rather than leave users out.
    """
    upstream, organization, unavailable = request.upstream, get_organization_key(request), list[str]()
    last_sign_off = _last_sign_off(request)
    decisions = _decided(request)
    decided, nameless, counts = dict(decisions), list[Decision](), Counter[str]()
    for name in REVIEW_GROUPS:
        params = ListParams(filters={"group": (name,)})
        try:
            listing = read_all(
                upstream.together, partial(_read_few, upstream), params=params, max_rows=MAX_SIGNED_OFF_USERS
            )
        except FeatureUnavailable as error:
            if isinstance(error, FilterRefused):
                _check_filter_is_refused(upstream)
            unavailable.append(name)
            continue
        if listing.result_count > len(listing.results):
            raise Incomplete(f"{len(listing.results)} of {listing.result_count} users")
        for user in listing.results:
            key, undecided = thing_key(organization, "user", user.id), Decision.none(user, get_tz(request))
            if not key:
                nameless.append(undecided)
                counts[name] += 1
            elif key not in decided:
                decided[key] = undecided
                counts[name] += 1
            elif not decided[key].user.id:  # it can't be decrypted
                unreadable = decided[key]
                decided[key] = replace(undecided, code=unreadable.code, at=unreadable.at, outcome=unreadable.outcome)
    return Review([*decided.values(), *nameless], unavailable, last_sign_off, decisions, counts)


def recorded_note(request: ConsoleRequest, key: str) -> str | None:
    """Return the note of the sign-off of this submission, None if none is stored. Raises DatabaseError."""
    entry = recorded(request, key)
    if entry is None:
        return None
    try:
        changes = Content.decrypt(entry.content).changes
    except Unreadable:
        return ""
    return next((str(change.new) for change in changes if change.field == "note"), "")


def is_current(request: ConsoleRequest, review: Review) -> bool:
    """Return True if no decision and no sign-off was stored since the review was read."""
    return (_last_sign_off(request), _decided(request)) == (review.last_sign_off, review.decisions)


def _check_filter_is_refused(upstream: Upstream) -> None:
    """Raise Incomplete if the service refuses every list of users, not only one with this filter."""
    try:
        upstream.users.list(ListParams(size=10), organization_id=upstream.organization_id)
    except Refused as error:
        raise Incomplete("no list of users can be read") from error


def _read_few(upstream: Upstream, params: ListParams) -> Listing[User]:
    """Read a page of a group. Raises TooManyToSign on the first one, before all of them are read."""
    listing = read_group(upstream, params)
    if listing.result_count > MAX_SIGNED_OFF_USERS:
        raise TooManyToSign(f"{listing.result_count} users")
    return listing


def decided_in(listing: Listing[Entry]) -> Listing[Decision]:
    """Return the decisions of a page of the rows of a sign-off."""
    rows = [
        Decision.from_entry(entry) or Decision(id=entry.id, user=entry.content.target, code="")
        for entry in listing.results
    ]
    return Listing(rows, listing.result_count, listing.page, listing.size)
