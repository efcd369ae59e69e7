"""The lists of partnerships, one for each tab: filters, columns and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from msgspec import UNSET
from msgspec.structs import replace

from console.l10n.numbers import ngettext
from console.lists.choices import CLINIC
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, ListView, RowAction, date_cell, list_view
from partners import links
from partners.labels import ACTIONS, STATES, lab_name, owner_name, state_cell
from partners.reading import WAITING
from partners.tables.ordering import LAB
from upstream.listing import Listing, ListParams
from upstream.resources.partnerships import Action, Partnership, State

_FIELDS = (
    SearchField("all", gettext_lazy("All fields")),
    SearchField("lab", gettext_lazy("Lab")),
    SearchField("clinic", gettext_lazy("Clinic")),
)
_WITHIN = Filter(
    "requested_within",
    # Translators: filter, column and label: when a request was sent.
    pgettext_lazy("date", "Requested"),
    (
        Choice("7", gettext_lazy("In the last 7 days")),
        Choice("30", gettext_lazy("In the last 30 days")),
        Choice("90", gettext_lazy("In the last 90 days")),
    ),
    is_single=True,
)
_PAST = (State.REJECTED, State.CANCELED, State.ENDED)
_STATUS = Filter("status", gettext_lazy("Status"), tuple(Choice(state, STATES[state][0]) for state in _PAST))


@dataclass(frozen=True)
class Tab:
    """One of the lists; `only` has the filters of the service that define it."""

    definition: ListDefinition
    only: Mapping[str, tuple[str, ...]]

    def with_filters(self, params: ListParams) -> ListParams:
        """Return parameters that select rows of this tab only."""
        return replace(params, filters={**self.only, **params.filters})


def _tab(
    name: str, only: dict[str, tuple[str, ...]], *columns: str, sort: str, order: str, more: tuple[Filter, ...] = ()
) -> Tab:
    definition = ListDefinition(
        name=name,
        search_fields=_FIELDS,
        filters=(CLINIC, *more, _WITHIN),
        sorts=("lab_name", "owner_name", "status", "requested_date", "contract_date"),
        default_sort=sort,
        default_order=order,
        columns=columns,
    )
    return Tab(definition, only)


PENDING = ("PENDING",)
TABS: dict[str, Tab] = {
    # The longest waiting requests come first.
    "asking": _tab(
        "asking",
        WAITING,
        *("clinic", "status", "requested", "message"),
        sort="requested_date",
        order="asc",
    ),
    "partner": _tab(
        "partner", {"status": (State.ACCEPTED.value,)}, "clinic", "status", "contract", sort="lab_name", order="asc"
    ),
    "sent": _tab(
        "sent",
        {"status": PENDING, "requested_by": ("ORGANIZATION",)},
        *("clinic", "status", "requested", "message"),
        sort="requested_date",
        order="desc",
        more=(LAB,),
    ),
    "past": _tab(
        "past",
        {"status": tuple(state.value for state in _PAST)},
        *("clinic", "status", "asked", "requested", "contract", "ended"),
        sort="requested_date",
        order="desc",
        more=(_STATUS,),
    ),
}

SELECTABLE = ("asking", "sent")
"""The tabs with bulk actions."""

GLANCE = 80
"""Characters of a message that a row shows; the page of the partnership has all."""


CLINIC_PARTNERS = replace(
    TABS["partner"].definition,
    name="clinic_partners",
    search_fields=tuple(field for field in _FIELDS if field.name != "clinic"),
    filters=(_WITHIN,),
)
"""The list of one clinic's partners."""


def partnership_table(
    tab: str, query: ListQuery, listing: Listing[Partnership], *, tz: tzinfo, path: str = ""
) -> ListView:
    """Return the table of a tab, or of a list at `path` with its columns."""
    texts = _texts(tab)
    if query.definition is CLINIC_PARTNERS:
        texts = replace(texts, search=_("Search by lab"))
    return list_view(
        query,
        listing,
        ListTable(
            columns=partnership_columns(query.definition, tz),
            row_href=_href,
            actions=_actions(),
            texts=texts,
            selection=f"bulk-{tab}" if tab in SELECTABLE else "",
            detail=lambda partnership: partnership.owner.name,
            shows_actions=tab in SELECTABLE,
        ),
        path=path or links.tab_url(tab),
    )


def counted(tab: str, count: int) -> str:
    """Return the number of rows as a text."""
    if tab == "partner":
        return ngettext("%(count)s partnership", "%(count)s partnerships", count) % {"count": count}
    if tab == "past":
        # Translators: entries of the history: requests and partnerships that ended.
        return ngettext("%(count)s entry", "%(count)s entries", count) % {"count": count}
    return ngettext("%(count)s request", "%(count)s requests", count) % {"count": count}


def _href(partnership: Partnership) -> str:
    return links.partnership_pages(partnership.id)


def partnership_columns(
    definition: ListDefinition, tz: tzinfo, *, is_file: bool = False
) -> Sequence[Column[Partnership]]:
    """Return the columns of a list; a lab links to the partnership's page. A file has complete messages."""
    columns = {column.name: column for column in _columns(tz, is_file)}
    return [columns["lab"], *(columns[name] for name in definition.columns)]


