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
            return _("The English text has no placeholder %(placeholder)s.") % {"placeholder": name}
        # Translators: placeholder: a name between %( and )s, such as %(count)s, where a value is filled in.
        return _("The placeholder %(placeholder)s is missing.") % {"placeholder": name}
    if long := _LONG.fullmatch(problem):
        count = int(long[1])
        return ngettext("At most %(count)s character.", "At most %(count)s characters.", count) % {"count": count}
    known = {
        "a form is empty": _("Translate all forms, or none."),
        "stray % sign": _("There is a percent sign that belongs to no placeholder."),
        "markup differs from the source": _("The signs < and > are not those of the English text."),
        "i18next nesting": _("A dollar sign, a t and a parenthesis can't follow one another."),
        "space at an end": _("A space at the beginning or the end is not as in the English text."),
        "control character": _("There is a character that can't be shown."),
        "invisible character": _("There is a character that nobody sees. Type the text anew instead of pasting it."),
        "HTML entity; type the character itself": _("Type the character itself instead of a code for it."),
        "line break": _("There is a line break that the English text doesn't have."),
        "placeholder in braces; they are written %(name)s": _("Placeholders are not written in braces."),
    }
    return known.get(problem) or _("This text can't be shown as it is.")
