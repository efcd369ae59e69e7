"""The list of clinics: what can be asked of it, and how a clinic becomes a row."""

from collections.abc import Iterable
from datetime import tzinfo

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.lists import ListDefinition, ListQuery, SearchField
from console.places import country_name
from console.tables import Action, Cell, Column, ListView, Texts, date_cell, list_view
from console.upstream.clinics import Clinic
from console.upstream.listing import Listing

CLINICS = ListDefinition(
    name="clinics",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(),
    sorts=("name", "country_code", "user_count", "partner_count", "created_date"),
    default_sort="name",
)


def clinic_list(query: ListQuery, listing: Listing[Clinic], *, path: str, where: tzinfo) -> ListView:
    """The clinics of the organization; a row opens the clinic's users."""
    columns: tuple[Column[Clinic], ...] = (
        Column("name", _("Name"), "name", lambda c: Cell(c.name, href=users_url(c.id)), sort="name"),
        Column(
            "country", _("Country"), "text", lambda c: Cell(country_name(c.country_code or "")), sort="country_code"
        ),
        Column("server", _("Server location"), "text", lambda c: Cell(c.server_location or "")),
        Column("users", _("Users"), "number", lambda c: Cell(str(c.user_count)), sort="user_count"),
        Column("teams", _("Teams"), "number", lambda c: Cell(str(c.team_count))),
        Column("partners", _("Partners"), "number", lambda c: Cell(str(c.partner_count)), sort="partner_count"),
        Column("created", _("Created"), "date", lambda c: date_cell(c.created_date, where), sort="created_date"),
    )
    label, name = _("Permissions"), _("Permissions of %(name)s")

    def actions(clinic: Clinic) -> Iterable[Action]:
        href = reverse("groups:clinic-permissions", args=[clinic.id])
        return [Action(label=label, name=name % {"name": clinic.name}, href=href)]

    texts = Texts(
        caption=_("Clinics"),
        search=_("Search clinics by name"),
        nothing_yet_title=_("No clinics yet."),
        nothing_yet_text=_("Clinics of your organization are shown here."),
    )
    return list_view(
        query,
        listing.results,
        total=listing.result_count,
        path=path,
        columns=columns,
        row_id=lambda c: c.id,
        actions=actions,
        texts=texts,
    )


def users_url(clinic_id: str) -> str:
    return reverse("groups:user-list", args=[clinic_id])