def _columns(tz: tzinfo, is_file: bool) -> tuple[Column[Partnership], ...]:
    def message(partnership: Partnership) -> Cell:
        return Cell(_in_one_line(partnership)) if is_file else message_cell(partnership)

    # Translators: who sent a request for a partnership; the other one is “Your organization”.
    # Translators: who sent a request for a partnership; the other one is “The lab”.
    requesters = {"LAB": _("The lab"), "ORGANIZATION": _("Your organization")}
    return (
        Column("lab", _("Lab"), "name", lambda p: Cell(lab_name(p.lab)), sort="lab_name", href=_href),
        # Translators: column head: for whom a lab is a partner, a clinic or a user of one.
        Column("clinic", _("Clinic or user"), "text", owner_cell, sort="owner_name", href=owner_page),
        Column("status", _("Status"), "badge", state_cell, sort="status"),
        # Translators: column head and label: who sent the request, the lab or your organization.
        Column("asked", _("Requested by"), "word", lambda p: Cell(requesters.get(p.requested_by, p.requested_by))),
        Column(
            "requested",
            pgettext("date", "Requested"),
            "date",
            lambda p: date_cell(p.requested_date, tz),
            sort="requested_date",
        ),
        # Translators: noun: the message that came with a request. Column head and heading.
        Column("message", _("Message"), "text", message),
        Column("contract", _("Partner since"), "date", lambda p: date_cell(p.contract_date, tz), sort="contract_date"),
        # Translators: column head and label: when a partnership ended.
        Column("ended", pgettext("date", "Ended"), "date", lambda p: date_cell(p.ended_date, tz)),
    )


def message_cell(partnership: Partnership) -> Cell:
    """Return the start of a request's message."""
    text = _in_one_line(partnership)
    return Cell(text if len(text) <= GLANCE else text[:GLANCE].rstrip() + "…")


def _in_one_line(partnership: Partnership) -> str:
    return " ".join(partnership.message.split())


def owner_cell(partnership: Partnership) -> Cell:
    """Return the name of the clinic or user; users are marked, since most owners are clinics."""
    owner = partnership.owner
    return Cell(owner_name(owner), note=_("User") if owner.is_user else UNSET)


def owner_page(partnership: Partnership) -> str:
    return links.owner_url(partnership.owner)


def _actions() -> list[RowAction[Partnership]]:
    """Return the actions of a row, each with the condition that its state must meet."""
    return [
        *answers(),
        _action(Action.CANCEL, "/cancel", is_immediate=True),
        _action(Action.SEND, "/send-again"),
        _action(Action.END, "/end"),
    ]


def answers() -> list[RowAction[Partnership]]:
    """Return the possible answers to a lab's request."""
    return [
        # Translators: a request of a lab is about to be accepted; for some seconds that can be undone.
        _action(Action.ACCEPT, "/accept", is_immediate=True, progress=_("Accepting…")),
        # Translators: a request of a lab is about to be rejected; for some seconds that can be undone.
        _action(Action.REJECT, "/reject", is_immediate=True, progress=_("Rejecting…")),
    ]


def _action(action: Action, path: str, *, is_immediate: bool = False, progress: str = "") -> RowAction[Partnership]:
    return RowAction(str(ACTIONS[action]), path, lambda row: row.allows(action), is_act=is_immediate, progress=progress)


def _texts(tab: str) -> ListTexts:
    caption, title, text = {
        "asking": (
            _("Requests from labs"),
            _("No requests from labs."),
            _("When a lab requests a partnership with one of your clinics, you can accept or reject the request here."),
        ),
        "partner": (
            _("Partners"),
            _("No partners yet."),
            _("A lab becomes a partner when one side accepts the other's request."),
        ),
        "sent": (
            _("Sent requests"),
            _("No pending requests."),
            _("Requests that labs haven't answered yet appear here."),
        ),
        "past": (
            _("Partnership history"),
            _("No history yet."),
            _("Rejected and canceled requests and ended partnerships appear here."),
        ),
    }[tab]
    return ListTexts(
        caption=caption, search=_("Search by lab or clinic"), nothing_yet_title=title, nothing_yet_text=text
    )


def partnership_facts(partnership: Partnership, tz: tzinfo) -> list[Fact]:
    """Return all facts about a partnership except the lab's name; empty ones are omitted."""
    dates = (
        (pgettext("date", "Requested"), partnership.requested_date),
        (_("Partner since"), partnership.contract_date),
        (pgettext("date", "Ended"), partnership.ended_date),
    )
    requesters = {"LAB": _("The lab"), "ORGANIZATION": _("Your organization")}
    by = partnership.requested_by
    return [
        Fact(_("Status"), state_cell(partnership), "badge"),
        *subject_facts(partnership),
        *([Fact(_("Requested by"), Cell(requesters.get(by, by)))] if by else []),
        *(Fact(label, date_cell(moment, tz), "date") for label, moment in dates if moment),
    ]


def subject_facts(partnership: Partnership) -> list[Fact]:
    """Return the facts that identify a partnership in a confirmation."""
    # Translators: label above the name of a person.
    label = _("User") if partnership.owner.is_user else _("Clinic")
    return [
        Fact(_("Lab"), Cell(lab_name(partnership.lab))),
        Fact(label, replace(owner_cell(partnership), href=owner_page(partnership))),
    ]
