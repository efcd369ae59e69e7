"""Bulk actions on labs: adding to and removing from the partner list."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext

from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, Options, SelectionTexts, T, plural
from console.forms.blockers import reason_texts
from console.forms.return_url import with_return_url
from console.lists.query import ListQuery
from partners import links
from partners.labels import LAB_REASONS, LAB_REFUSALS, lab_name
from partners.tables.labs import LABS, address_line
from partners.tables.my_labs import MY_LABS
from upstream.bulk import BulkResult
from upstream.errors import Code, Reason
from upstream.listing import Listing, ListParams
from upstream.resources.labs import Lab
from upstream.resources.partner_lists import ListedLab

LAB_TEXTS = SelectionTexts(
    selected=plural("%(count)s lab selected", "%(count)s labs selected"),
    # Translators: follows a sentence such as "1 lab can't be added."
    others=lambda n: npgettext("labs", "The other one can.", "The other %(count)s can.", n),
)


class _LabAction(BulkAction[T]):
    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        return with_return_url(links.lab_url(id), back, links.lab_list_url())


class AddLabs(_LabAction[Lab]):
    name = "add"
    row_action = "/add"
    texts = ActionTexts(
        label=_("Add to my list"),
        # Translators: title of a page.
        title=_("Add labs to your partner list"),
        button=plural("Add %(count)s lab", "Add %(count)s labs"),
        # Translators: heading above a list of labs.
        planned=_("Will be added"),
        cannot=plural("%(count)s lab can't be added.", "%(count)s labs can't be added."),
        done=plural("%(count)s lab added.", "%(count)s labs added."),
        not_done=plural("%(count)s lab wasn't added.", "%(count)s labs weren't added."),
        failed=_("Failed to add the lab to the partner list."),
    )

    @classmethod
    def fits_list(cls, query: ListQuery) -> bool:
        return query.filters.get("in_list") != ("true",)

    @property
    def undo_url(self) -> str:
        return links.lab_bulk_url("remove")

    def blockers(self, row: Lab) -> list[str]:
        return _cannot_be_added(row)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.partner_lists.bulk_add(ids, idempotency_key=key)


class _RemoveLabs(_LabAction[T]):
    name = "remove"
    texts = ActionTexts(
        label=_("Remove from my list"),
        # Translators: title of a page.
        title=_("Remove labs from your partner list"),
        button=plural("Remove %(count)s lab", "Remove %(count)s labs"),
        # Translators: heading above a list of labs.
        planned=_("Will be removed"),
        cannot=plural("%(count)s lab can't be removed.", "%(count)s labs can't be removed."),
        done=plural("%(count)s lab removed.", "%(count)s labs removed."),
        not_done=plural("%(count)s lab wasn't removed.", "%(count)s labs weren't removed."),
        failed=_("Failed to remove the lab from the partner list."),
    )

    @property
    def undo_url(self) -> str:
        return links.lab_bulk_url("add")

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.partner_lists.bulk_remove(ids, idempotency_key=key)


class RemoveSearchedLabs(_RemoveLabs[Lab]):
    row_action = "/remove"

    @classmethod
    def fits_list(cls, query: ListQuery) -> bool:
        return query.filters.get("in_list") != ("false",)

    def blockers(self, row: Lab) -> list[str]:
        return cannot_be_removed(row)


class RemoveListedLabs(_RemoveLabs[ListedLab]):
    def blockers(self, row: ListedLab) -> list[str]:
        """Ignore the lab's own list state: the row is on the list and knows its partnerships."""
        if row.can_be_removed:
            return []
        return reason_texts(open_reasons(row.lab)) or [LAB_REASONS[Code.LAB_REMOVAL_REFUSED.name](1)]


class LabActions(BulkList[Lab]):
    """The bulk actions on the labs of the search."""

    id = "bulk-labs"
    definition = LABS
    texts = LAB_TEXTS
    kind = "lab"
    pages = "/lab/"
    actions = (AddLabs, RemoveSearchedLabs)
    url_name = "partners:lab-list"

    def back(self) -> str:
        return links.back_from_lab(self.request)

    def read(self, params: ListParams) -> Listing[Lab]:
        return self.upstream.labs.list(params)

    def candidate(self, row: Lab) -> Candidate:
        return _candidate(row)


class MyLabActions(BulkList[ListedLab]):
    """The bulk actions on the labs of the partner list."""

    id = "bulk-my-labs"
    definition = MY_LABS
    texts = LAB_TEXTS
    kind = "lab"
    pages = "/lab/"
    actions = (RemoveListedLabs,)
    url_name = "partners:my-lab-list"

    def read(self, params: ListParams) -> Listing[ListedLab]:
        return self.upstream.partner_lists.list(params)

    def candidate(self, row: ListedLab) -> Candidate:
        return _candidate(row.lab)


def _candidate(lab: Lab) -> Candidate:
    return Candidate(lab.id, lab_name(lab), address_line(lab))


def _cannot_be_added(lab: Lab) -> list[str]:
    if lab.in_partner_list:
        return [str(LAB_REFUSALS[Code.LAB_ALREADY_LISTED])]
    return [] if lab.can_be_added else [str(LAB_REFUSALS[Code.LAB_GONE])]


def cannot_be_removed(lab: Lab) -> list[str]:
    """Return why a lab can't be removed from the partner list, judging by the lab's own data."""
    if not lab.in_partner_list:
        return [str(LAB_REFUSALS[Code.LAB_NOT_LISTED])]
    return reason_texts(open_reasons(lab))


def open_reasons(lab: Lab) -> list[Reason]:
    """Return what is open with a lab as reasons; their names are keys of the registered sentences."""
    counts = {
        "LAB_PENDING": lab.incoming_count,
        "LAB_ACCEPTED": lab.partner_count,
        "LAB_REQUEST_SENT": lab.outgoing_count,
    }
    return [Reason(name, count) for name, count in counts.items() if count]
