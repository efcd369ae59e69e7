"""Definitions of bulk actions: a list defines how its rows are read, an action what it does to them, and its texts.

The bar, plan, result and retry follow from these two (`views.py`). All nouns are in the texts, which the apps provide.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy
from django.utils.translation import ngettext as translate_plural

from console.audit.content import Ref
from console.audit.record import AuditAction
from console.errors import ObjectNotFound
from console.forms.return_url import return_url
from console.l10n.numbers import number_text
from console.lists.query import Label, ListDefinition, ListQuery
from console.web.failures import ITEM_GONE
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from upstream.bulk import BulkResult
from upstream.client import Upstream
from upstream.listing import Identified, Listing, ListParams, sequentially

T = TypeVar("T", bound=Identified)

Plural = Callable[[int], str]
"""A function that returns the text for a number, with `%(count)s` for it."""

Options = Mapping[str, str]
"""The chosen options of a form by field, or their labels by value."""

TYPING_THRESHOLD = 6
"""A deletion of at least this many rows is confirmed by typing (conformance LS-15)."""


def plural(one: str, many: str) -> Plural:
    """Return the function of a text that has both forms; it is translated when it is called."""
    return lambda n: translate_plural(one, many, n)


LIST_CHANGED = plural(
    "The list changed after you selected %(count)s row. Check which rows are included now.",
    "The list changed after you selected %(count)s rows. Check which rows are included now.",
)
NOTHING_SELECTED = gettext_lazy("Select at least one row first.")
SELECTION_NOT_USABLE = gettext_lazy("You can't use this selection here. Select the rows again.")
TOO_MANY_SELECTED = gettext_lazy("Too many rows selected")
SELECTION_LIMIT = plural(
    "You can select up to %(count)s row at a time. Use search or filters to narrow the list.",
    "You can select up to %(count)s rows at a time. Use search or filters to narrow the list.",
)


class Candidate(NamedTuple):
    """The name of a row in plan and result; `parent_id` is the ID of its parent, if its page needs that.

    The activity records its clinic, the `target` of the action if that is not the row itself, and the `previous` value.
    `plan_detail`: see `BulkAction.plan_detail`.
    """

    id: str
    name: str
    detail: str = ""
    parent_id: str = ""
    clinic: Ref = Ref()
    target: Ref = Ref()
    previous: Ref = Ref()
    plan_detail: str = ""


@dataclass(frozen=True)
class ActionTexts:
    """The texts of one action. A Label is about one row, unless its comment says otherwise."""

    label: Label
    """Text of its button in the bar: "Delete"."""
    title: Label
    """Title of its pages: "Delete users"."""
    button: Plural
    """Text of its button below the plan: "Delete 2 users"."""
    planned: Label
    """Heading of the rows that it will be performed on: "Will be deleted"."""
    done: Plural
    not_done: Plural
    failed: Label
    cannot: Plural | None = None
    """Number of blocked rows: "1 user can't be deleted." None if no row can be blocked."""
    row_done: Label = ""
    """Sentence with the %(name)s of the row, for a list in which the action can be performed on a row at once."""
    note: Label = ""
    """Its consequences for people, in one line of the plan."""
    keep: Label = ""
    """Text of the way back from its plan, for an action that is itself called "Cancel"."""


@dataclass(frozen=True)
class SelectionTexts:
    """The texts that all actions of one list share."""

    selected: Plural
    """In bar and plan: "3 users selected"."""
    others: Plural
    """Follows `ActionTexts.cannot`: "The other 2 can."""
    gone: Label = ITEM_GONE
    """Reason of one row that no longer exists."""


class FollowUp(NamedTuple):
    """A suggested next action for the rows that an action was performed on."""

    title: str
    text: str
    label: str
    href: str


