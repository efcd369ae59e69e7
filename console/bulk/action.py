"""The definitions of bulk actions: a list says how its rows are read, an action what it does to them, in which words.

Bar, plan, result and retry all follow from these two (`views.py`). They name no noun: the words are the apps'.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from django import forms
from django.http import QueryDict

from console.audit.content import Ref
from console.audit.record import AuditAction
from console.errors import ObjectNotFound
from console.forms.return_url import return_url
from console.lists.query import Label, ListDefinition, ListQuery
from console.web.request import ConsoleRequest
from upstream.bulk import BulkResult
from upstream.client import Upstream
from upstream.listing import Identified, Listing, ListParams

T = TypeVar("T", bound=Identified)

Plural = Callable[[int], str]
"""The text for so many, with `%(count)s` where the number stands: `lambda n: ngettext("...", "...", n)`."""

TYPING_THRESHOLD = 6
"""A deletion of so many rows is confirmed by typing (conformance LS-15)."""


class Candidate(NamedTuple):
    """What a row is called in plan and result; `parent_id` is that of what it belongs to, where its page needs that.

    The activity records its clinic, the `target` of the act where that is not the row itself, and what it had before
    (`previous`).
    """

    id: str
    name: str
    detail: str = ""
    parent_id: str = ""
    clinic: Ref = Ref()
    target: Ref = Ref()
    previous: Ref = Ref()


@dataclass(frozen=True)
class ActionTexts:
    """The words of one action. Where nothing is said of numbers, a sentence is about one row."""

    label: Label
    """Of its button in the bar: "Delete"."""
    title: Label
    """Of its pages: "Delete users"."""
    button: Plural
    """Of its button below the plan: "Delete 2 users"."""
    planned: Label
    """The heading of the rows that it will be done to: "Will be deleted"."""
    done: Plural
    not_done: Plural
    outcome_unknown: Plural
    """How many rows it is not known of: "It is not known whether 2 users were deleted."""
    failed: Label
    unknown: Label
    cannot: Plural | None = None
    """How many rows can't be done: "1 user can't be deleted." None where all can."""
    note: Label = ""
    """What it means for people, in one line of the plan."""


@dataclass(frozen=True)
class SelectionTexts:
    """The words that all actions of one list share."""

    selected: Plural
    """In bar and plan: "3 users selected"."""
    others: Plural
    """Follows `ActionTexts.cannot`: "The other 2 can."""
    changed: Plural
    """How many were selected before the list changed."""
    nothing: Label
    """Nothing was selected."""
    all_gone: Label
    """Nothing that was selected still exists."""
    gone: Label
    """The reason of one row."""
    next_step: Label
    """What is next where there is no selection, or one that is too old, forged, or of another list or administrator."""
    too_many_title: Label
    too_many: Plural


class FollowUp(NamedTuple):
    """What is best done after an action, with the rows that it was done to."""

    title: str
    text: str
    label: str
    href: str


class BulkAction(Generic[T]):
    """What can be done to many rows at once; `name` is its last part of the address.

    Everything that its button needs belongs to the class: no list makes an instance to draw its bar.
    """

    name: ClassVar[str]
    texts: ClassVar[ActionTexts]
    activity: ClassVar[str]
    """The code under which it is recorded."""
    tone: ClassVar[str] = ""
    deletes: ClassVar[bool] = False
    typing_threshold: ClassVar[int | None] = None
    """So many rows are confirmed by typing the name of one, else their number; TYPED_FROM for a deletion, else none."""
    row_action: ClassVar[str] = ""
    """The path of the action of a row that this one is for many ("/approve"): it is offered where a selected row has
    that one. Empty for what is offered whatever is selected."""

    def __init__(self, bulk_list: "BulkList[T]") -> None:
        self.bulk_list = bulk_list
        self.request = bulk_list.request
        self.upstream = bulk_list.request.upstream

    @classmethod
    def fits_list(cls, query: ListQuery) -> bool:
        """Return whether any row of a list that was asked this may have the action, before rows are selected."""
        return True

    @classmethod
    def is_offered(cls, upstream: Upstream) -> bool:
        """Return whether the service has it, if known. What it has not can't be begun, but is reported to its end."""
        return True

    @property
    def undo_url(self) -> str:
        """The address of the bulk action that reverts it, at once: what needs a form or a typed name can't be one."""
        return ""

    def form(self, data: QueryDict | None) -> forms.Form | None:
        """Return the form of the options, from what was sent or None. It may read choices: it is made for the plan."""
        return None

    def blockers(self, row: T) -> list[str]:
        """Return the sentences why a row can't be done, if the row itself says so."""
        return []

    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        """Return the address where a blocked row is solved; `back` is the list to return to."""
        return ""

    def run(self, ids: Sequence[str], options: Mapping[str, str], key: str) -> BulkResult:
        """Do it to at most a hundred rows, with the options that the form cleaned, and the Idempotency-Key."""
        raise NotImplementedError

    def previous(self, row: T) -> Ref:
        """Return what the activity records that a row had before."""
        return Ref()

    def entry(
        self, action: AuditAction, previous: Ref, options: Mapping[str, str], names: Mapping[str, str]
    ) -> AuditAction:
        """Return the entry of a row, or of all without a target, with what it changes.

        `names` are those of what was chosen, by value.
        """
        return action

    def follow_up(self, ids: Sequence[str], back: str) -> FollowUp | None:
        """Return what its result leads on to, by the IDs of what was done, and the list to return to."""
        return None


class BulkList(Generic[T]):
    """A list whose rows can be selected; `id` is that of the form that the rows' boxes belong to (its `selection`).

    `kind` is the activity's code for what its actions are done to. `pages` is a part of the addresses of its rows'
    pages where these don't begin with `path`: who comes back from there keeps the selection.
    """

    id: ClassVar[str]
    definition: ClassVar[ListDefinition]
    texts: ClassVar[SelectionTexts]
    kind: ClassVar[str]
    actions: ClassVar[Sequence[type[BulkAction[Any]]]]
    """In their order in the bar: the first ones are in sight, the others in its menu; what destroys comes last."""
    pages = ""

    def __init__(self, request: ConsoleRequest, **_ids: str) -> None:
        """`_ids` are those of the list's address."""
        self.request = request
        self.upstream = request.upstream

    @property
    def path(self) -> str:
        raise NotImplementedError

    def back(self) -> str:
        """Return the address of the list as it was left."""
        return return_url(self.request, self.path)

    def read(self, params: ListParams) -> Listing[T]:
        raise NotImplementedError

    def together(self, *reads: Callable[[], Any]) -> tuple[Any, ...]:
        """Read several pages at the same time."""
        return self.upstream.together(*reads)

    def candidate(self, row: T) -> Candidate:
        raise NotImplementedError

    def belongs(self, row: T) -> bool:
        """Return whether a row that the service returned is one of this list."""
        return True

    def check(self) -> None:
        """Raise NotFound unless it is a list of this organization. A job is not checked: it knows its rows."""

    def offered(self) -> "Sequence[type[BulkAction[T]]]":
        """Return the actions that the service has, if known."""
        return [action for action in self.actions if action.is_offered(self.upstream)]

    def action(self, name: str) -> BulkAction[T]:
        """Make the action of this name; raise ObjectNotFound when there is none."""
        for action in self.actions:
            if action.name == name:
                return action(self)
        raise ObjectNotFound("no such bulk action")
