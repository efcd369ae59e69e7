"""The list of labs with the clinics that can order, and the page about ordering after an acceptance."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.l10n.numbers import ngettext
from console.lists.query import ID, Choice, ListQuery, read_list
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.request import ConsoleRequest
from console.web.responses import show
from partners import links
from partners.labels import lab_name, owner_name
from partners.reading import read_order_labs, waiting_reads, with_tabs
from partners.tables.ordering import CAN_ORDER, ORDERING, ordering_table, partner_clinics
from upstream.listing import PAGE_LIMIT, Listing, ListParams, read_all
from upstream.resources.partner_lists import ListedLab
from upstream.resources.partnerships import State

_PARTNERS = {"state": (State.ACCEPTED.value,)}


MAX_CLINICS, MAX_LAB_CLINICS = 25, 100
"""Clinics that are read for a page of labs, and for one lab: each takes a call."""


class OrderingList(ListPage[ListedLab]):
    """The partner labs with the clinics that can order from them."""

    definition = ORDERING
    template = "partners/partner_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[ListedLab], ListQuery]:
        upstream, ids = self.request.upstream, query.filters.get("lab", ())
        (listing, query), *self.waiting = upstream.together(
            lambda: read_list(query, lambda params: self._read(replace(params, ids=ids))),
            *waiting_reads(self.request),
        )
        clinics = dict.fromkeys(clinic.id for row in listing.results for clinic in partner_clinics(row))
        readable = [id for id in clinics if ID.fullmatch(id)][: MAX_LAB_CLINICS if ids else MAX_CLINICS]
        self.order_labs = read_order_labs(upstream, readable)
        return listing, query.with_choices("lab", tuple(Choice(row.id, lab_name(row.lab)) for row in listing.results))

    def _read(self, params: ListParams) -> Listing[ListedLab]:
        """Read a page of the partner labs.

        The service can't filter by who can order, so for that filter all labs are read, up to SEARCH_LIMIT.
        """
        upstream, partners = self.request.upstream, replace(params, filters=_PARTNERS)
        if CAN_ORDER.name not in params.filters:
            return upstream.partner_lists.list(partners)
        listing = read_all(upstream.together, upstream.partner_lists.list, params=partners)
        # A service that doesn't send the number may let clinics order from any of its labs.
        labs = [row for row in listing.results if row.ordering_clinic_count != 0]
        start = (params.page - 1) * params.size
        return Listing(labs[start : start + params.size], len(labs), params.page, params.size)

    def rows(self, query: ListQuery, listing: Listing[ListedLab]) -> ListView:
        table = ordering_table(query, listing, self.order_labs)
        facts = [
            ngettext("%(count)s lab", "%(count)s labs", table.total),
            _("Choose a clinic to change which labs it can order from."),
        ]
        return with_tabs(with_facts(table, *facts), "ordering", self.waiting)

    def context(self) -> dict[str, Any]:
        return {"files": [], "clinic": None}


@dataclass(frozen=True)
class Ordering:
    """A new partner, `lab`, of a clinic or user, `name`; `can_order` is None if it is unknown."""

    name: str
    lab: str
    can_order: bool | None
    href: str
    is_user: bool


@private
def ordering_show(request: ConsoleRequest) -> HttpResponse:
    upstream, back = request.upstream, links.back_to_list(request)
    ids = [id for id in dict.fromkeys(request.GET.getlist("id")) if ID.fullmatch(id)][: links.MAX_ORDERING_PARTNERSHIPS]
    params = ListParams(size=PAGE_LIMIT, ids=tuple(ids))
    by_id = {row.id: row for row in upstream.partnerships.list(params).results} if ids else {}
    partnerships = [by_id[id] for id in ids if id in by_id and by_id[id].state == State.ACCEPTED]
    clinics = list(dict.fromkeys(row.owner.id for row in partnerships if row.owner.is_clinic))
    allowed = read_order_labs(upstream, clinics)
    page_url = links.ordering_url(ids, back=back)
    rows = [
        Ordering(
            owner_name(row.owner),
            lab_name(row.lab),
            allowed.get(row.owner.id, {}).get(row.lab_id),
            links.order_labs_url(row.owner.id, back=page_url) if row.owner.is_clinic else links.owner_url(row.owner),
            row.owner.is_user,
        )
        for row in partnerships
    ]
    return show(request, "partners/ordering.html", rows=rows, crumbs=[links.list_crumb()], back=back)
