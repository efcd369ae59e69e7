"""Decisions in an access review, about many users or one; except "keep", they run as in the list of users."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.bulk.action import BulkAction, Options, plural
from console.lists.query import ListQuery
from console.web.request import get_tz
from groups.audit.permissions import permission_changes
from groups.audit.review import CANCEL, DECISIONS, DELETE, KEEP, LOCK, OPEN, REDUCE, last_login_state
from groups.bulk.users import AllUserActions, CancelInvitations, ChangePermissions, DeleteUsers, LockUsers, UnlockUsers
from groups.forms.permissions import INHERIT
from groups.forms.review import KEEP_REASON, ReasonForm, ReduceForm
from groups.labels import PERMISSIONS
from groups.links.review import decision_url
from groups.reviewing import PENDING, read_group
from groups.tables.review import REVIEW
from upstream.bulk import BulkResult, RowOutcome
from upstream.listing import Listing, ListParams
from upstream.resources.users import User


class _Decision(BulkAction[User]):
    """An action that asks for its reason, and records the decision and the user's last login."""

    decision: ClassVar[str]

    def form(self, data: QueryDict | None) -> forms.Form:
        return super().form(data) or ReasonForm(data)

    def previous(self, row: User) -> Ref:
        return Ref(last_login_state(row, get_tz(self.request)))

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        action = super().entry(action, previous, options, names)
        reason = [Change("reason", None, options["reason"])] if options.get("reason") else []
        changes = [*(action.changes or ()), Change("decision", previous.id or None, self.decision), *reason]
        return replace(action, changes=changes)


class Keep(_Decision):
    decision = KEEP
    name = "keep"
    # The texts for failures are never shown: nothing is sent.
    texts = replace(
        ChangePermissions.texts,
        label=DECISIONS[KEEP],
        title=_("Keep access"),
        button=plural("Keep access for %(count)s user", "Keep access for %(count)s users"),
        # Translators: heading above a list of users, of any gender, whose access stays as it is.
        planned=_("Will keep access"),
        done=plural("Access kept for %(count)s user.", "Access kept for %(count)s users."),
        # Translators: %(name)s: a user, of any gender, whose access stays as it is after a review.
        row_done=_("Access kept for %(name)s."),
    )

    @property
    def undo_url(self) -> str:
        return f"{self.bulk_list.path}/bulk/{Reopen.name}"

    def row_undo_url(self, id: str) -> str:
        return decision_url(id, Reopen.name)

    def form(self, data: QueryDict | None) -> forms.Form:
        """Return the form with its reason, which in the list is a field for all rows that are kept there."""
        if data and KEEP_REASON in data:
            return ReasonForm({"reason": data[KEEP_REASON]}, required=True)
        return ReasonForm(data, required=True)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return _all_done(ids)


class _ReducePermissions(BulkAction[User]):
    name = "reduce"
    activity = "permissions"
    texts = replace(
        ChangePermissions.texts,
        label=DECISIONS[REDUCE],
        title=DECISIONS[REDUCE],
        button=plural("Reduce permissions for %(count)s user", "Reduce permissions for %(count)s users"),
    )

    def form(self, data: QueryDict | None) -> forms.Form:
        return ReduceForm(data)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        changes = dict.fromkeys(PERMISSIONS, None if options["to"] == INHERIT else False)
        return self.upstream.users.bulk_permissions(ids, changes=changes, idempotency_key=key)

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        return replace(action, changes=permission_changes(dict.fromkeys(PERMISSIONS, options["to"]), {}))


class Reduce(_Decision, _ReducePermissions):
    decision = REDUCE


class Lock(_Decision, LockUsers):
    decision = LOCK
    # Translators: %(name)s: a user, of any gender, maybe with the email address.
    texts = replace(LockUsers.texts, row_done=_("%(name)s was locked."))
    row_action = "/lock"

    def row_undo_url(self, id: str) -> str:
        return decision_url(id, Unlock.name)


class Cancel(_Decision, CancelInvitations):
    decision = CANCEL

    @classmethod
    def fits_list(cls, query: ListQuery) -> bool:
        return query.filters["group"] == (PENDING,)


class Delete(_Decision, DeleteUsers):
    decision = DELETE
    row_action = ""  # rows offer what can be undone


class _Cleared(_Decision):
    """An action that reverts a decision, which is open again then."""

    decision = OPEN

    def form(self, data: QueryDict | None) -> forms.Form:
        """Return an empty form: to clear a decision needs no reason."""
        return forms.Form(data)


class Reopen(_Cleared):
    name = "reopen"
    # The texts for failures are never shown: nothing is sent.
    texts = replace(
        ChangePermissions.texts,
        label=_("Clear decision"),
        title=_("Clear decisions"),
        button=plural("Clear %(count)s decision", "Clear %(count)s decisions"),
        # Translators: heading above a list of users whose decision in an access review is taken back.
        planned=_("Decision will be cleared"),
        done=plural("%(count)s decision cleared.", "%(count)s decisions cleared."),
        # Translators: %(name)s: a user; the decision about their access was taken back.
        row_done=_("Decision about %(name)s cleared."),
    )

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return _all_done(ids)


class Unlock(_Cleared, UnlockUsers):
    # Translators: %(name)s: a user, of any gender, maybe with the email address.
    texts = replace(UnlockUsers.texts, row_done=_("%(name)s was unlocked."))
    undo_url = ""


def _all_done(ids: Sequence[str]) -> BulkResult:
    """Return the result of an action that only the activity records."""
    return BulkResult(tuple(RowOutcome(ok=True, id=id) for id in ids))


class ReviewActions(AllUserActions):
    """The decisions in an access review."""

    id = "bulk-review"
    definition = REVIEW
    actions = (Keep, Lock, Reduce, Cancel, Delete)
    undo_actions = (Reopen, Unlock)
    url_name = "groups:review-list"

    def read(self, params: ListParams) -> Listing[User]:
        return read_group(self.upstream, params)
