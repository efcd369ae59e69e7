"""People as they are pasted from a mail program or a spreadsheet: names and addresses, in whatever order they come."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_BETWEEN = ",;，、；،؛"
_WORDS = re.compile(rf"[\s<>\"{_BETWEEN}]+")
_BRACKETS = re.compile(rf"<\s*(?!@\s*>)([^\s<>@{_BETWEEN}]*@[^\s<>{_BETWEEN}]*)\s*>")
_QUOTED_OR_BETWEEN = re.compile(rf'"[^"]*"|[\t{_BETWEEN}]')
_AROUND = "()[]'.。"
_SCHEME = "mailto:"


class Person(NamedTuple):
    """Who is named in a pasted text; what is missing is empty."""

    name: str
    email: str


def people_in(text: str) -> list[Person]:
    """Return the people of a text: lines, or several in one, such as `Hana Park <hana@a.example>, kim@a.example`.

    A line without an address is somebody without one: nothing that was pasted disappears unseen.
    """
    return [person for line in text.splitlines() for person in _people_of_line(line)]


def _people_of_line(line: str) -> list[Person]:
    """The words before an address are its name; those after the last one are its name if it has none yet."""
    found: list[Person] = []
    words: list[str] = []
    start = 0
    for brackets in _BRACKETS.finditer(line):
        others, name = _before_name(line[start : brackets.start()])
        words = [*_add_people(others, words, found), *_WORDS.split(name)]
        found.append(_person(words, _address(brackets[1])))
        words, start = [], brackets.end()
    words = _add_people(line[start:], words, found)
    if words and not found:
        return [_person(words, "")]
    if words and not found[-1].name:
        found[-1] = _person(words, found[-1].email)
    return found


def _add_people(text: str, words: Iterable[str], found: list[Person]) -> list[str]:
    """Add the people whose addresses stand in a text as they are; return the words that belong to none of them."""
    left = list(words)
    for word in _WORDS.split(text):
        email = _address(word)
        name, _at, host = email.partition("@")
        if name and host:
            found.append(_person(left, email))
            left = []
        elif word:
            left.append(word)
    return left


def _before_name(text: str) -> tuple[str, str]:
    """Split what stands before an address in brackets: its name, which may have an @, and other people before it."""
    ends = [part.end() for part in _QUOTED_OR_BETWEEN.finditer(text) if not part[0].startswith('"')]
    end = ends[-1] if ends else 0
    return text[:end], text[end:]


def _person(words: Iterable[str], email: str) -> Person:
    """Mail programs repeat the address of who has no name."""
    repeated = email.casefold()
    name = " ".join(word for word in words if word and not (email and _address(word).casefold() == repeated))
    is_quoted = len(name) > 1 and name[0] == name[-1] == "'"
    return Person(name[1:-1] if is_quoted else name, email)


def _address(word: str) -> str:
    """Return an address without what stands around it."""
    bare = word.strip(_AROUND)
    return bare[len(_SCHEME) :] if bare[: len(_SCHEME)].lower() == _SCHEME else bare
