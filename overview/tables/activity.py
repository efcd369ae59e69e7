"""The lists of activity: filters and columns, the rows of the list, and the lines of an export."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from console.audit import words
from console.audit.content import Entry
from console.audit.query import Period, entry_href
from console.forms.blockers import reason_texts
from console.l10n.dates import exact_time, local_moment, zoned_time
from console.l10n.names import disambiguate
from console.l10n.numbers import number_text
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, ListView, list_view
from console.web.contributions import contributed
from overview import links
from upstream.errors import Reason
from upstream.listing import Listing
from upstream.nouns import called

TODAY, YESTERDAY = "today", "yesterday"
# Translators: column head and label of a filter: the date and time of what happened.
_DATE = gettext_lazy("Date")
# Translators: column head and label of a filter: who did something, an administrator or a user; neutral form.
_PERSON = pgettext_lazy("column", "Person")
# Translators: column head and label of a filter: what an administrator did, such as “Delete user”. A noun.
_ACTION = pgettext_lazy("column", "Action")
_DAYS = Filter(
    "days",
    _DATE,
    (
        Choice(TODAY, gettext_lazy("Today")),
        Choice(YESTERDAY, gettext_lazy("Yesterday")),
        Choice("7", gettext_lazy("In the last 7 days")),
        Choice("30", gettext_lazy("In the last 30 days")),
        Choice("90", gettext_lazy("In the last 90 days")),
    ),
    is_single=True,
)
# Translators: label of a date field: the first day of a period. Next to "To".
_FROM = Filter("from", pgettext_lazy("day", "From"), (), is_single=True, is_day=True)
# Translators: label of a date field: the last day of a period. Next to "From".
_TO = Filter("to", pgettext_lazy("day", "To"), (), is_single=True, is_day=True)
_PERIOD = (_DAYS, _FROM, _TO)
_CLINIC = Filter("clinic", gettext_lazy("Clinic"), (), is_open=True, find=gettext_lazy("Find a clinic"), has_names=True)
_THING = Filter("thing", gettext_lazy("Name"), (), is_open=True, is_single=True, is_offered=False, has_names=True)
"""Set by the link from an object's history."""
_SEARCH = (SearchField("all", gettext_lazy("All fields")),)
_OUTCOME = Filter(
    "outcome",
    gettext_lazy("Result"),
    tuple(Choice(code, label) for code, (label, _tone) in words.OUTCOMES.items()),
)
COLUMNS = ("person", "action", "name", "clinic", "changes", "outcome")

ROWS = ListDefinition(name="activityrows", search_fields=(), filters=(_OUTCOME,), sorts=(), default_sort="")
"""The list of a bulk action's rows."""


def activity_definition(people: Mapping[str, str]) -> ListDefinition:
    """Return the definition of this console's activity; `people` are the administrators with entries."""
    return ListDefinition(
        name="activity",
        search_fields=_SEARCH,
        filters=(
            _THING,
            *_PERIOD,
            Filter("person", _PERSON, tuple(Choice(*known) for known in people.items())),
            Filter("act", _ACTION, _action_choices()),
            Filter("kind", gettext_lazy("Type"), _kinds()),
            _CLINIC,
            _OUTCOME,
        ),
        sorts=(),
        default_sort="",
        columns=COLUMNS,
    )


def service_definition() -> ListDefinition:
    """Return the definition of the service's log."""
    return ListDefinition(
        name="servicelog",
        search_fields=_SEARCH,
        filters=(*_PERIOD, Filter("kind", gettext_lazy("Type"), _kinds()), _CLINIC),
        sorts=(),
        default_sort="",
        columns=COLUMNS,
    )


def selected_period(filters: Mapping[str, Sequence[str]], tz: tzinfo, now: datetime) -> Period:
    """Return the period in which all selected days are, in the reader's time zone."""
    today = now.astimezone(tz).date()
    first_days = [date.fromisoformat(day) for day in filters.get("from", ())]
    last_days = [date.fromisoformat(day) for day in filters.get("to", ())]
    for days in filters.get("days", ()):
        age = {TODAY: 0, YESTERDAY: 1}.get(days)
        first_days.append(today - timedelta(days=int(days) if age is None else age))
        if age:
            last_days.append(today - timedelta(days=age))
    return Period(
        start=_midnight(max(first_days), tz) if first_days else None,
        end=_midnight(min(last_days) + timedelta(days=1), tz) if last_days else None,
    )


def _midnight(day: date, tz: tzinfo) -> datetime:
    return datetime.combine(day, time.min, tz).astimezone(UTC)


def _action_choices() -> tuple[Choice, ...]:
    """Return the actions of all kinds; actions with the same label are disambiguated by their kind."""
    actions = [
        (kind, code, str(text)) for kind in contributed().activity.values() for code, text in kind.actions.items()
    ]
    count = Counter(label for _kind, _code, label in actions)
    return tuple(
        Choice(f"{kind.code}.{code}", disambiguate(label, str(kind.label)) if count[label] > 1 else label)
        for kind, code, label in actions
    )


def _kinds() -> tuple[Choice, ...]:
    return tuple(Choice(code, kind.label) for code, kind in contributed().activity.items())