class BulkAction(Generic[T]):
    """An action on many rows at once; `name` is the last part of its address.

    Everything that its button needs is in the class, so that a list renders its bar without an instance.
    """

    name: ClassVar[str]
    texts: ClassVar[ActionTexts]
    activity: ClassVar[str] = ""
    """The code under which the activity records it; "" if that is its name."""
    tone: ClassVar[str] = ""
    deletes: ClassVar[bool] = False
    typing_threshold: ClassVar[int | None] = None
    """Number of rows from which typing confirms: the name of a single row, else their number.

    None is TYPING_THRESHOLD for a deletion, and no typing for other actions.
    """
    row_action: ClassVar[str] = ""
    """The path of the row action that this one performs on many rows ("/approve").

    It is offered if a selected row has that action. Empty for an action that is always offered.
    """

    undo_label: ClassVar[Label] = ""
    """The name of the action at `undo_url` if that is not simply an undo. Its plan is shown before it is performed."""

    def __init__(self, bulk_list: "BulkList[T]") -> None:
        self.bulk_list = bulk_list
        self.request = bulk_list.request
        self.upstream = bulk_list.request.upstream

    @classmethod
    def fits_list(cls, query: ListQuery) -> bool:
        """Return whether any row of a list with this query may have the action, before rows are selected."""
        return True

    @classmethod
    def is_offered(cls, upstream: Upstream) -> bool:
        """Return False if the service is known not to have the action. It can't be started then, only continued."""
        return True

    @property
    def undo_url(self) -> str:
        """The address of the bulk action that reverts it; "" for none.

        Without an `undo_label`, it is one without a form and without typing.
        """
        return ""

    def row_undo_url(self, id: str) -> str:
        """Return the address of the action that reverts a row action; "" for none."""
        return ""

    def form(self, data: QueryDict | None) -> forms.Form | None:
        """Return the form of the options, bound to `data` if given. It may read choices; it is created for the plan."""
        return None

    def blockers(self, row: T) -> list[str]:
        """Return the reasons, as sentences, why the action can't be performed, if the row itself has them."""
        return []

    def plan_detail(self, row: T) -> str:
        """Return a detail that is true until the row is done, such as the team it leaves; "" for none."""
        return ""

    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        """Return the address of a page that resolves the block of a row; `back` is the list to return to."""
        return ""

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        """Perform it on at most a hundred rows, with the cleaned options of the form and the Idempotency-Key."""
        raise NotImplementedError

    def done_text(self, count: int, options: Options, names: Options) -> str:
        """Return the sentence for the rows that were done; `options` and `names` as for `entry`."""
        return self.texts.done(count) % {"count": number_text(count)}

    def previous(self, row: T) -> Ref:
        """Return the previous value of a row for the activity."""
        return Ref()

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        """Return the entry of a row, or of the whole action if it has no target, with its changes.

        `names` are the labels of the chosen options, by value.
        """
        return action

    def follow_up(self, ids: Sequence[str], options: Options, back: str) -> FollowUp | None:
        """Return a suggested next action for the rows that were done; `back` is the list to return to."""
        return None


class BulkList(Generic[T]):
    """A list whose rows can be selected; `id` is that of the form of the rows' checkboxes (its `selection`).

    `kind` is the activity's code for the rows. `pages` is a part of the addresses of the rows' pages if these don't
    start with `path`: the selection is kept on the way back from there.
    """

    id: ClassVar[str]
    definition: ClassVar[ListDefinition]
    texts: ClassVar[SelectionTexts]
    kind: ClassVar[str]
    actions: ClassVar[Sequence[type[BulkAction[Any]]]]
    """Actions in their order in the bar: the first ones are visible, the others in its menu, deletions come last."""
    undo_actions: ClassVar[Sequence[type[BulkAction[Any]]]] = ()
    """Actions without a button, which only revert others."""
    pages = ""
    url_name: ClassVar[str]
    """The name of the list's URL; a list whose URL has IDs overrides `path` instead."""
    reads_in_order: ClassVar[bool] = False
    """True if pages are read one after the other: those of our own database, in the request's thread."""

    def __init__(self, request: ConsoleRequest, **_ids: str) -> None:
        """Create the list; `_ids` are those of its address."""
        self.request = request
        self.upstream = request.upstream

    @property
    def path(self) -> str:
        return get_path(self.url_name)

    @property
    def subject(self) -> str:
        """The name of what the rows are chosen for; "" if the page's title says it."""
        return ""

    def back(self) -> str:
        """Return the address of the list with its search, filters and page."""
        return return_url(self.request, self.path)

    def read(self, params: ListParams) -> Listing[T]:
        raise NotImplementedError

    def together(self, *reads: Callable[[], Any]) -> tuple[Any, ...]:
        """Read several pages."""
        return sequentially(*reads) if self.reads_in_order else self.upstream.together(*reads)

    def candidate(self, row: T) -> Candidate:
        raise NotImplementedError

    def belongs(self, row: T) -> bool:
        """Return whether a row that the service returned belongs to this list."""
        return True

    def check(self) -> None:
        """Raise NotFound unless it is a list of this organization. A job is not checked: it has its rows."""

    def offered(self) -> "Sequence[type[BulkAction[T]]]":
        """Return the actions, without those that the service is known not to have."""
        return [action for action in self.actions if action.is_offered(self.upstream)]

    def action(self, name: str) -> BulkAction[T]:
        """Return a new action of this name. Raises ObjectNotFound if there is none."""
        for action in (*self.actions, *self.undo_actions):
            if action.name == name:
                return action(self)
        raise ObjectNotFound("no such bulk action")
