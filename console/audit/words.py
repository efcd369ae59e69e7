"""The texts of an entry in the reader's language: its action and target, each changed field, and its outcome."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.audit.content import DONE, NOT_DONE, REFUSED, UNKNOWN, Entry, Ref, Value
from console.l10n.bidi import isolated
from console.l10n.countries import listed
from console.l10n.dates import iso_moment_text, written_day
from console.l10n.numbers import number_text
from console.lists.query import Label, parse_day
from console.lists.view import Cell, Tone
from console.web.contributions import contributed

OUTCOMES: dict[str, tuple[Label, Tone]] = {
    DONE: (pgettext_lazy("state", "Completed"), "success"),
    # Translators: the outcome of a change: the service refused it. Neutral; next to “Completed” and “Not completed”.
    REFUSED: (pgettext_lazy("state", "Declined"), "danger"),
    NOT_DONE: (gettext_lazy("Not completed"), "danger"),
    # Translators: the state of a row of a file: it isn't known whether it was imported; neutral form. Keep short.
    UNKNOWN: (pgettext_lazy("state", "Unknown"), "warning"),
}


class ChangeText(NamedTuple):
    """The texts of a field and of its value before and after; "" for no value."""

    field: str
    old: str
    new: str


def kind_text(kind: str) -> str:
    """Return the name of a kind of object, or its code if no app registers it any more."""
    known = contributed().activity.get(kind)
    return str(known.label) if known else kind


def action_text(kind: str, action: str) -> str:
    known = contributed().activity.get(kind)
    return str(known.actions.get(action, action)) if known else action


def outcome_cell(outcome: str) -> Cell:
    label, tone = OUTCOMES.get(outcome, (outcome, "neutral"))
    return Cell(str(label), tone=tone)


def target_name(entry: Entry) -> str:
    """Return the name of the target at the time of the action, or the number of several targets of a bulk action."""
    if not entry.is_readable:
        return _("Unreadable")
    known = contributed().activity.get(entry.kind)
    if entry.is_bulk and not entry.content.target.name:
        count = sum(entry.content.counts.values())
        if known and known.count_text:
            return known.count_text(count)
        return _("%(filter)s: %(value)s") % {"filter": kind_text(entry.kind), "value": number_text(count)}
    target = entry.content.target
    return target.name or (str(known.label) if known and known.is_only_one else target.id)


def clinic_name(entry: Entry) -> str:
    """Return the name of the clinic at the time of the action; the target itself if that is a clinic."""
    about = entry.content
    return about.clinic.name or (about.target.name if entry.kind == "clinic" else "")


def entry_title(entry: Entry) -> str:
    """Return the action with its target."""
    action = action_text(entry.kind, entry.action)
    if not (name := target_name(entry)):
        return action
    return _("%(action)s: %(name)s") % {"action": action, "name": isolated(name)}


def target_href(entry: Entry) -> str:
    """Return the address of the target's page, "" if it has none. The target may no longer exist."""
    about, known = entry.content, contributed().activity.get(entry.kind)
    return known.href(about.target.id, about.clinic.id) if known and about.target.id else ""


def change_texts(entry: Entry, tz: tzinfo) -> list[ChangeText]:
    """Return each field that was changed, or was to be; for a move also the old and new clinic and team."""
    about, known = entry.content, contributed().activity.get(entry.kind)
    labels = known.fields if known else {}
    texts = [
        ChangeText(
            str(labels.get(change.field, change.field)),
            _value(entry.kind, change.field, change.old, tz),
            _value(entry.kind, change.field, change.new, tz),
        )
        for change in about.changes
    ]
    return [*texts, *_moves(entry)]


def _moves(entry: Entry) -> Iterator[ChangeText]:
    about = entry.content
    moves: tuple[tuple[str, str, Ref, Ref], ...] = (
        ("clinic_id", _("Clinic"), about.other_clinic, about.clinic),
        ("team_id", _("Team"), about.other_team, about.team),
    )
    changed, is_move = {change.field for change in about.changes}, bool(about.other_clinic or about.other_team)
    for field, label, old, new in moves:
        if is_move and field not in changed and old != new:
            yield ChangeText(label, old.name or old.id, new.name or new.id)


def changed_text(entry: Entry, tz: tzinfo) -> str:
    """Return the changes in one line: each field with its new value, and its old one if that is known."""
    texts = [_change_text(change) for change in change_texts(entry, tz)]
    return listed(texts) if len(texts) > 1 else "".join(texts)


def _change_text(change: ChangeText) -> str:
    words = {"field": change.field, "old": isolated(change.old), "new": isolated(change.new or "–")}
    if not change.old:
        return _("%(filter)s: %(value)s") % {"filter": words["field"], "value": words["new"]}
    # Translators: field: of a form, such as “Name”; old and new: its value before and after a change.
    return _("%(field)s: %(old)s → %(new)s") % words


def _value(kind: str, field: str, value: Value, tz: tzinfo) -> str:
    if value is None or (isinstance(value, str) and not value):
        return ""
    if isinstance(value, list):
        return listed([_value(kind, field, item, tz) for item in value])
    # The service's log may have values of any type; only strings can be translated.
    if isinstance(value, str):
        return _translated(kind, field, value, tz)
    if isinstance(value, bool):
        return _("On") if value else _("Off")
    return number_text(value) if isinstance(value, int) else str(value)


def _translated(kind: str, field: str, value: str, tz: tzinfo) -> str:
    known = contributed().activity.get(kind)
    text = known.value(field, value) if known else None
    if text is not None and text != value:
        return text
    # A field with a label may be a name or a note, which can look like a day.
    day = None if known and field in known.fields else parse_day(value)
    return written_day(day) if day else iso_moment_text(value, tz) or value
