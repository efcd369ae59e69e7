"""Labs: the search, and the page of each."""

from datetime import UTC, datetime

from django.http import HttpResponse

from console.audit.query import read_history
from console.l10n.numbers import ngettext
from console.lists.query import ListQuery, get_choice_search, read_list
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import show
from partners import links
from partners.bulk.labs import LabActions
from partners.labels import lab_name
from partners.reading import partnerships_with, read_lab, waiting_reads, with_tabs
from partners.tables.lab_page import clinic_states, lab_page
from partners.tables.labs import LABS, lab_table, with_codes
from upstream.listing import Listing
from upstream.resources.labs import Lab


class LabList(ListPage[Lab]):
    definition = LABS
    template = "partners/lab_list.html"
    bulk = LabActions

    def load(self, query: ListQuery) -> tuple[Listing[Lab], ListQuery]:
        upstream = self.request.upstream
        (listing, query), *self.waiting = upstream.together(
            lambda: read_list(query, upstream.labs.list), *waiting_reads(self.request)
        )
        return listing, with_codes(query, listing, lambda name: get_choice_search(name, self.request.GET))

    def rows(self, query: ListQuery, listing: Listing[Lab]) -> ListView:
        table = lab_table(query, listing, path=self.request.path)
        count = ngettext("%(count)s lab", "%(count)s labs", table.total) % {"count": table.total}
        return with_tabs(with_facts(table, count), "search", self.waiting)


@private
def lab_show(request: ConsoleRequest, lab_id: str) -> HttpResponse:
    upstream = request.upstream
    lab, partnerships = upstream.together(
        lambda: read_lab(upstream, lab_id), lambda: partnerships_with(upstream, lab_id)
    )
    back = links.back_from_lab(request)
    states = clinic_states(partnerships, get_tz(request), back=links.lab_url(lab_id))
    if lab is None:
        return show(request, "partners/lab_gone.html", status=410, partnerships=states, back=back)
    return show(
        request,
        "partners/lab_show.html",
        lab=lab,
        name=lab_name(lab),
        details=lab_page(lab, now=datetime.now(UTC)),
        partnerships=states,
        history=read_history(request, "lab", lab.id, lab.name),
        request_href=links.request_url(lab.id),
        add_href=links.lab_add_url(lab.id),
        remove_href=links.lab_remove_url(lab.id),
        crumbs=[links.labs_crumb()],
        back=back,
        page_url=links.lab_url(lab_id),
    )
