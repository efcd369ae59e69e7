"""The partner labs with the clinics that can order from each of them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.l10n.countries import listed
from console.l10n.numbers import ngettext
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, list_view
from console.web.links import Link
from partners import links
from partners.labels import lab_name, owner_name
from upstream.listing import Listing
from upstream.resources.partner_lists import ListedLab
from upstream.resources.partnerships import Party

LAB = Filter("lab", gettext_lazy("Lab"), (), is_open=True, is_single=True, is_offered=False, has_names=True)
"""The filter of lists to which a lab's row links."""
CAN_ORDER = Filter("can_order", gettext_lazy("Can order"), (Choice("true", gettext_lazy("Yes")),), is_offered=False)
"""The filter of the dashboard's link, whose text is the number of labs that clinics can order from."""

ORDERING = ListDefinition(
    name="ordering",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(LAB, CAN_ORDER),
    sorts=("name",),
    default_sort="name",
    columns=("can_order", "cannot_order", "users"),
)

OrderLabs = Mapping[str, Mapping[str, bool]]
"""True if a clinic can order from a lab, by the IDs of both; clinics that were not read are missing."""


class _Partners(NamedTuple):
    """The partner clinics of a lab: those that can order, those that can't, and those of which it isn't known."""

    can_order: list[Party]
    cannot_order: list[Party]
    unknown: list[Party]


def ordering_table(query: ListQuery, listing: Listing[ListedLab], order_labs: OrderLabs) -> ListView:
    """Return the table of labs; each clinic links to the form with its labs."""
    path = links.tab_url("ordering")
    back = query.url(path)

    def edit_links(clinics: Iterable[Party]) -> list[Link]:
        return [Link(owner_name(clinic), links.order_labs_url(clinic.id, back=back)) for clinic in clinics]

    def can_order(row: ListedLab) -> Cell:
        partners = _partners(row, order_labs)
        clinics = edit_links(partners.can_order)
        if partners.unknown:
            clinics.append(Link(_unknown_text(len(partners.unknown)), links.lab_ordering_url(row.id)))
        return _cell(clinics)

    columns: tuple[Column[ListedLab], ...] = (
        Column(
            "name",
            _("Lab"),
            "name",
            lambda row: Cell(lab_name(row.lab)),
            sort="name",
            href=lambda row: links.lab_url(row.id),
        ),
        # Translators: column head: the clinics that can order from a lab.
        Column("can_order", _("Clinics that can order"), "text", can_order),
        # Translators: column head: clinics with a partnership with a lab whose users can't order from it.
        Column(
            "cannot_order",
            _("Partner clinics that can't order"),
            "text",
            lambda row: _cell(edit_links(_partners(row, order_labs).cannot_order)),
        ),
        # Translators: column head: users who have a partnership with a lab of their own.
        Column("users", _("Users with a partnership"), "text", lambda row: _cell(_user_links(row))),
    )
    texts = ListTexts(
        caption=_("Who can order"),
        search=_("Search labs by name"),
        nothing_yet_title=_("No partners yet."),
        nothing_yet_text=_("Clinics can order from their partner labs."),
        first_steps=(Link(_("Find labs"), links.lab_list_url()),) if links.lab_list_url() else (),
    )
    table = ListTable(columns=columns, row_href=lambda row: links.lab_url(row.id), texts=texts)
    return list_view(query, listing, table, path=path)


def partner_clinics(row: ListedLab) -> list[Party]:
    """Return the clinics that have a partnership with a lab."""
    return [owner for owner in _owners(row) if owner.is_clinic]


def _user_links(row: ListedLab) -> list[Link]:
    return [Link(owner_name(owner), links.owner_url(owner)) for owner in _owners(row) if owner.is_user]


def _owners(row: ListedLab) -> list[Party]:
    return list({(one.owner.type, one.owner.id): one.owner for one in row.partnerships if one.is_active}.values())


def _partners(row: ListedLab, order_labs: OrderLabs) -> _Partners:
    clinics = partner_clinics(row)
    known = [clinic for clinic in clinics if clinic.id in order_labs]
    return _Partners(
        [clinic for clinic in known if order_labs[clinic.id].get(row.id)],
        [clinic for clinic in known if not order_labs[clinic.id].get(row.id)],
        [clinic for clinic in clinics if clinic.id not in order_labs],
    )


def _cell(clinics: list[Link]) -> Cell:
    return Cell(listed([clinic.label for clinic in clinics]), links=clinics) if clinics else Cell("")


def _unknown_text(count: int) -> str:
    # Translators: a link after the names of clinics: to a page with these clinics, too.
    return ngettext("%(count)s more clinic", "%(count)s more clinics", count)
