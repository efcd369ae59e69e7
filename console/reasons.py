"""Why something can't be deleted or moved, in words: the service's reasons, counted, with what stands in the way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.places import listed
from console.upstream.errors import Code, NotDone, Reason, Ref, Refused


def reason_text(reason: Reason) -> str:
    """One reason as a sentence (specification, section 8); an unknown one falls to the general sentence."""
    sentence = SENTENCES.get(reason.reason)
    return sentence(max(reason.count, 1)) if sentence else _("The service does not allow it right now.")


def reason_texts(reasons: Sequence[Reason]) -> list[str]:
    """The reasons in words, each once, with the names of what stands in the way."""
    texts = []
    for reason in reasons:
        names = [ref.label for ref in reason.refs if ref.label]
        text = reason_text(reason)
        if names:
            text = _("%(reason)s (%(names)s)") % {"reason": text, "names": listed(names)}
        if text not in texts:
            texts.append(text)
    return texts


@dataclass(frozen=True)
class Named:
    """Something that stands in the way; its address is empty where it has no page here."""

    name: str
    href: str


@dataclass(frozen=True)
class Blocker:
    """A reason as a sentence, with what stands in the way; `more` are those that are not named, in words."""

    text: str
    named: list[Named]
    more: Named | None = None


def blockers(
    reasons: Sequence[Reason], href: Callable[[Ref], str], list_href: Callable[[Reason], str]
) -> list[Blocker]:
    """The reasons for a page: what has a page of its own is a link, and the list of all where there are more."""
    found = []
    for reason in reasons:
        named = [Named(ref.label, href(ref)) for ref in reason.refs if ref.label]
        left = max(0, reason.count - len(named)) if named else 0
        more = ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left}
        found.append(Blocker(reason_text(reason), named, Named(more, list_href(reason)) if left else None))
    return found


def reasons_of(error: NotDone) -> Sequence[Reason]:
    """Why the service refused: the reasons of its answer, else what its code says; none of another error."""
    return _reasons(error.code, error.reasons) if isinstance(error, Refused) else ()


def refusal_texts(error: NotDone) -> list[str]:
    """Why the service refused, in words."""
    return reason_texts(reasons_of(error))


def row_texts(code: int | None, reasons: Sequence[Reason]) -> list[str]:
    """Why one row of many was refused, in words: its reasons, else what its code says; none where neither tells."""
    return reason_texts(_reasons(code, reasons))


def _reasons(code: int | None, reasons: Sequence[Reason]) -> Sequence[Reason]:
    return reasons or [Reason(known.name) for known in Code if known == code and known.name in SENTENCES]


def _ongoing_case(count: int) -> str:
    return ngettext("There is %(count)s ongoing ordered case.", "There are %(count)s ongoing ordered cases.", count) % {
        "count": count
    }


def _partner_with_lab(count: int) -> str:
    return ngettext("Partner with %(count)s lab.", "Partner with %(count)s labs.", count) % {"count": count}


def _clinic_has_partner(count: int) -> str:
    return ngettext("The clinic has %(count)s partner.", "The clinic has %(count)s partners.", count) % {"count": count}


def _pending_case(count: int) -> str:
    return ngettext(
        "There is %(count)s pending ordered case with the lab.",
        "There are %(count)s pending ordered cases with the lab.",
        count,
    ) % {"count": count}


def _not_empty(count: int) -> str:
    return ngettext("There is still %(count)s user.", "There are still %(count)s users.", count) % {"count": count}


SENTENCES: dict[str, Callable[[int], str]] = {
    "ONGOING_ORDERED_CASE": _ongoing_case,
    "PARTNER_WITH_LAB": _partner_with_lab,
    "CLINIC_HAS_PARTNER": _clinic_has_partner,
    "PENDING_ORDERED_CASE_WITH_LAB": _pending_case,
    "NOT_EMPTY": _not_empty,
}
