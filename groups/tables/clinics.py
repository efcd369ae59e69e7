"""The list of clinics: its definition, and its rows."""

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from console.l10n.collation import in_order
from console.l10n.countries import country_name
from console.l10n.locations import location_name
from console.l10n.numbers import number_text
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, ListView, RowAction, date_cell, list_view
from console.web.paths import get_path
from groups.links.clinics import clinic_pages, clinic_partners_url, clinic_scanners_url
from upstream.listing import Listing
from upstream.resources.clinics import Clinic

CLINICS = ListDefinition(
    name="clinics",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(
        Filter("country_code", gettext_lazy("Country"), (), is_open=True),
        Filter(
            "has_partner",
            # Translators: labs that our clinics work with: filter, column head, tab and entry of the navigation.
            gettext_lazy("Partners"),
            # Translators: a choice of a filter: clinics that have a partner, which is a lab.
            # Translators: a choice of a filter: clinics that have no partner, which is a lab.
            (Choice("true", gettext_lazy("With a partner")), Choice("false", gettext_lazy("Without a partner"))),
            is_single=True,
        ),
        Filter(
            "has_user",
            gettext_lazy("Users"),
            # Translators: a choice of a filter: clinics that have users.
            # Translators: a choice of a filter: clinics that have no users.
            (Choice("true", gettext_lazy("With users")), Choice("false", gettext_lazy("Without users"))),
            is_single=True,
        ),
    ),
    sorts=("name", "country_code", "user_count", "scanner_count", "partner_count", "created_date"),
    default_sort="name",
    columns=("country", "server", "users", "teams", "scanners", "partners", "requests", "activity"),
)


def clinic_columns(tz: tzinfo) -> Sequence[Column[Clinic]]:
    """Return the columns of clinics; a name opens the clinic's users."""
    return (
        Column(
            "name",
            _("Name"),
            "name",
            lambda c: Cell(c.name),
            sort="name",
            href=lambda c: get_path("groups:user-list", c.id),
        ),
        Column(
            "country", _("Country"), "word", lambda c: Cell(country_name(c.country_code or "")), sort="country_code"
        ),
        Column("server", _("Server location"), "word", lambda c: Cell(location_name(c.server_location or ""))),
        Column("users", _("Users"), "number", lambda c: Cell(number_text(c.user_count)), sort="user_count"),
        Column("teams", _("Teams"), "number", lambda c: Cell(number_text(c.team_count))),
        Column(
            "scanners",
            _("Scanners"),
            "number",
            lambda c: Cell(number_text(c.scanner_count)),
            sort="scanner_count",
            href=clinic_scanners_url,
        ),
        Column(
            "partners",
            _("Partners"),
            "number",
            lambda c: Cell(number_text(c.partner_count)),
            sort="partner_count",
            href=lambda c: clinic_partners_url(c) if c.partner_count else "",
        ),
        # Translators: column head: number of partnership requests of a clinic that are not decided. Keep short.
        Column(
            "requests",
            # Translators: the head of a column: the number of pending partnership requests of a clinic.
            pgettext("column", "Requests"),
            "number",
            lambda c: Cell(number_text(c.pending_partnership_count)),
            title=_("Pending requests"),
        ),
        # Translators: a column: when something last happened in a clinic.
        Column("activity", _("Last activity"), "date", lambda c: date_cell(c.last_activity_date, tz)),
    )


def clinic_table(query: ListQuery, listing: Listing[Clinic], *, path: str, tz: tzinfo) -> ListView:
    query = query.with_choices("country_code", country_choices(query, listing))
    texts = ListTexts(
        caption=_("Clinics"),
        search=_("Search clinics by name"),
        nothing_yet_title=_("No clinics yet."),
        nothing_yet_text=_("Add your first clinic, then invite its users."),
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=clinic_columns(tz),
            row_href=clinic_pages,
            actions=_actions(),
            texts=texts,
            selection="bulk-clinics",
        ),
        path=path,
    )


def clinic_facts(clinic: Clinic, tz: tzinfo) -> list[Fact]:
    """Return the values that the form of a clinic only shows."""
    location = Cell(location_name(clinic.server_location or ""))
    facts = [Fact(_("Server location"), location, note=_("The server location can't be changed."))]
    created = date_cell(clinic.created_date, tz)
    # Translators: label of the day on which a clinic, team or user was created.
    return [*facts, Fact(pgettext("date", "Created"), created, "date")] if created.text else facts


def country_choices(query: ListQuery, listing: Listing[Any]) -> tuple[Choice, ...]:
    """Return the countries to choose from: those that the service counted or those of the page, and the chosen ones."""
    known = listing.facets.get("country_code") or [clinic.country_code for clinic in listing.results]
    codes = {code for code in (*known, *query.filters.get("country_code", ())) if code}
    named = in_order("countries", {code: country_name(code) for code in codes})
    return tuple(Choice(code, name) for code, name in named)


def _actions() -> list[RowAction[Clinic]]:
    return [
        RowAction(_("Permissions"), "/permissions"),
        RowAction(_("Edit"), "/edit"),
        RowAction(_("Delete"), "/delete"),
    ]
