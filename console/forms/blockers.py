"""The texts for why an object can't be deleted or changed: the service's reasons, with counts and blocking objects.

The apps register the sentences (`Contributions.reasons`, `Contributions.refusals`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from console.errors import Rejected
from console.l10n.countries import listed
from console.l10n.numbers import ngettext
from console.web.contributions import contributed
from upstream.errors import Code, Reason, Ref, Refused

MAX_REASONS = 20
"""Maximum reasons that are shown for one object: twice as many as the service has."""
MAX_NAMED = 50
"""Maximum blocking objects that are named for one reason; the others are only counted."""


def reason_text(reason: Reason) -> str:
    """Return one reason as a sentence; an unknown one gets a general sentence."""
    if sentence := contributed().reasons.get(reason.reason):
        return sentence(max(reason.count, 1))
    refusal = contributed().refusals.get(reason.reason)
    return str(refusal) if refusal else _("The service doesn't allow this right now.")


def reason_texts(reasons: Sequence[Reason]) -> list[str]:
    """Return the reasons as texts, each once, with the names of the blocking objects."""
    texts = []
    for reason in reasons[:MAX_REASONS]:
        labels = [ref.label for ref in reason.refs if ref.label]
        names = labels[:MAX_NAMED]
        text = reason_text(reason)
        if names:
            joined = listed(names, total=max(reason.count, len(labels)))
            # Translators: a sentence without a full stop, and the names of what it is about.
            text = _("%(reason)s: %(names)s") % {"reason": text.rstrip("."), "names": joined}
        if text not in texts:
            texts.append(text)
    return texts


@dataclass(frozen=True)
class Named:
    """A blocking object; its address is empty if it has no page."""

    name: str
    href: str


@dataclass(frozen=True)
class NextStep:
    """A way to resolve a reason: a link, a button that sends `fields` to `href`, or only a text."""

    label: str
    href: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Blocker:
    """A reason as a sentence, with the blocking objects; `more` is the text for those that are not named."""

    text: str
    named: list[Named]
    more: Named | None = None
    next_step: NextStep | None = None


def blockers(
    reasons: Sequence[Reason],
    href: Callable[[Ref], str],
    list_href: Callable[[Reason], str],
    next_step: Callable[[Reason], NextStep | None],
) -> list[Blocker]:
    """Return the reasons for a page, with links to the blocking objects and, if not all are named, to their list."""
    results = []
    for reason in reasons[:MAX_REASONS]:
        labeled = [ref for ref in reason.refs if ref.label]
        named = [Named(ref.label, href(ref)) for ref in labeled[:MAX_NAMED]]
        remaining = max(reason.count, len(labeled)) - len(named) if named else 0
        # Translators: the end of a list of users, clinics, teams, labs or scanners; neutral form.
        more = ngettext("and %(count)s more", "and %(count)s more", remaining) % {"count": remaining}
        unnamed = Named(more, list_href(reason)) if remaining else None
        results.append(Blocker(reason_text(reason), named, unnamed, next_step(reason)))
    return results


def refusal_text(error: Refused | Rejected) -> str:
    """Return the sentence for the service's code or for our own reason; "" if there is none."""
    key = (error.code or 0) if isinstance(error, Refused) else error.reason
    return str(contributed().refusals.get(key, ""))


def refusal_texts(error: Refused) -> list[str]:
    """Return the texts for why the service refused; empty if it gives no reason, or only errors of fields."""
    text = refusal_text(error)
    return [text] if text else reason_texts(get_reasons(error))


def get_reasons(error: Exception | None) -> Sequence[Reason]:
    """Return the reasons of a refusal, else the one of its code; empty for other errors."""
    return known_reasons(error.code, error.reasons) if isinstance(error, Refused) else ()


def known_reasons(code: int | None, reasons: Sequence[Reason]) -> Sequence[Reason]:
    """Return the reasons, else the one of the code; empty if there is neither."""
    return reasons or [Reason(known.name) for known in Code if known == code and known.name in contributed().reasons]
