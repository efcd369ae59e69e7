"""The page after an acceptance that asks who may order from the new partners."""

from dataclasses import dataclass
from functools import partial

from django.http import HttpResponse

from console.lists.query import ID
from console.web.access import private
from console.web.request import ConsoleRequest
from console.web.responses import show
from partners import links
from partners.labels import lab_name, owner_name
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import PAGE_LIMIT, ListParams
from upstream.resources.partnerships import State


@dataclass(frozen=True)
class Ordering:
    """A new partner, `lab`, of a clinic, `name`; `may_order` is None if it is unknown."""

    name: str
    lab: str
    may_order: bool | None
    href: str


@private
def ordering_show(request: ConsoleRequest) -> HttpResponse:
    upstream, back = request.upstream, links.back_to_list(request)
    ids = [id for id in dict.fromkeys(request.GET.getlist("id")) if ID.fullmatch(id)][: links.MAX_ORDERING_PARTNERSHIPS]
    params = ListParams(size=PAGE_LIMIT, ids=tuple(ids))
    by_id = {row.id: row for row in upstream.partnerships.list(params).results} if ids else {}
    partnerships = [by_id[id] for id in ids if id in by_id and by_id[id].state == State.ACCEPTED]
    clinics = list(dict.fromkeys(row.owner.id for row in partnerships if row.owner.is_clinic))
    allowed = dict(zip(clinics, upstream.together(*(partial(_allowed, upstream, id) for id in clinics)), strict=True))
    page_url = links.ordering_url(ids, back=back)
    rows = [
        Ordering(
            owner_name(row.owner),
            lab_name(row.lab),
            allowed.get(row.owner.id, {}).get(row.lab_id),
            links.order_labs_url(row.owner.id, back=page_url) if row.owner.is_clinic else links.owner_url(row.owner),
        )
        for row in partnerships
    ]
    return show(request, "partners/ordering.html", rows=rows, crumbs=[links.list_crumb()], back=back)


def _allowed(upstream: Upstream, clinic_id: str) -> dict[str, bool]:
    """Return the labs that a clinic may order from; nothing if they can't be read, so that the page still works."""
    try:
        return {lab.lab_id: lab.allowed for lab in upstream.permissions.get_for_clinic(clinic_id).order_labs}
    except (NotDone, NotFound):
        return {}
