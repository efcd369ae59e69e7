"""Why something can't be deleted or moved, in words: the service's reasons, counted, with what stands in the way."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.places import listed
from console.upstream.errors import Code, NotDone, Reason, Refused


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


def refusal_texts(error: NotDone) -> list[str]:
    """Why the service refused, in words: the reasons of its answer, else what its code says; none of another error."""
    return row_texts(error.code, error.reasons) if isinstance(error, Refused) else []


def row_texts(code: int | None, reasons: Sequence[Reason]) -> list[str]:
    """Why one row of many was refused, in words: its reasons, else what its code says; none where neither tells."""
    names = [known.name for known in Code if known == code and known.name in SENTENCES]
    return reason_texts(reasons or [Reason(name) for name in names])


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
