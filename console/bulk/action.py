"""The definitions of bulk actions: a list says how its rows are read, an action what it does to them, in which words.

Bar, plan, result and retry all follow from these two (`views.py`). They name no noun: the words are the apps'.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from django import forms
from django.http import QueryDict

from console.audit.content import Ref
from console.audit.record import Act
from console.errors import ObjectNotFound
from console.lists.query import Label, ListDefinition, ListQuery
from console.web.request import ConsoleRequest
from upstream.bulk import BulkResult
from upstream.listing import Identified, Listing, ListParams

T = TypeVar("T", bound=Identified)

Plural = Callable[[int], str]
"""The text for so many, with `%(count)s` where the number stands: `lambda n: ngettext("...", "...", n)`."""

TYPED_FROM = 6
"""A deletion of so many rows is confirmed by typing (conformance LS-15)."""


class Candidate(NamedTuple):
    """What a row is called in plan and result; `of` is the ID of what it belongs to, where its page needs that.

    The activity tells its clinic, the `target` of the act where that is not the row itself, and what it `was`.
    """

    id: str
    name: str
    detail: str = ""
    of: str = ""
    clinic: Ref = Ref()
    target: Ref = Ref()
    was: Ref = Ref()


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
    unsure: Plural
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
    again: Label
    """What is next where there is no selection, or one that is too old, forged, or of another list or administrator."""
    too_many_title: Label
    too_many: Plural


class FollowUp(NamedTuple):
    """What is best done after an action, with the rows that it was done to."""

    title: str
    text: str
    label: str
    href: str


@dataclass(frozen=True)
class BulkAction(Generic[T]):
    """What can be done to many rows at once; `name` is its last part of the address.

    `run` gets the IDs of at most a hundred rows, the options that `form` cleaned, and the Idempotency-Key. `activity`
    is the code under which it is noted; `noted` adds what it changes, given what is noted of a row (or of all, without
    a target), what `was` says that a row had before, the options, and the names of what was chosen, by value. `form`
    makes the form of the options, from what was sent or None; it is called for the plan only, so it may read choices.
    `blockers` are the sentences why a row can't be done, as far as the row itself tells. `solved_at` is the address
    where that is solved, by a row's ID, what it belongs to, and the list to return to.
    """

    name: str
    texts: ActionTexts
    run: Callable[[Sequence[str], Mapping[str, str], str], BulkResult]
    activity: str
    noted: Callable[[Act, Ref, Mapping[str, str], Mapping[str, str]], Act] = lambda act, _was, _options, _names: act
    was: Callable[[T], Ref] = lambda _row: Ref()
    form: Callable[[QueryDict | None], forms.Form] | None = None
    blockers: Callable[[T], list[str]] = lambda _row: []
    solved_at: Callable[[str, str, str], str] = lambda _id, _of, _back: ""
    deletes: bool = False
    typed_from: int | None = None
    """So many rows are confirmed by typing the name of one, else their number; TYPED_FROM for a deletion, else none."""
    tone: str = ""
    undo: str = ""
    """The address of the bulk action that takes it back, at once: what needs a form or a typed name can't be one."""
    follow_up: Callable[[Sequence[str], str], FollowUp] | None = None
    """What its result leads on to, by the IDs of what was done, and the list to return to."""
    of_row: str = ""
    """The path of the action of a row that this one is for many ("/approve"): it is offered where a selected row has
    that one. Empty for what is offered whatever is selected."""
    fits_list: Callable[[ListQuery], bool] = lambda _query: True
    """Whether any row of a list that was asked this may have that action: what is known before rows are selected."""
    is_offered: bool = True
    """Whether the service has it, as far as is known: what it has not can't be begun, but is told to its end."""


@dataclass(frozen=True)
class BulkList(Generic[T]):
    """A list whose rows can be selected; `id` is that of the form that the rows' boxes belong to (its `selection`).

    `belongs` says whether a row that the service returned is one of this list. `kind` is the activity's code for what
    its actions are done to. `back` is the address of the list as it was left. `pages` is a part of the addresses of its
    rows' pages where these don't begin with `path`: who comes back from there keeps the selection.
    """

    id: str
    path: str
    definition: ListDefinition
    texts: SelectionTexts
    read: Callable[[ListParams], Listing[T]]
    candidate: Callable[[T], Candidate]
    belongs: Callable[[T], bool]
    actions: Sequence[BulkAction[T]]
    back: Callable[[ConsoleRequest], str]
    kind: str
    pages: str = ""
    together: Callable[..., tuple[Any, ...]] | None = None
    """How several pages are read at the same time: as the client does it, unless the rows are not the service's."""
    check: Callable[[], object] = lambda: None
    """Raises an error if it is not a list of this organization. Not asked again for a job, which knows its rows."""

    def action(self, name: str) -> BulkAction[T]:
        """Return the action of this name; raise ObjectNotFound when there is none."""
        for action in self.actions:
            if action.name == name:
                return action
        raise ObjectNotFound("no such bulk action")
