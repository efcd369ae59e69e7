"""The list of expected serial numbers: its filters, columns and rows."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from console.l10n.bidi import isolated
from console.l10n.dates import date_text
from console.l10n.numbers import ngettext, number_text
from console.lists.query import Choice, Filter, Label, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, ListView, RowAction, Tone, date_cell, list_view
from console.web.links import Link
from console.web.paths import get_path
from scanners.models import CONNECTED, NEVER, UNCHECKED, Expected, Totals
from upstream.listing import Listing

STATES: dict[str, tuple[Label, Tone]] = {
    # Translators: state of an expected serial number: such a scanner was connected.
    CONNECTED: (pgettext_lazy("state", "Connected"), "success"),
    # Translators: state of an expected serial number: no such scanner was connected.
    NEVER: (gettext_lazy("Never connected"), "warning"),
    # Translators: state of an expected serial number: it is not known whether such a scanner was connected.
    UNCHECKED: (gettext_lazy("Not checked yet"), "neutral"),
}

EXPECTED = ListDefinition(
    name="expected",
    search_fields=(
        SearchField("all", gettext_lazy("All fields")),
        SearchField("serial_number", gettext_lazy("Serial number")),
        SearchField("clinic", gettext_lazy("Clinic")),
        # Translators: noun: a few words of the administrator's own. Field, column and search.
        SearchField("note", gettext_lazy("Note")),
    ),
    filters=(
        Filter("clinic", gettext_lazy("Clinic"), (), is_open=True, find=gettext_lazy("Find a clinic"), has_names=True),
        Filter(
            "state",
            # Translators: filter, column and label: whether a scanner with this serial number was connected.
            gettext_lazy("Connection"),
            tuple(Choice(code, label) for code, (label, _tone) in STATES.items()),
        ),
    ),
    sorts=("serial_number", "added_date"),
    default_sort="added_date",
    default_order="desc",
    columns=("clinic", "state", "checked", "note", "added"),
)


def serial_columns(tz: tzinfo, clinic_names: Mapping[str, str]) -> Sequence[Column[Expected]]:
    """Return the columns of expected serial numbers; each links to its form."""
    states = {code: (str(label), tone) for code, (label, tone) in STATES.items()}

    def state(row: Expected) -> Cell:
        label, tone = states[row.state]
        return Cell(label, tone=tone)

    return (
        Column(
            "serial_number",
            _("Serial number"),
            "text",
            lambda row: Cell(get_name(row)),
            sort="serial_number",
            href=lambda row: f"{href(row)}/{'edit' if row.is_readable else 'delete'}",
        ),
        Column("clinic", _("Clinic"), "text", lambda row: Cell(clinic_names.get(row.clinic_id, ""))),
        Column("state", _("Connection"), "badge", state),
        # Translators: column head: when it was last checked whether a scanner was connected.
        Column("checked", pgettext("date", "Checked"), "date", lambda row: date_cell(row.checked_date, tz)),
        Column("note", _("Note"), "text", lambda row: Cell(row.note)),
        # Translators: column head and label: when a serial number was put on the list.
        Column(
            "added", pgettext("date", "Added"), "date", lambda row: date_cell(row.added_date, tz), sort="added_date"
        ),
    )


def expected_table(
    query: ListQuery,
    listing: Listing[Expected],
    *,
    path: str,
    tz: tzinfo,
    clinic_names: Mapping[str, str],
) -> ListView:
    """Return the table of expected serial numbers."""
    return list_view(
        query,
        listing,
        ListTable(
            columns=serial_columns(tz, clinic_names),
            row_href=href,
            actions=[RowAction(_("Edit"), "/edit", lambda row: row.is_readable), RowAction(_("Delete"), "/delete")],
            texts=ListTexts(
                caption=_("Expected serial numbers"),
                # Translators: a hint in the field of the search.
                search=_("Search by serial number or note"),
                nothing_yet_title=_("No expected serial numbers yet."),
                nothing_yet_text=_(
                    "Add the serial numbers of scanners you've bought. When one connects, it's marked as expected "
                    "in the scanner list. Nothing is approved automatically."
                ),
                first_steps=(
                    Link(_("Add serial numbers"), get_path("scanners:expected-serial-create")),
                    Link(_("Import from a file"), get_path("scanners:expected-serial-import")),
                ),
            ),
            selection="bulk-expected",
        ),
        path=path,
    )


def list_facts(count: int, totals: Totals, *, tz: tzinfo) -> list[str]:
    """Return the number of rows shown, and the age of the checks of all rows."""
    unchecked, oldest = totals.unchecked, date_text(totals.oldest_check, tz)
    facts = [ngettext("%(count)s serial number", "%(count)s serial numbers", count) % {"count": count}]
    if unchecked:
        # Translators: %(count)s: how many serial numbers; a label and its number.
        return [*facts, _("Not checked yet: %(count)s") % {"count": number_text(unchecked)}]
    # Translators: %(date)s: when the serial numbers were checked, such as Nov 22, 2026.
    return [*facts, _("Oldest check: %(date)s") % {"date": isolated(oldest)}] if oldest else facts


def href(row: Expected) -> str:
    """Return the common start of the URLs of a row's pages."""
    return get_path("scanners:expected-serial-edit", row.id).removesuffix("/edit")


def get_name(row: Expected) -> str:
    """Return the serial number, or a text if it can't be read."""
    # Translators: stands in place of a serial number.
    return row.serial_number if row.is_readable else _("Unreadable")


def expected_facts(row: Expected, *, tz: tzinfo, clinic_name: str = "") -> list[Fact]:
    """Return the facts for the form of a row, and for the confirmation before it is deleted."""
    label, tone = STATES[row.state]
    checked = date_cell(row.checked_date, tz).text
    # Translators: below the date when a serial number was added: who added it.
    you = _("By you")
    # Translators: below the date when a serial number was added: who added it.
    other = _("By another administrator")
    return [
        Fact(_("Serial number"), Cell(get_name(row))),
        *([Fact(_("Clinic"), Cell(clinic_name))] if clinic_name else []),
        Fact(
            _("Connection"),
            Cell(str(label), tone=tone),
            "badge",
            # Translators: %(date)s: when a serial number was last checked, such as Nov 22, 2026.
            note=_("Checked %(date)s") % {"date": checked} if checked else "",
        ),
        Fact(pgettext("date", "Added"), date_cell(row.added_date, tz), "date", note=you if row.is_mine else other),
    ]
