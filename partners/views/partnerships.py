"""The partner list by its tabs, their files, what is done to many of their rows, and the page of a partnership."""

from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

from console.bulk.bar import bulk_bar, with_selection
from console.bulk.views import run_bulk
from console.files import views as spreadsheets
from console.files.links import export_links
from console.files.write import Kind
from console.lists.answers import list_json
from console.lists.choices import clinic_choices
from console.lists.page_size import read_query
from console.lists.query import read_list, report_missing
from console.lists.view import with_facts
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest, wants_json, zone_of
from console.web.responses import show
from partners import links
from partners.bulk.partnerships import AskingActions, SentActions
from partners.files.partnerships import AskingExport, PartnerExport, PastExport, SentExport
from partners.labels import ACTS, lab_name, owner_name
from partners.reading import needs_tabs, waiting_count, with_tabs
from partners.tables.partnerships import TABS, counted, partnership_facts, partnership_table
from upstream.resources.partnerships import Act


@private(is_page=False)
def home(request: ConsoleRequest) -> HttpResponse:
    return HttpResponseRedirect(links.tab_url("asking"))


@private
def asking_list(request: ConsoleRequest) -> HttpResponse:
    return _list(request, "asking")


@private
def partner_list(request: ConsoleRequest) -> HttpResponse:
    return _list(request, "partner")


@private
def sent_list(request: ConsoleRequest) -> HttpResponse:
    return _list(request, "sent")


@private
def past_list(request: ConsoleRequest) -> HttpResponse:
    return _list(request, "past")


def _list(request: ConsoleRequest, tab: str) -> HttpResponse:
    upstream, shown_tab = request.upstream, TABS[tab]
    query = read_query(request, shown_tab.definition)
    (listing, query), clinics, *waiting = upstream.together(
        lambda: read_list(query, lambda params: upstream.partnerships.list(shown_tab.asked(params))),
        lambda: clinic_choices(request, query),
        *([lambda: waiting_count(upstream)] if needs_tabs(request) else ()),
    )
    query = report_missing(upstream, query.with_choices("clinic", clinics.choices, sought=clinics.sought))
    table = partnership_table(tab, query, listing, where=zone_of(request))
    shown = with_facts(table, counted(tab, table.total), once=["clinic", "status"])
    if waiting:
        shown = with_tabs(shown, tab, waiting[0])
    actions = {"asking": AskingActions, "sent": SentActions}.get(tab)
    bulk = bulk_bar(actions(request), query, shown.total) if actions else None
    if wants_json(request):
        return list_json(request, with_selection(shown, bulk) if bulk else shown)
    return show(
        request,
        "partners/partner_list.html",
        list=shown,
        bulk=bulk,
        files=export_links(f"partners:{tab}"),
    )


@private(is_page=False)
def asking_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, AskingExport(request), kind)


@private(is_page=False)
def partner_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, PartnerExport(request), kind)


@private(is_page=False)
def sent_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, SentExport(request), kind)


@private(is_page=False)
def past_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, PastExport(request), kind)


@private(methods=("GET", "POST"))
def asking_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, AskingActions(request), action)


@private(methods=("GET", "POST"))
def sent_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, SentActions(request), action)


@private
def partnership_show(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    partnership, back = request.upstream.partnerships.get(partnership_id), links.back_to_list(request)
    acts, owner = [act for act in ACTS if partnership.allows(act)], partnership.owner
    can_end = Act.END in acts
    return show(
        request,
        "partners/partnership_show.html",
        partnership=partnership,
        name=lab_name(partnership.lab),
        owner=owner_name(owner),
        lab_href="" if partnership.has_lab_left else links.lab_url(partnership.lab_id),
        facts=partnership_facts(partnership, zone_of(request)),
        acts=[Link(str(ACTS[act]), links.act_url(partnership.id, act, back=back)) for act in acts],
        blockers=links.end_blockers(partnership.end_blockers) if can_end else [],
        order_labs=links.order_labs_url(owner.id, back=back) if can_end and owner.is_clinic else "",
        crumbs=[links.list_crumb()],
        back=back,
    )
