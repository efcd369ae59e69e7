"""The list of scanners: its filters, columns and rows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from msgspec import UNSET
from msgspec.structs import replace

from console.lists.choices import CLINIC
from console.lists.query import MAX_VALUES, Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, ListView, RowAction, date_cell, list_view
from console.web.paths import get_path
from scanners.labels import SCANNER_STATUSES
from scanners.links import DECISIONS, scanner_list_url, scanner_page
from scanners.models import Expected
from upstream.listing import Listing
from upstream.resources.scanners import APPROVE, APPROVED, CANCEL_APPROVAL, DISAPPROVE, NEVER, PENDING, Scanner

SCANNERS = ListDefinition(
    name="scanners",
    search_fields=(
        SearchField("all", gettext_lazy("All fields")),
        SearchField("serial_number", gettext_lazy("Serial number")),
        SearchField("clinic", gettext_lazy("Clinic")),
        SearchField("user", gettext_lazy("Connected by")),
    ),
    filters=(
        CLINIC,
        # Translators: model of a scanner, such as i700. Filter, column and label.
        Filter("model", gettext_lazy("Model"), (), is_text=True, has_names=True),
        Filter(
            "status",
            gettext_lazy("Status"),
            tuple(Choice(code, label) for code, (label, _tone) in SCANNER_STATUSES.items()),
            tabs=(PENDING, APPROVED),
        ),
        Filter(
            "last_scan",
            # Translators: when a scanner was last used to scan. Filter, column and label.
            gettext_lazy("Last scan"),
            (
                # Translators: choice of the filter "Last scan" or "Last login".
                Choice("30", gettext_lazy("Not in the last 30 days, or never")),
                # Translators: choice of the filter "Last scan" or "Last login".
                Choice("90", gettext_lazy("Not in the last 90 days, or never")),
                Choice(NEVER, gettext_lazy("Never")),
            ),
            is_single=True,
        ),
        # The link to the expected scanners of a page uses this filter if there is no script that selects them.
        Filter("serial_number", gettext_lazy("Serial number"), (), is_text=True, is_offered=False, has_names=True),
    ),
    sorts=("serial_number", "status", "connected_date", "approved_date", "last_scanned_date", "first_connected_date"),
    default_sort="connected_date",
    default_order="desc",
    columns=(
        "model",
        "clinic",
        "user",
        "status",
        "expected",
        "connected",
        "approved",
        "last_scanned",
        "first_connected",
    ),
    hidden=("approved", "first_connected"),
)


CLINIC_SCANNERS = replace(
    SCANNERS,
    name="clinic_scanners",
    search_fields=tuple(field for field in SCANNERS.search_fields if field.name != "clinic"),
    filters=tuple(f for f in SCANNERS.filters if f is not CLINIC),
    columns=tuple(name for name in SCANNERS.columns if name != "clinic"),
)
"""The list of one clinic's scanners."""


def scanner_columns(
    tz: tzinfo,
    *,
    clinic_names: Mapping[str, str] | None = None,
    expected: Mapping[str, Expected] | None = None,
) -> Sequence[Column[Scanner]]:
    """Return the columns of scanners; a serial number links to the scanner's page.

    `expected` has the waiting scanners that are on the purchase list, by ID; if it is None, the column is omitted.
    `clinic_names` has the names that the service leaves out of the scanners, by clinic ID; if it is None, there is no
    column for the clinic. Labels are looked up once, because each look-up takes a process-wide lock.
    """
    statuses = {code: (str(label), tone) for code, (label, tone) in SCANNER_STATUSES.items()}
    never, names = _("Never"), clinic_names or {}

    def clinic(scanner: Scanner) -> Cell:
        return Cell(scanner.clinic_name or names.get(scanner.clinic_id, ""))

    def clinic_url(scanner: Scanner) -> str:
        return get_path("groups:user-list", scanner.clinic_id)

    def status(scanner: Scanner) -> Cell:
        label, tone = statuses.get(scanner.status, (scanner.status, "neutral"))
        return Cell(label, tone=tone)

    def date(moment: datetime | None) -> Cell:
        return date_cell(moment, tz)

    return (
        Column(
            "serial_number",
            _("Serial number"),
            "name",
            lambda s: Cell(s.serial_number),
            sort="serial_number",
            href=lambda s: scanner_page(s.id),
        ),
        Column("model", _("Model"), "text", lambda s: Cell(s.model or "")),
        *(() if clinic_names is None else (Column("clinic", _("Clinic"), "text", clinic, href=clinic_url),)),
        # Translators: column head: the user who connected a scanner.
        Column("user", _("Connected by"), "text", lambda s: Cell(s.user_name or "")),
        Column("status", _("Status"), "badge", status, sort="status"),
        *expected_columns(expected),
        # Translators: column head and label: when a scanner was last connected.
        Column(
            "connected",
            pgettext("date", "Last connected"),
            "date",
            lambda s: date(s.connected_date),
            sort="connected_date",
        ),
        # Translators: column head and label: when a scanner was approved.
        Column("approved", pgettext("date", "Approved"), "date", lambda s: date(s.approved_date), sort="approved_date"),
        Column(
            "last_scanned",
            _("Last scan"),
            "date",
            lambda s: date(s.last_scanned_date) if s.last_scanned_date else Cell(never),
            sort="last_scanned_date",
        ),
        Column(
            "first_connected",
            # Translators: column head and label: the date when a scanner was connected for the first time.
            _("First connected"),
            "date",
            lambda s: date(s.first_connected_date),
            sort="first_connected_date",
        ),
    )


