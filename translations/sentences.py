"""Messages for translators about the problems of a translation."""

import re

from django.utils.translation import gettext as _

from console.l10n.numbers import ngettext

_NAMED = re.compile(r"(unknown|missing) placeholder (\w+)")
_LONG = re.compile(r"more than (\d+) characters")


def sentence(problem: str) -> str:
    """Return the message for a problem of po.problems."""
    if named := _NAMED.fullmatch(problem):
        name = f"%({named[2]})s"
        if named[1] == "unknown":
            # Translators: placeholder: a name between %( and )s, such as %(count)s, where a value is filled in.
            return _("The placeholder %(placeholder)s isn't in the English text.") % {"placeholder": name}
        # Translators: placeholder: a name between %( and )s, such as %(count)s, where a value is filled in.
        return _("The placeholder %(placeholder)s is missing.") % {"placeholder": name}
    if long := _LONG.fullmatch(problem):
        count = int(long[1])
        return ngettext(
            "You can enter up to %(count)s character.", "You can enter up to %(count)s characters.", count
        ) % {"count": count}
    known = {
        "a form is empty": _("Translate all forms, or none."),
        "stray % sign": _("There's a percent sign that isn't part of a placeholder."),
        "markup differs from the source": _("The < and > signs don't match the English text."),
        "i18next nesting": _("A dollar sign, the letter t, and a parenthesis can't appear next to each other."),
        "space at an end": _("The spaces at the beginning or end don't match the English text."),
        "control character": _("The text contains a character that can't be displayed."),
        "invisible character": _("The text contains an invisible character. Retype it instead of pasting it."),
        "HTML entity; type the character itself": _("Enter the character itself instead of its code."),
        "line break": _("There's a line break that isn't in the English text."),
        "placeholder in braces; they are written %(name)s": _("Don't use braces for placeholders."),
    }
    return known.get(problem) or _("This text can't be shown as is.")
