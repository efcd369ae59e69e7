"""The rules for input values that the server and the browser share (conformance VA-37).

`rules.json` has the patterns, which both sides match against the whole value, and the examples for the tests of both.
Numbers are only validated by the server.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from console.l10n.numbers import ngettext

TABLE: Mapping[str, Any] = json.loads(Path(__file__).with_name("rules.json").read_text("utf-8"))
SHORTEST_PASSWORD, MAX_PASSWORD_LENGTH = 8, 16


@dataclass(frozen=True)
class PasswordRule:
    """One rule of new passwords; `pattern` is the regular expression for server and browser."""

    name: str
    pattern: str

    @property
    def text(self) -> str:
        """The rule as an instruction."""
        return {
            "shortest": ngettext(
                "Enter at least %(count)s character", "Enter at least %(count)s characters", SHORTEST_PASSWORD
            )
            % {"count": SHORTEST_PASSWORD},
            "longest": ngettext(
                "Enter up to %(count)s character", "Enter up to %(count)s characters", MAX_PASSWORD_LENGTH
            )
            % {"count": MAX_PASSWORD_LENGTH},
            "number": _("Use at least one number"),
            # Translators: a rule for a new password, in the list of rules next to its field: a list item without a full
            # stop.
            "symbol": _("Use at least one special character, such as ! or #"),
            # Translators: a rule for a new password: a list item without a full stop.
            "letters": _("Use at least three letters (A–Z)"),
            "characters": _("Use only letters (A–Z), numbers, and special characters. No spaces."),
        }[self.name]

    def is_met(self, password: str) -> bool:
        return _COMPILED[self.name].fullmatch(password) is not None


PASSWORD_RULES = tuple(PasswordRule(**rule) for rule in TABLE["password"]["rules"])
_COMPILED = {rule.name: re.compile(rule.pattern, re.DOTALL) for rule in PASSWORD_RULES}


def broken_rules(password: str) -> list[PasswordRule]:
    """Return the rules that a new password breaks (conformance VA-01 to VA-07)."""
    return [rule for rule in PASSWORD_RULES if not rule.is_met(password)]
