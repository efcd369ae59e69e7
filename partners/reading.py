"""Reads of labs and partnerships that several views share."""

from collections.abc import Callable, Sequence
from functools import partial

from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.lists.filters import Tab
from console.lists.view import ListView
from console.web.badges import COUNTS_PARAM, count_text
from console.web.request import ConsoleRequest, wants_json
from partners import links
from partners.labels import lab_name
from upstream.client import Upstream
from upstream.errors import Code, Conflict, NotDone, NotFound
from upstream.listing import ListParams, read_all
from upstream.resources.labs import Lab
from upstream.resources.partnerships import Partnership, State

# labs


def read_lab(upstream: Upstream, lab_id: str) -> Lab | None:
    """Read a lab; return None if it left the service."""
    try:
        return upstream.labs.get(lab_id)
    except Conflict as error:
        if error.code != Code.LAB_GONE:
            raise
        return None


def read_lab_name(upstream: Upstream, lab_id: str) -> str:
    """Read the name of a lab; return "" if it can't be read."""
    try:
        lab = read_lab(upstream, lab_id)
    except (NotDone, NotFound):
        return ""
    return lab_name(lab) if lab else ""


def partnerships_with(upstream: Upstream, lab_id: str) -> list[Partnership] | None:
    """Read the newest requests and partnerships with a lab; return None if they can't be read."""
    params = ListParams(size=100, sort="requested_date", order="desc", filters={"lab": (lab_id,)})
    try:
        return [row for row in upstream.partnerships.list(params).results if row.lab_id in ("", lab_id)]
    except (NotDone, NotFound):
        return None


def read_order_labs(upstream: Upstream, clinic_ids: Sequence[str]) -> dict[str, dict[str, bool]]:
    """Read from which labs these clinics can order, with one call each; clinics that can't be read are missing."""
    answers = upstream.together(*(partial(_order_labs, upstream, id) for id in clinic_ids))
    return {id: labs for id, labs in zip(clinic_ids, answers, strict=True) if labs is not None}


def _order_labs(upstream: Upstream, clinic_id: str) -> dict[str, bool] | None:
    try:
        return {lab.lab_id: lab.allowed for lab in upstream.permissions.get_for_clinic(clinic_id).order_labs}
    except (NotDone, NotFound):
        return None


# partnerships

WAITING: dict[str, tuple[str, ...]] = {"status": ("PENDING",), "requested_by": ("LAB",)}
OPEN = (State.REQUEST_SENT, State.PENDING, State.ACCEPTED)


def waiting_count(upstream: Upstream) -> int | None:
    """Read the number of waiting requests from labs; return None if it can't be read, because lists work without it."""
    try:
        return upstream.partnerships.list(ListParams(size=10, filters=WAITING)).result_count
    except (NotDone, NotFound):
        return None


def waiting_reads(request: ConsoleRequest) -> list[Callable[[], int | None]]:
    """Return the read of the tabs' count; an empty list for JSON without tabs, as after an action."""
    has_tabs = not wants_json(request) or COUNTS_PARAM in request.GET
    return [lambda: waiting_count(request.upstream)] if has_tabs else []


def with_tabs(view: ListView, current: str, waiting: Sequence[int | None]) -> ListView:
    """Return the list with the tabs of the partner list and the search; unchanged if `waiting` is empty."""
    if not waiting:
        return view
    tabs = [
        Tab(str(label), links.tab_url(name), count_text(waiting[0] or 0) if name == "asking" else "", name == current)
        for name, label in links.TABS.items()
    ]
    search = Tab(_("Find labs"), links.lab_list_url(), "", current == "search")
    return replace(view, tabs=[*tabs[:-1], search, tabs[-1]])


def open_with(upstream: Upstream, lab_id: str) -> dict[str, Partnership]:
    """Read the open requests and partnerships with a lab, by clinic ID."""
    filters = {"lab": (lab_id,), "status": ("PENDING", "ACCEPTED")}
    rows = read_all(upstream.together, upstream.partnerships.list, params=ListParams(filters=filters)).results
    return {row.owner.id: row for row in rows if row.owner.is_clinic and row.state in OPEN and row.lab_id == lab_id}
