"""The tabs of the partner list with their exports and bulk actions, and the page of a partnership."""

from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseRedirect
from msgspec.structs import replace

from console.files.links import export_links
from console.forms.return_url import FIELD, query_with_return_url, return_url
from console.lists.choices import find_clinics
from console.lists.query import Choice, ListDefinition, ListQuery, read_list, report_missing
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.links import Link
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import show
from partners import links
from partners.bulk.partnerships import AskingActions, SentActions
from partners.files.partnerships import AskingExport, PartnerExport, PastExport, SentExport
from partners.labels import ACTIONS, lab_name, owner_name
from partners.reading import read_lab_name, waiting_reads, with_tabs
from partners.tables.partnerships import CLINIC_PARTNERS, TABS, counted, partnership_facts, partnership_table
from upstream.listing import Listing, ListParams
from upstream.resources.partnerships import Action, Partnership


@private(is_page=False)
def home(request: ConsoleRequest) -> HttpResponse:
    return HttpResponseRedirect(links.tab_url("asking"))


class _TabList(ListPage[Partnership]):
    """A tab of the partner list."""

    tab: ClassVar[str]
    template = "partners/partner_list.html"

    def get_definition(self) -> ListDefinition:
        return TABS[self.tab].definition

    def load(self, query: ListQuery) -> tuple[Listing[Partnership], ListQuery]:
        upstream, tab = self.request.upstream, TABS[self.tab]
        (listing, query), clinics, *self.waiting = upstream.together(
            lambda: read_list(query, lambda params: upstream.partnerships.list(tab.with_filters(params))),
            lambda: find_clinics(self.request, query),
            *waiting_reads(self.request),
        )
        query = query.with_choices("clinic", clinics.choices, search_term=clinics.search_term)
        return listing, report_missing(upstream, query)

    def rows(self, query: ListQuery, listing: Listing[Partnership]) -> ListView:
        table = partnership_table(self.tab, query, listing, tz=self.tz)
        view = with_facts(table, counted(self.tab, table.total), once=["clinic", "status"])
        return with_tabs(view, self.tab, self.waiting)

    def context(self) -> dict[str, Any]:
        return {"clinic": None, "files": export_links(f"partners:{self.tab}")}


class AskingList(_TabList):
    tab = "asking"
    bulk = AskingActions
    exports = AskingExport


class PartnerList(_TabList):
    tab = "partner"
    exports = PartnerExport


class SentList(_TabList):
    tab = "sent"
    bulk = SentActions
    exports = SentExport

    def load(self, query: ListQuery) -> tuple[Listing[Partnership], ListQuery]:
        listing, query = super().load(query)
        return listing, query.with_choices("lab", self._lab_choices(query, listing))

    def _lab_choices(self, query: ListQuery, listing: Listing[Partnership]) -> tuple[Choice, ...]:
        """Return the selected lab with its name, which is read only if no row has it."""
        names, upstream = {row.lab_id: lab_name(row.lab) for row in listing.results}, self.request.upstream
        ids = query.filters.get("lab", ())
        return tuple(Choice(id, names.get(id) or read_lab_name(upstream, id) or id) for id in ids)


class PastList(_TabList):
    tab = "past"
    exports = PastExport


class ClinicPartnerList(ListPage[Partnership]):
    """The partners of one clinic and of its users, a tab of its pages."""

    definition = CLINIC_PARTNERS
    template = "partners/partner_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[Partnership], ListQuery]:
        upstream, clinic_id = self.request.upstream, self.kwargs["clinic_id"]

        def read(params: ListParams) -> Listing[Partnership]:
            filters = {**params.filters, "clinic": (clinic_id,)}
            return upstream.partnerships.list(TABS["partner"].with_filters(replace(params, filters=filters)))

        self.clinic, (listing, query) = upstream.together(
            lambda: upstream.clinics.get(clinic_id), lambda: read_list(query, read)
        )
        self.back = self._deletion_url(clinic_id)
        return listing, query_with_return_url(query, self.back)

    def _deletion_url(self, clinic_id: str) -> str:
        """Return the address of the clinic's deletion if its partners are to be ended for it, else ""."""
        deletion = get_path("groups:clinic-delete", clinic_id)
        back = return_url(self.request, "", deletion)
        return back if FIELD in self.request.GET and back.partition("?")[0] == deletion else ""

    def rows(self, query: ListQuery, listing: Listing[Partnership]) -> ListView:
        return partnership_table("partner", query, listing, tz=self.tz, path=self.request.path)

    def context(self) -> dict[str, Any]:
        return {"clinic": self.clinic, "files": [], "back": self.back}


@private
def partnership_show(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    partnership = request.upstream.partnerships.get(partnership_id)
    actions, owner = [action for action in ACTIONS if partnership.allows(action)], partnership.owner
    can_end = Action.END in actions
    back = links.back_to_list(request, tab="partner" if can_end else "asking")
    return show(
        request,
        "partners/partnership_show.html",
        partnership=partnership,
        name=lab_name(partnership.lab),
        owner=owner_name(owner),
        lab_href="" if partnership.is_lab_gone else links.lab_url(partnership.lab_id),
        facts=partnership_facts(partnership, get_tz(request)),
        actions=[Link(str(ACTIONS[action]), links.action_url(partnership.id, action, back=back)) for action in actions],
        blockers=links.end_blockers(partnership.end_blockers) if can_end else [],
        order_labs=links.order_labs_url(owner.id, back=back) if can_end and owner.is_clinic else "",
        crumbs=[links.list_crumb()],
        back=back,
    )