def activity_table(
    query: ListQuery, listing: Listing[Entry], *, path: str, tz: tzinfo, texts: ListTexts | None = None
) -> ListView:
    """Return the table of entries, newest first; a row links to its entry."""

    def href(row: Entry) -> str:
        return links.entry_url(path, row.id)

    columns: tuple[Column[Entry], ...] = (
        Column("date", _DATE, "date", lambda row: moment_cell(row.at, tz), href=href),
        Column("person", _PERSON, "text", lambda row: Cell(row.content.who)),
        Column("action", _ACTION, "summary", lambda row: Cell(words.action_text(row.kind, row.action))),
        # Translators: column head: what something was done to, such as a user or “27 users”.
        Column("name", pgettext("column", "Item"), "text", lambda row: Cell(words.target_name(row))),
        Column("clinic", _("Clinic"), "text", lambda row: Cell(words.clinic_name(row))),
        # Translators: column head and heading: what was changed, from what to what.
        Column("changes", pgettext("column", "Changes"), "summary", lambda row: Cell(words.changed_text(row, tz))),
        Column("outcome", _("Result"), "badge", lambda row: words.outcome_cell(row.outcome)),
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=href,
            texts=texts or ListTexts(caption=_("Activity")),
        ),
        path=path,
    )


def moment_cell(moment: datetime | None, tz: tzinfo) -> Cell:
    """Return a cell with date and time."""
    return Cell(local_moment(moment, tz).local, at=exact_time(moment)) if moment else Cell("")


class Line(msgspec.Struct, frozen=True):
    """A line of an export: an entry, the email address of its user if known, and one of its changed fields."""

    id: str
    entry: Entry
    email: str
    change: words.ChangeText


def to_lines(listing: Listing[Entry], emails: Mapping[str, str], tz: tzinfo) -> Listing[Line]:
    """Return a line for each changed field of each entry, and one for an entry without changes.

    `emails` are those of users by ID.
    """
    lines = [
        Line(entry.id and f"{entry.id} {number}", entry, emails.get(entry.content.target.id, ""), change)
        for entry in listing.results
        for number, change in enumerate(words.change_texts(entry, tz) or [words.ChangeText("", "", "")])
    ]
    return Listing(lines, listing.result_count, listing.page, listing.size)


def line_columns(tz: tzinfo) -> Sequence[Column[Line]]:
    """Return the columns of the lines of an export, with both values."""
    return (
        Column("date", _DATE, "text", lambda line: Cell(zoned_time(line.entry.at, tz))),
        Column("person", _PERSON, "text", lambda line: Cell(line.entry.content.who)),
        Column("action", _ACTION, "text", lambda line: Cell(words.action_text(line.entry.kind, line.entry.action))),
        Column("kind", _("Type"), "text", lambda line: Cell(words.kind_text(line.entry.kind))),
        Column("name", _("Name"), "text", lambda line: Cell(words.target_name(line.entry))),
        Column("email", _("Email"), "text", lambda line: Cell(line.email)),
        Column("clinic", _("Clinic"), "text", lambda line: Cell(words.clinic_name(line.entry))),
        # Translators: column head: the name of a field of a form, such as “Type”.
        Column("field", pgettext("column", "Field"), "text", lambda line: Cell(line.change.field)),
        Column("old", _("Before"), "text", lambda line: Cell(line.change.old)),
        Column("new", _("After"), "text", lambda line: Cell(line.change.new)),
        Column("outcome", _("Result"), "text", lambda line: words.outcome_cell(line.entry.outcome)),
        Column("reason", _("Reason"), "text", lambda line: Cell("\n".join(get_reasons(line.entry)))),
    )


def entry_facts(entry: Entry, *, tz: tzinfo, email: str = "", bulk_entry: Entry | None = None) -> list[Fact]:
    """Return an entry's facts except its changes, with the names at the time.

    `email` is the current address of its user, and `bulk_entry` is its bulk action.
    """
    about = entry.content
    moment = entry.at and local_moment(entry.at, tz)
    return [
        Fact(str(_DATE), moment_cell(entry.at, tz), "date", note=moment.zone if moment else ""),
        Fact(str(_PERSON), Cell(about.who)),
        Fact(str(_ACTION), Cell(words.action_text(entry.kind, entry.action))),
        # Translators: label: what something was done to, such as a user or “27 users”.
        Fact(pgettext("column", "Item"), _linked(words.target_name(entry), words.target_href(entry))),
        *([Fact(_("Email"), Cell(email), "email")] if email else []),
        *([Fact(_("Clinic"), Cell(called(about.clinic.name, about.clinic.id)))] if about.clinic else []),
        *([Fact(_("Team"), Cell(called(about.team.name, about.team.id)))] if about.team else []),
        Fact(_("Result"), words.outcome_cell(entry.outcome), "badge"),
        *(Fact(_("Reason"), Cell(text)) for text in get_reasons(entry)),
        *_counts(entry),
        # Translators: label: the act on many things of which this one was a part.
        *([Fact(_("Part of"), _linked(words.entry_title(bulk_entry), entry_href(bulk_entry)))] if bulk_entry else []),
    ]


def _counts(entry: Entry) -> Iterator[Fact]:
    """Yield the number of rows by outcome, for a bulk action with several outcomes."""
    if len(entry.content.counts) > 1:
        for outcome, count in entry.content.counts.items():
            yield Fact(words.outcome_cell(outcome).text, Cell(number_text(count)), "number")


def _linked(text: str, href: str) -> Cell:
    return Cell(text, href=href) if href else Cell(text)


def get_reasons(entry: Entry) -> list[str]:
    """Return the messages for the reasons of a refusal."""
    about = entry.content
    if about.reasons:
        return reason_texts([Reason(reason) for reason in about.reasons])
    refusal = contributed().refusals.get(about.code or 0)
    return [str(refusal)] if refusal else []
