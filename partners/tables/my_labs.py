"""The labs of the partner list: its filters, columns and rows."""

from collections.abc import Sequence
from datetime import tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from console.l10n.countries import country_name
from console.l10n.numbers import ngettext
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, date_cell, list_view
from console.web.links import Link
from partners import links
from partners.labels import LAB_STATES, NO_LONGER_AVAILABLE, lab_name
from partners.tables.labs import cancellations
from upstream.listing import Listing
from upstream.resources.labs import ACCEPTED, IN_LIST, PENDING, REQUEST_SENT
from upstream.resources.partner_lists import ListedLab
from upstream.resources.partnerships import Action

MY_LABS = ListDefinition(
    name="my-labs",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(
        Filter(
            "state",
            gettext_lazy("Status"),
            tuple(Choice(state, label) for state, (label, _tone) in LAB_STATES.items()),
        ),
    ),
    sorts=("name", "added_date", "contract_date"),
    default_sort="name",
    columns=("status", "clinics", "ordering", "country", "added", "contract"),
)


def my_lab_columns(tz: tzinfo) -> Sequence[Column[ListedLab]]:
    """Return the columns of labs; a name links to the lab's page."""
    return (
        # Translators: column head and label: a dental lab.
        Column("name", _("Lab"), "name", lambda row: Cell(lab_name(row.lab)), sort="name", href=_lab_page),
        Column("status", _("Status"), "badge", status_cell),
        # Translators: column head: how many of our clinics have a partnership with the lab.
        Column("clinics", _("Partner clinics"), "word", _clinics),
        # Translators: column head: how many of our clinics can order from the lab.
        Column("ordering", _("Can order"), "text", _ordering, href=_ordering_page),
        Column("country", _("Country"), "word", lambda row: Cell(country_name(row.lab.country_code))),
        # Translators: column head: when a lab was added to the list of our partners.
        Column(
            "added", pgettext("date", "Added"), "date", lambda row: date_cell(row.added_date, tz), sort="added_date"
        ),
        Column(
            "contract",
            # Translators: column head and label: when a partnership began.
            _("Partner since"),
            "date",
            lambda row: date_cell(row.contract_date, tz),
            sort="contract_date",
        ),
    )


def my_lab_table(query: ListQuery, listing: Listing[ListedLab], *, tz: tzinfo) -> ListView:
    return list_view(
        query,
        listing,
        ListTable(
            columns=my_lab_columns(tz),
            row_href=_lab_page,
            actions=[
                RowAction(_("Send request"), links.REQUEST, lambda row: not row.lab.is_gone),
                *cancellations(_sent_count),
                RowAction(_("Remove from my list"), "/remove", lambda row: row.can_be_removed, is_act=True),
            ],
            texts=ListTexts(
                caption=_("Labs on my list"),
                search=_("Search labs by name"),
                nothing_yet_title=_("No labs on your list yet."),
                nothing_yet_text=_("Find labs and add them to your list. Then you can send them requests."),
                first_steps=(Link(_("Find labs"), links.lab_list_url()),) if links.lab_list_url() else (),
            ),
            selection="bulk-my-labs",
            detail=lambda row: row.lab.address,
        ),
        path=links.tab_url("my-lab"),
    )


def status_cell(row: ListedLab) -> Cell:
    if row.lab.is_gone:
        return Cell(str(NO_LONGER_AVAILABLE), tone="neutral")
    states = {partnership.state for partnership in row.partnerships}
    label, tone = LAB_STATES[next((state for state in (PENDING, ACCEPTED, REQUEST_SENT) if state in states), IN_LIST)]
    return Cell(str(label), tone=tone)


def _sent_count(row: ListedLab) -> int:
    return sum(partnership.allows(Action.CANCEL) for partnership in row.partnerships)


def _clinics(row: ListedLab) -> Cell:
    count = row.partner_count
    return Cell(ngettext("%(count)s clinic", "%(count)s clinics", count) % {"count": count} if count else "")


def _ordering(row: ListedLab) -> Cell:
    """Return the number of clinics that can order from a partner, if the service sends it."""
    count = row.ordering_clinic_count
    if row.lab.is_gone or not row.partner_count or count is None:
        return Cell("")
    if not count:
        # Translators: in the column of the clinics that can order from a lab; also of one clinic.
        return Cell(_("No one can order yet"))
    return Cell(ngettext("%(count)s clinic", "%(count)s clinics", count) % {"count": count})


def _ordering_page(row: ListedLab) -> str:
    return links.lab_ordering_url(row.id) if _ordering(row).text else ""


def _lab_page(row: ListedLab) -> str:
    return links.lab_url(row.id)
