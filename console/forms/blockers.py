"""Why something can't be deleted or changed, in words: the service's reasons, counted, with what stands in the way.

The sentences are the apps' (`Contributions.reasons`, `Contributions.refusals`).
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
"""Reasons that are told of one thing: twice as many as the service knows."""
MAX_NAMED = 50
"""Things in the way that are named for one reason; of the others, the number is enough to know what is to be done."""


def reason_text(reason: Reason) -> str:
    """Return one reason as a sentence; an unknown one falls to the general sentence."""
    if sentence := contributed().reasons.get(reason.reason):
        return sentence(max(reason.count, 1))
    refusal = contributed().refusals.get(reason.reason)
    return str(refusal) if refusal else _("The service doesn't allow this right now.")


def reason_texts(reasons: Sequence[Reason]) -> list[str]:
    """Return the reasons in words, each once, with the names of what stands in the way."""
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
    """Something that stands in the way; its address is empty where it has no page here."""

    name: str
    href: str


@dataclass(frozen=True)
class NextStep:
    """What takes a reason away: a link, a button that sends `fields` to `href`, or words where there is no page."""

    label: str
    href: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Blocker:
    """A reason as a sentence, with what stands in the way; `more` are those that are not named, in words."""

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
    """Return the reasons for a page: what has a page of its own is a link, and the list of all where there are more."""
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
    """Return the sentence of the service's code or of our own reason; "" if neither has one."""
    key = (error.code or 0) if isinstance(error, Refused) else error.reason
    return str(contributed().refusals.get(key, ""))


def refusal_texts(error: Refused) -> list[str]:
    """Return why the service refused, in words; none where it does not say, or says it of single fields."""
    text = refusal_text(error)
    return [text] if text else reason_texts(get_reasons(error))


def get_reasons(error: Exception | None) -> Sequence[Reason]:
    """Return why the service refused: the reasons of its answer, else what its code says; none of another error."""
    return known_reasons(error.code, error.reasons) if isinstance(error, Refused) else ()


def known_reasons(code: int | None, reasons: Sequence[Reason]) -> Sequence[Reason]:
    """Return the reasons, else the one that a code stands for; none if neither is known."""
    return reasons or [Reason(known.name) for known in Code if known == code and known.name in contributed().reasons]