def scanner_table(
    query: ListQuery,
    listing: Listing[Scanner],
    *,
    path: str,
    tz: tzinfo,
    clinic_names: Mapping[str, str] | None = None,
    expected: Mapping[str, Expected] | None = None,
) -> ListView:
    """Return the table of scanners. Without `clinic_names` it is that of one clinic, whose rows can't be selected."""
    query = query.with_choices("model", _models(query, listing))
    how = _("A scanner appears here when someone in one of your clinics connects it.")
    texts = ListTexts(
        caption=_("Scanners"),
        # Translators: a hint in a field.
        search=_("Search by serial number or user")
        if clinic_names is None
        # Translators: a hint in the field of the search.
        else _("Search by serial number, clinic, or user"),
        nothing_yet_title=_("No scanners yet."),
        nothing_yet_text=how,
        nothing_in_tab={
            PENDING: _("No scanners waiting for approval."),
            APPROVED: _("No approved scanners."),
        },
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=scanner_columns(tz, clinic_names=clinic_names, expected=expected),
            row_href=lambda scanner: scanner_page(scanner.id),
            actions=tuple(scanner_actions().values()),
            texts=texts,
            selection="" if clinic_names is None else "bulk-scanners",
            detail=lambda scanner: scanner.clinic_name,
            # The tab of what waits has the space: all of it has one status.
            in_sight=lambda _scanner: query.filters.get("status") == (PENDING,),
        ),
        path=path,
    )


def expected_columns(expected: Mapping[str, Expected] | None) -> tuple[Column[Scanner], ...]:
    """Return the column that marks scanners on the purchase list and shows their notes; none if `expected` is None."""
    if expected is None:
        return ()

    def mark(scanner: Scanner) -> Cell:
        if (row := expected.get(scanner.id)) is None:
            return Cell("")
        if is_in_expected_clinic(scanner, row):
            # Translators: mark of a scanner whose serial number is expected.
            return Cell(pgettext("state", "Expected"), tone="info", note=row.note or UNSET)
        # Translators: mark of a scanner whose serial number is expected in another clinic.
        return Cell(_("Expected at another clinic"), tone="warning", note=row.note or UNSET)

    # Translators: column head: whether the serial number of a scanner is expected.
    return (Column("expected", _("Expected"), "badge", mark),)


def is_in_expected_clinic(scanner: Scanner, expected: Expected) -> bool:
    """Return True if an expected scanner was connected in the clinic where it is expected."""
    return expected.clinic_id in ("", scanner.clinic_id)


def expected_ones(scanners: Iterable[Scanner], expected: Mapping[str, Expected]) -> str:
    """Return the URL of the list of expected scanners connected where they are expected; "" if there are none."""
    serials = [s.serial_number for s in scanners if s.id in expected and is_in_expected_clinic(s, expected[s.id])]
    pairs = [("status", PENDING), *(("serial_number", serial) for serial in serials[:MAX_VALUES])]
    return f"{scanner_list_url()}?{urlencode(pairs)}" if serials else ""


def scanner_actions() -> dict[str, RowAction[Scanner]]:
    """Return the decisions in order. Approving needs no confirmation, because it can be undone."""
    return {
        # Translators: button: approves a scanner.
        APPROVE: _action(_("Approve"), APPROVE, is_immediate=True),
        # Translators: button: disapproves a scanner.
        DISAPPROVE: _action(_("Disapprove"), DISAPPROVE),
        # Translators: button: takes the approval of a scanner back.
        CANCEL_APPROVAL: _action(_("Cancel approval"), CANCEL_APPROVAL),
    }


def scanner_facts(scanner: Scanner, *, clinic_name: str, tz: tzinfo) -> list[Fact]:
    """Return all facts about a scanner except its serial number."""
    status, tone = SCANNER_STATUSES.get(scanner.status, (scanner.status, "neutral"))
    users = get_path("groups:all-user-list")
    user = f"{users}?{urlencode({'user': scanner.user_id})}" if scanner.user_id else ""
    return [
        Fact(_("Status"), Cell(str(status), tone=tone), "badge"),
        Fact(_("Model"), Cell(scanner.model or "")),
        # Translators: column head and label: the version of the software in a scanner.
        Fact(_("Software version"), Cell(scanner.software_version or "")),
        Fact(_("Clinic"), Cell(clinic_name, href=get_path("groups:user-list", scanner.clinic_id))),
        Fact(_("Connected by"), Cell(scanner.user_name or "", href=user)),
        Fact(pgettext("date", "Last connected"), date_cell(scanner.connected_date, tz), "date"),
        Fact(pgettext("date", "Approved"), date_cell(scanner.approved_date, tz), "date"),
        Fact(_("Last scan"), date_cell(scanner.last_scanned_date, tz), "date"),
        Fact(_("First connected"), date_cell(scanner.first_connected_date, tz), "date"),
    ]


def subject_facts(scanner: Scanner, *, clinic_name: str) -> list[Fact]:
    """Return the facts that identify a scanner in a confirmation."""
    return [
        Fact(_("Serial number"), Cell(scanner.serial_number)),
        Fact(_("Model"), Cell(scanner.model or "")),
        Fact(_("Clinic"), Cell(clinic_name)),
        Fact(_("Connected by"), Cell(scanner.user_name or "")),
    ]


def _action(label: str, action: str, *, is_immediate: bool = False) -> RowAction[Scanner]:
    return RowAction(label, f"/{DECISIONS[action]}", lambda scanner: scanner.allows(action), is_act=is_immediate)


def _models(query: ListQuery, listing: Listing[Scanner]) -> tuple[Choice, ...]:
    """Return the models to choose from: those the service counted or those of this page, and the selected ones."""
    known = listing.facets.get("model") or [scanner.model for scanner in listing.results]
    return tuple(Choice(name, name) for name in sorted({*known, *query.filters.get("model", ())} - {None, ""}))
