"""People as they are pasted from a mail program or a spreadsheet: names and addresses, in whatever order they come."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_WORDS = re.compile(r"[\s<>\",;]+")
_AROUND = "()[]'"


class Person(NamedTuple):
    """Who is named in a pasted text; what is missing is empty."""

    name: str
    email: str


def people_in(text: str) -> list[Person]:
    """Return the people of a text: lines, or several in one, such as `Hana Park <hana@a.example>, kim@a.example`.

    A line without an address is somebody without one: nothing that was pasted disappears unseen.
    """
    return [person for line in text.splitlines() for person in _people_of_line(line)]


def _people_of_line(line: str) -> Iterator[Person]:
    """The words before an address are its name; those after the last one are its name if it has none yet."""
    found: list[Person] = []
    words: list[str] = []
    for word in _WORDS.split(line):
        if "@" in word:
            email = word.strip(_AROUND).removeprefix("mailto:")
            found.append(Person(" ".join(words), email))
            words = []
        elif word:
            words.append(word)
    if words and not found:
        yield Person(" ".join(words), "")
    elif words and not found[-1].name:
        found[-1] = found[-1]._replace(name=" ".join(words))
    yield from found
