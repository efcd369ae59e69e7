"""The clinics for which a request to a lab can be sent: the list's columns and rows."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.l10n.countries import country_name
from console.lists.query import ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, list_view
from console.web.links import Link
from console.web.paths import get_path
from partners import links
from partners.labels import state_cell
from upstream.listing import Listing
from upstream.resources.clinics import Clinic
from upstream.resources.partnerships import Action, Partnership

ASKABLE = ListDefinition(
    name="askable",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(),
    sorts=("name", "country_code"),
    default_sort="name",
    columns=("country", "state"),
)


def askable_table(
    query: ListQuery, listing: Listing[Clinic], *, lab_id: str, is_open: Mapping[str, Partnership]
) -> ListView:
    """Return the clinics, each with the open request or partnership that blocks another request."""

    def href(clinic: Clinic) -> str:
        existing = is_open.get(clinic.id)
        if existing:
            return links.partnership_pages(existing.id)
        return get_path("partners:request-send", lab_id, clinic.id)

    def state(clinic: Clinic) -> Cell:
        # Translators: state of a clinic: the lab has not been sent a request for it.
        return state_cell(is_open[clinic.id]) if clinic.id in is_open else Cell(_("No request yet"), tone="neutral")

    def can_cancel(clinic: Clinic) -> bool:
        return clinic.id in is_open and is_open[clinic.id].allows(Action.CANCEL)

    columns: tuple[Column[Clinic], ...] = (
        Column("name", _("Clinic"), "name", lambda c: Cell(c.name), sort="name", href=href),
        Column(
            "country", _("Country"), "word", lambda c: Cell(country_name(c.country_code or "")), sort="country_code"
        ),
        Column("state", _("Status"), "badge", state),
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=href,
            actions=[
                RowAction(_("Send request"), "", lambda clinic: clinic.id not in is_open),
                RowAction(_("Cancel request"), links.CANCEL, can_cancel, is_act=True),
            ],
            texts=ListTexts(
                caption=_("Clinics for this request"),
                search=_("Search clinics by name"),
                nothing_yet_title=_("No clinics yet."),
                nothing_yet_text=_("To send requests, add your first clinic."),
                first_steps=(Link(_("Add clinic"), get_path("groups:clinic-create")),),
            ),
            selection="bulk-askable",
        ),
        path=links.request_url(lab_id),
    )
