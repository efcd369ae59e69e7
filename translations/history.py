"""The history of a text, for its page."""

from dataclasses import dataclass
from datetime import tzinfo

from django.utils.translation import gettext as _

from console.i18n.languages import Language
from console.l10n.dates import Moment, local_moment
from console.models import Edit
from translations.saving import find_problems
from translations.sentences import sentence
from translations.texts import Entry


@dataclass(frozen=True)
class Past:
    """An edit as the page shows it, with the possible `actions`."""

    edit: Edit
    when: Moment
    state: str
    tone: str
    actions: tuple[str, ...]
    reasons: tuple[str, ...]


def get_history(language: Language, entry: Entry, zone: tzinfo) -> list[Past]:
    """Return the edits of a text, the newest first, with times in a zone."""
    rows = list(Edit.objects.filter(code=language.code, message=entry.name).order_by("-id"))
    current = next((edit.pk for edit in rows if edit.state == Edit.State.PUBLISHED), 0)
    return [
        Past(edit, local_moment(edit.created_at, zone), *_judged(language, entry, edit, is_current=edit.pk == current))
        for edit in rows
    ]


def _judged(
    language: Language, entry: Entry, edit: Edit, *, is_current: bool
) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    match edit.state:
        case Edit.State.PUBLISHED if is_current:
            # Translators: state of a change: its text is shown in the console.
            return _("Shown now"), "success", ("take-back",), ()
        case Edit.State.PUBLISHED:
            # Translators: state of a change: its text was shown until another change replaced it.
            return _("Published"), "neutral", (), ()
        case Edit.State.ON_HOLD:
            reasons = tuple(sentence(problem) for problem in find_problems(language, entry, edit.forms))
            return _("Not published"), "danger", ("discard",) if reasons else ("publish", "discard"), reasons
        case Edit.State.COLLIDED:
            reasons = (_("Someone else changed this text in the meantime."),)
            return _("Not published"), "warning", ("publish", "discard"), reasons
        case Edit.State.REVERTED:
            # Translators: state of a change: it was published, then withdrawn, and the text before is used again.
            return _("Reverted"), "neutral", (), ()
    # Translators: state of a change that was never shown.
    return _("Discarded"), "neutral", (), ()
