"""The permissions of all clinics in one table: its definition, and its rows."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.l10n.countries import country_name
from console.l10n.numbers import ngettext, number_text
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, list_view
from console.web.links import Link
from console.web.paths import get_path
from groups.forms.permissions import OFF, ON
from groups.labels import PERMISSION_HEADS, PERMISSIONS
from groups.links.clinics import clinic_pages
from groups.reading import DIFFERS, Comparison
from groups.tables.clinics import country_choices
from upstream.listing import Listing
from upstream.resources.clinics import ClinicSettings

_CHOICES = (Choice(ON, gettext_lazy("On")), Choice(OFF, gettext_lazy("Off")))

ALL_PERMISSIONS = ListDefinition(
    name="permissions",
    # Translators: a choice: the search looks in all fields.
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(
        Filter("country_code", gettext_lazy("Country"), (), is_open=True),
        Filter(
            DIFFERS,
            # Translators: filter and column head: permissions of a clinic that are not as in most clinics.
            gettext_lazy("Differences"),
            # Translators: choice of a filter: clinics with a permission that most clinics have set otherwise.
            (Choice("true", gettext_lazy("Differs from most")),),
            is_single=True,
        ),
        *(Filter(name, label, _CHOICES, is_single=True) for name, label in PERMISSIONS.items()),
    ),
    sorts=("name", "country_code", DIFFERS),
    default_sort="name",
    columns=("country", *PERMISSIONS, DIFFERS),
    hidden=("country",),
)


def all_permission_columns(comparison: Comparison) -> Sequence[Column[ClinicSettings]]:
    """Return the columns of clinics with their permissions; a name opens the permissions of its clinic."""
    return (
        Column(
            "name",
            _("Name"),
            "name",
            lambda c: Cell(c.name),
            sort="name",
            href=lambda c: get_path("groups:clinic-permission-edit", c.id),
        ),
        Column(
            "country", _("Country"), "word", lambda c: Cell(country_name(c.country_code or "")), sort="country_code"
        ),
        *(
            Column(name, PERMISSION_HEADS[name], "badge", partial(_setting, comparison, name), title=label)
            for name, label in PERMISSIONS.items()
        ),
        Column(
            DIFFERS,
            _("Differences"),
            "number",
            lambda c: Cell(number_text(len(comparison.differences(c)))),
            sort=DIFFERS,
        ),
    )


def all_permission_table(
    query: ListQuery, listing: Listing[ClinicSettings], comparison: Comparison, *, path: str
) -> ListView:
    """Return the clinics with their permissions."""
    query = query.with_choices("country_code", country_choices(query, listing))
    return list_view(
        query,
        listing,
        ListTable(
            columns=all_permission_columns(comparison),
            row_href=clinic_pages,
            actions=[RowAction(_("Permissions"), "/permissions"), RowAction(_("Edit"), "/edit")],
            texts=ListTexts(
                caption=_("Permissions for all clinics"),
                search=_("Search clinics by name"),
                nothing_yet_title=_("No clinics yet."),
                nothing_yet_text=_("Add your first clinic, then invite its users."),
                first_steps=(Link(_("Add your first clinic"), get_path("groups:clinic-create")),),
            ),
            selection="bulk-permissions",
        ),
        path=path,
    )


def compared_with(comparison: Comparison) -> str:
    """Return the sentence that says which clinics were compared."""
    count, total = len(comparison.clinics), comparison.total
    if count < total:
        # Translators: read, total: numbers of clinics.
        few = _("Compared %(read)s of %(total)s clinics. Use search or the country filter to narrow the list.")
        return few % {"read": number_text(count), "total": number_text(total)}
    return ngettext("Compared %(count)s clinic", "Compared %(count)s clinics", count)


def _setting(comparison: Comparison, name: str, clinic: ClinicSettings) -> Cell:
    """Return on or off, with a note if most clinics have it otherwise; empty if the service doesn't say."""
    value = clinic.settings.get(name)
    if value is None:
        return Cell("")
    text = _("On") if value else _("Off")
    if comparison.usual.get(name, value) != value:
        # Translators: next to a setting of a clinic, "On" or "Off": most clinics have the other one. Keep short.
        return Cell(text, tone="warning", note=_("Unusual"))
    return Cell(text, tone="success" if value else "neutral")
