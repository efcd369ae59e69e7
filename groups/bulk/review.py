"""What is decided about many users in an access review; what is not "keep" is carried out as in their list."""

from dataclasses import replace
from datetime import tzinfo
from functools import partial

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from console.audit.content import Ref
from console.bulk.action import BulkAction, BulkList
from console.forms.return_url import return_url
from console.web.request import ConsoleRequest, zone_of
from groups import links
from groups.activity import CANCEL, DECISIONS, DELETE, KEEP, LOCK, REDUCE, found_as, reduced_permissions, reviewed
from groups.bulk.users import PERMISSIONS as PERMISSION_TEXTS
from groups.bulk.users import user_bulk
from groups.forms.permissions import INHERIT
from groups.forms.review import ReasonForm, ReduceForm
from groups.labels import PERMISSIONS
from groups.reviewing import read_group
from groups.tables.review import REVIEW
from upstream.bulk import BulkResult, RowOutcome
from upstream.resources.users import User

# What is said of keeping where it fails is never said: nothing is sent.
KEEP_TEXTS = replace(
    PERMISSION_TEXTS,
    label=DECISIONS[KEEP],
    title=_("Keep access"),
    button=lambda n: ngettext("Keep %(count)s user", "Keep %(count)s users", n),
    # Translators: heading above a list of users, of any gender, whose access stays as it is.
    planned=_("Will be kept"),
    done=lambda n: ngettext("%(count)s user kept.", "%(count)s users kept.", n),
)
REDUCE_TEXTS = replace(
    PERMISSION_TEXTS,
    label=DECISIONS[REDUCE],
    title=DECISIONS[REDUCE],
    button=lambda n: ngettext("Reduce permissions of %(count)s user", "Reduce permissions of %(count)s users", n),
)


def review_bulk(request: ConsoleRequest) -> BulkList[User]:
    """Return what can be decided in an access review; nothing is read for it."""
    upstream, users = request.upstream, user_bulk(request)
    keep: BulkAction[User] = BulkAction(
        "keep",
        KEEP_TEXTS,
        run=lambda ids, _options, _key: BulkResult(tuple(RowOutcome(ok=True, id=id) for id in ids)),
        activity="keep",
        form=partial(ReasonForm, required=True),
    )
    reduce: BulkAction[User] = BulkAction(
        "reduce",
        REDUCE_TEXTS,
        run=lambda ids, options, key: upstream.users.bulk_permissions(
            ids,
            changes=dict.fromkeys(PERMISSIONS, None if options["to"] == INHERIT else False),
            idempotency_key=key,
        ),
        activity="permissions",
        noted=reduced_permissions,
        form=ReduceForm,
    )
    decisions = (
        (KEEP, keep),
        (REDUCE, reduce),
        # Offered where a selected user has that action.
        (LOCK, replace(users.action("lock"), of_row="/lock")),
        (CANCEL, replace(users.action("cancel"), of_row="/invitation/cancel")),
        (DELETE, replace(users.action("delete"), of_row="/delete")),
    )
    return replace(
        users,
        id="bulk-review",
        path=links.review_url(),
        definition=REVIEW,
        read=partial(read_group, upstream),
        back=_back,
        actions=tuple(_deciding(decision, action, zone_of(request)) for decision, action in decisions),
    )


def _back(request: ConsoleRequest) -> str:
    """The review as it was left, which belongs to the list of users."""
    address = return_url(request, links.review_url())
    request.returns_to = links.user_list_url()
    return address


def _deciding(decision: str, action: BulkAction[User], where: tzinfo) -> BulkAction[User]:
    """Ask why, and note what was decided."""
    return replace(
        action,
        form=action.form or ReasonForm,
        noted=reviewed(decision, action.noted),
        was=lambda user: Ref(found_as(user, where)),
    )
