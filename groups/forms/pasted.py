"""People as they are pasted from a mail program or a spreadsheet: names and addresses, in whatever order they come."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from console.email_addresses import cleaned_email, email_key
from console.text.pasted import rows_of
from console.text.written import written_key, written_keys

_BETWEEN = ",;，、；،؛"
_WORDS = re.compile(rf"[\s<>\"{_BETWEEN}]+")
_BRACKETS = re.compile(rf"<\s*(?!@\s*>)([^\s<>@{_BETWEEN}]*@[^\s<>{_BETWEEN}]*)\s*>")
_QUOTED_OR_BETWEEN = re.compile(rf'"[^"]*"|[\t{_BETWEEN}]')
_BRACKETS_AND_QUOTES = "＜＞❛❜❝❞" + "".join(
    char for char in map(chr, range(0x10000)) if unicodedata.category(char) in ("Ps", "Pe", "Pi", "Pf") and char != "’"
)
"""Of all scripts. Languages open and close with the same ones; the apostrophe may be within a name."""
_SIGN = f"[{re.escape(_BRACKETS_AND_QUOTES)}]"
_PART = rf"[^\s<>@\"{_BETWEEN}:：/|｜{re.escape(_BRACKETS_AND_QUOTES)}]"
_ADDRESS = rf"(?<!{_PART}){_PART}+@{_PART}+"
_ENCLOSED = re.compile(rf"{_SIGN}\s*({_ADDRESS})\s*{_SIGN}")
_GLUED = re.compile(_ADDRESS)
_AT = str.maketrans("＠﹫", "@@")
_ENDS = ".。．｡!！?？:：…・"
_AROUND = f"{_BRACKETS_AND_QUOTES}'’/|｜{_ENDS}"
_SCHEME = re.compile("mailto:", re.IGNORECASE)
_LABELS = (
    "Email|Email address|Mail|メール|メールアドレス|電子メール|邮箱|邮件|电子邮件|電子郵件|信箱|이메일|메일|"
    "Courriel|Adresse e-mail|Correo|Correo electrónico|E-posta|E-post|Posta|Почта|Электронная почта|"
    "البريد|البريد الإلكتروني|อีเมล"
)
"""What people write before an address."""


class Person(NamedTuple):
    """Who is named in a pasted text; what is missing is empty."""

    name: str
    email: str


def people_in(text: str) -> list[Person]:
    """Return the people of a text: lines, or several in one, such as `Hana Park <hana@a.example>, kim@a.example`.

    A line without an address is somebody without one: nothing that was pasted disappears unseen.
    """
    return [person for row in rows_of(text) for person in _people_of_line("\t".join(row.cells))]


def _people_of_line(line: str) -> list[Person]:
    """The words before an address are its name; those after the last one are its name if it has none yet."""
    found: list[Person] = []
    words: list[str] = []
    start = 0
    line = _with_addresses_apart(line)
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


def _with_addresses_apart(line: str) -> str:
    """Put each address into brackets of one kind, or between blanks, however brackets and labels are written."""
    line = _SCHEME.sub("", line.translate(_AT))
    return _GLUED.sub(r" \g<0> ", _ENCLOSED.sub(r"<\1>", line))


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
    repeated = email_key(email)
    name = " ".join(word for word in words if word and not (email and _is_no_name(word, repeated)))
    name = name.rstrip(":：") if email else name
    is_quoted = len(name) > 1 and name[0] == name[-1] == "'"
    return Person(name[1:-1] if is_quoted else name, email)


def _is_no_name(word: str, email: str) -> bool:
    """Whether a word beside an address is that address, its label, or what ends a sentence or a bracket."""
    is_label = word[-1] in ":：" and written_key(word) in written_keys(_LABELS)
    return is_label or not word.strip(_AROUND) or email_key(_address(word)) == email


def _address(word: str) -> str:
    """Return an address without what stands around it."""
    bare = word.strip(_AROUND)
    return cleaned_email(bare) if "@" in bare else bare
