"""An entry in words, in the reader's language: what was done to what, each changed field, and what became of it."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.audit.content import DONE, NOT_DONE, REFUSED, UNKNOWN, Entry, Ref, Value
from console.l10n.bidi import isolated
from console.l10n.countries import listed
from console.l10n.numbers import number_text
from console.lists.query import Label
from console.lists.view import Cell, Tone
from console.web.contributions import contributed

OUTCOMES: dict[str, tuple[Label, Tone]] = {
    DONE: (pgettext_lazy("state", "Done"), "success"),
    # Translators: what became of a change: the service said no. Neutral form; beside "Done" and "Not done".
    REFUSED: (pgettext_lazy("state", "Refused"), "danger"),
    NOT_DONE: (gettext_lazy("Not done"), "danger"),
    UNKNOWN: (pgettext_lazy("state", "Unknown"), "warning"),
}


class ChangeText(NamedTuple):
    """A field in words, with its value before and after; "" for none."""

    field: str
    old: str
    new: str


def kind_text(kind: str) -> str:
    """What a kind of thing is called; a code that no app knows any more stays as it is."""
    known = contributed().activity.get(kind)
    return str(known.label) if known else kind


def action_text(kind: str, action: str) -> str:
    known = contributed().activity.get(kind)
    return str(known.actions.get(action, action)) if known else action


def outcome_cell(outcome: str) -> Cell:
    label, tone = OUTCOMES.get(outcome, (outcome, "neutral"))
    return Cell(str(label), tone=tone)


def target_name(entry: Entry) -> str:
    """What it was done to, as it was called then; of a bulk act how many."""
    if not entry.is_readable:
        return _("Can't be read")
    if entry.is_bulk:
        return _("%(filter)s: %(value)s") % {"filter": kind_text(entry.kind), "value": _count(entry)}
    return entry.content.target.name or entry.content.target.id


def _count(entry: Entry) -> str:
    return number_text(sum(entry.content.counts.values()))


def clinic_name(entry: Entry) -> str:
    """The clinic that it was done in, as it was called then; that of an act on a clinic is that clinic."""
    about = entry.content
    return about.clinic.name or (about.target.name if entry.kind == "clinic" else "")


def entry_title(entry: Entry) -> str:
    """The act, and what it was done to."""
    action = action_text(entry.kind, entry.action)
    if not (name := _count(entry) if entry.is_bulk else target_name(entry)):
        return action
    return _("%(action)s: %(name)s") % {"action": action, "name": isolated(name)}


def target_href(entry: Entry) -> str:
    """The page of what it was done to; "" where there is none. Whether it is there yet is known once it is opened."""
    about, known = entry.content, contributed().activity.get(entry.kind)
    return known.href(about.target.id, about.clinic.id) if known and about.target.id else ""


def change_texts(entry: Entry) -> list[ChangeText]:
    """Each field that was changed, or was to be; of what was moved also from where to where."""
    about, known = entry.content, contributed().activity.get(entry.kind)
    labels = known.fields if known else {}
    texts = [
        ChangeText(
            str(labels.get(change.field, change.field)),
            _value(entry.kind, change.field, change.old),
            _value(entry.kind, change.field, change.new),
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


def changed_text(entry: Entry) -> str:
    """What was changed in one line: from what to what, or the fields where there are several."""
    changes = change_texts(entry)
    if not changes:
        return ""
    first, *others = changes
    if others:
        return listed([change.field for change in changes])
    words = {"field": first.field, "old": isolated(first.old or "–"), "new": isolated(first.new or "–")}
    # Translators: field: of a form, such as “Name”; old and new: its value before and after a change.
    return _("%(field)s: %(old)s → %(new)s") % words


def _value(kind: str, field: str, value: Value) -> str:
    known = contributed().activity.get(kind)
    if value is None or (isinstance(value, str) and not value):
        return ""
    if isinstance(value, list):
        return listed([_value(kind, field, item) for item in value])
    # The log of the service may have a value of any kind; only texts have words.
    if known and isinstance(value, str) and (text := known.value(field, value)) is not None:
        return text
    if isinstance(value, bool):
        return _("On") if value else _("Off")
    return value if isinstance(value, str) else number_text(value) if isinstance(value, int) else str(value)
