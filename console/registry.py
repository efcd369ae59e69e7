"""What the apps register in their AppConfig, so that nothing here has to name an app.

A label or a sentence is translated when it is printed, not when it is registered.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NavigationEntry:
    """One entry of the side navigation; `url_name` is that of its list, "app:name".

    Where more than that list belongs to it, all pages below `part` do, the URL name of another page.
    """

    label: Any
    url_name: str
    icon: str
    part: str = ""


navigation: dict[str, NavigationEntry] = {}
"""By their URL names, in the order in which they were registered: that of the installed apps."""

home: list[str] = []
"""The URL name of the page where / leads who is logged in; one app registers it."""

reasons: dict[str, Callable[[int], str]] = {}
"""The service's reason for a refusal -> its sentence, given how many things stand in the way."""

refusals: dict[int, Any] = {}
"""The service's code of a refusal -> its sentence, for codes that only an app can put into words."""


def register_navigation(*entries: NavigationEntry) -> None:
    """Add entries to the side navigation."""
    navigation.update({entry.url_name: entry for entry in entries})


def register_home(url_name: str) -> None:
    """Say where / leads who is logged in."""
    home[:] = [url_name]


def register_reasons(sentences: Mapping[str, Callable[[int], str]]) -> None:
    """Add the sentences of reasons, such as ONGOING_ORDERED_CASE."""
    reasons.update(sentences)


def register_refusals(sentences: Mapping[int, Any]) -> None:
    """Add the sentences of codes, such as Code.NOT_INVITED."""
    refusals.update(sentences)
