"""Parse people pasted from a mail program or a spreadsheet: names and addresses, in any order."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from html import unescape
from itertools import chain
from typing import NamedTuple

from console.forms.pasted import parse_rows
from console.l10n.word_matching import written_key
from groups.labels import user_type_in
from upstream.emails import cleaned_email, email_key

_BETWEEN = ",;，、；،؛"
_WORDS = re.compile(rf"[\s<>\"{_BETWEEN}]+")
_BRACKETS = re.compile(rf"<\s*(?!@\s*>)([^\s<>@{_BETWEEN}]*@[^\s<>{_BETWEEN}]*)\s*>")
_QUOTED_WORDS = re.compile(r'"[^"@]*"')
_BETWEEN_SIGN = re.compile(rf"[\t{_BETWEEN}]")
_QUOTED_OR_BETWEEN = re.compile(rf'"[^"]*"|[\t{_BETWEEN}]')
_BRACKETS_AND_QUOTES = "＜＞❛❜❝❞" + "".join(
    char for char in map(chr, range(0x10000)) if unicodedata.category(char) in ("Ps", "Pe", "Pi", "Pf") and char != "’"
)
"""Brackets and quotation marks of all scripts.

One language opens with the sign that another closes with. The apostrophe is left out because names have it.
"""
_ADDRESS_CHARS = "‐‑֊־＋－～｜"
"""Hyphens and full-width signs that an address may have been written with."""
_SYMBOLS = "*=•‣⁃⁌⁍※†‡§¶¡¿＊＝" + "".join(
    char
    for char in map(chr, chain(range(0x80, 0x10000), range(0x1F000, 0x1FB00)))
    if (category := unicodedata.category(char)) in ("Pd", "Sc", "Sm", "So") or (category == "Sk" and char > "\uffff")
    if char not in _ADDRESS_CHARS
)
"""List marks, arrows, dashes and emoji, which end an address as brackets do."""
_SIGN = f"[{re.escape(_BRACKETS_AND_QUOTES)}]"
_PART = rf"[^\s<>@\"{_BETWEEN}:：/|｜{re.escape(_BRACKETS_AND_QUOTES + _SYMBOLS)}]"
_ADDRESS = rf"(?<!{_PART}){_PART}+@{_PART}+"
_ENCLOSED = re.compile(rf"{_SIGN}\s*({_ADDRESS})\s*{_SIGN}")
_GLUED = re.compile(_ADDRESS)
_COMMA_FOR_DOT = re.compile(rf"([^\s@]@[\w-]+),(?=[\w-]+\.? *(?:[\t>{_BETWEEN}]|$))")
_COMMA = "\ue000"
"""Stands for such a comma while the text is split: a private-use character."""
_AT = str.maketrans("＠﹫", "@@")
_ENDS = ".!?:" + "".join(char for char in map(chr, range(0x80, 0x10000)) if unicodedata.category(char) == "Po")
"""Ends of sentences and other punctuation, in all scripts; no address starts or ends with one."""
_MARKS = f"{_SYMBOLS}·-－"
_MARKS_OR_SLASH = f"{_MARKS}/|｜"
_AROUND = f"{_BRACKETS_AND_QUOTES}'’/|｜{_ENDS}{_MARKS}"
_DOUBLE_QUOTED = re.compile('[“„‟❝〝＂]([^@“”„‟❝❞〝〞〟＂"]*)[“”❞〞〟＂]')
_ESCAPED = re.compile("&(?:lt|gt|amp|quot|apos|nbsp|#[0-9]{1,4});")
_SCHEME = re.compile("mailto:", re.IGNORECASE)
_LABELS = """
Email|Email address|E-mail|E-mail address|Mail|Mail address|البريد|البريد الإلكتروني|عنوان البريد الإلكتروني
بريد إلكتروني|الإيميل|إيميل|E-mailová adresa|Emailová adresa|Mailová adresa|E-Mail-Adresse|Mailadresse|Διεύθυνση email
Διεύθυνση e-mail|Ηλεκτρονική διεύθυνση|Ηλεκτρονικό ταχυδρομείο|Correo|Correo electrónico|Dirección de correo
Dirección de correo electrónico|Courriel|Adresse e-mail|Adresse mail|Adresse électronique|Adresse courriel
Indirizzo email|Indirizzo e-mail|Indirizzo mail|Indirizzo di posta elettronica|Posta|Posta elettronica
メール|メールアドレス|Eメール|Eメールアドレス|電子メール|電子メールアドレス|メアド
이메일|이메일 주소|메일|메일 주소|전자우편|E-mailadres|Mailadres|E-mail adres
Adres e-mail|Adres email|Poczta|Correio eletrônico|Endereço de e-mail|Endereço de email|Adresă de e-mail|Adresă e-mail
Adresă de email|Adresa de e-mail|Почта|Электронная почта|Эл. почта|Адрес эл. почты|Адрес электронной почты|Epost|E-post
Mejl|E-postadress|Mejladress|Mailadress|อีเมล|อีเมล์|อีเมลล์|ที่อยู่อีเมล|Eposta|E-posta|E-posta adresi|Mail adresi
Thư điện tử|Địa chỉ email|Hộp thư|邮箱|邮件|电邮|邮箱地址
电子邮件|电子邮箱|电子邮箱地址|电子邮件地址|信箱|郵件|電子郵件|電子信箱|信箱地址|電子郵件地址
""".strip().replace("\n", "|")
"""Labels that people write before an address, in the languages of the console."""
_MAX_LABEL_WORDS = max(label.count(" ") for label in _LABELS.split("|")) + 2
"""Words of the longest label; its colon may be one more."""


class Person(NamedTuple):
    """A person in a pasted text; missing values are empty."""

    name: str
    email: str
    user_type: str = ""


class _Line:
    """The people of one line, whose words are read one by one."""

    def __init__(self) -> None:
        self._people: list[tuple[list[str], str, str]] = []
        self._words: list[str] = []
        """Words that don't belong to an address yet."""
        self._after: list[str] = []
        """Words between the last address and the next separator."""
        self._is_after = False
        self._starts_with_address = False

    def add_word(self, word: str) -> None:
        (self._after if self._is_after else self._words).append(word)

    def add_address(self, email: str) -> None:
        self.end_part()
        if not self._people:
            self._starts_with_address = not _name(self._words, email)
        self._people.append((self._words, email, ""))
        self._words, self._is_after = [], True

    def end_part(self) -> None:
        """Use the words after an address as its type or name, or else as the name of the next one."""
        after, self._after, self._is_after = self._after, [], False
        if not after:
            return
        words, email, user_type = self._people[-1]
        if matched_type := user_type_in(" ".join(after)):
            self._people[-1] = (words, email, matched_type)
        elif self._starts_with_address:
            self._people[-1] = ([*words, *after], email, user_type)
        else:
            self._words += after

    def people(self) -> list[Person]:
        """Return the people; words that are no one's name become a person without an address, to be corrected."""
        self.end_part()
        people = [Person(_name(words, email), email, user_type) for words, email, user_type in self._people]
        remaining = _name(self._words, people[-1].email if people else "")
        if not remaining:
            return people
        if people and not people[-1].name:
            return [*people[:-1], people[-1]._replace(name=remaining)]
        if people and (user_type := user_type_in(remaining)):
            return [*people[:-1], people[-1]._replace(user_type=user_type)]
        *words, last = self._words
        if _is_host(email := _address(last)):
            return [*people, Person(_name(words, email), email)]
        return [*people, Person(remaining, "")]


def people_in(text: str) -> list[Person]:
    """Return the people of a text: lines, or several in one, such as `Hana Park <hana@a.example>, kim@a.example`.

    A line without an address is a person without one: nothing that was pasted is dropped silently. If it has several
    cells, the second one is the address, to be corrected; otherwise a last word that ends like one.
    """
    return [person for row in parse_rows(text) for person in _parse_cells(row.cells)]


def _parse_cells(cells: list[str]) -> list[Person]:
    people = _parse_people("\t".join(cells))
    if len(cells) == 1 or not people or any("@" in person.email for person in people):
        return people
    name, email, *others = cells
    remaining = " ".join(filter(None, others))
    user_type = user_type_in(remaining)
    person = Person(name, email, user_type)
    return [person, Person(remaining, "")] if remaining and not user_type else [person]


def _parse_people(text: str) -> list[Person]:
    """Return the people of a line.

    Words before an address are its name; if the line starts with one, those after it.
    """
    line, start = _Line(), 0
    text = _separate_addresses(text)
    for brackets in _BRACKETS.finditer(text):
        others, name = _before_name(text[start : brackets.start()])
        _read(line, others)
        # A name may contain an @.
        for word in filter(None, _WORDS.split(name)):
            line.add_word(word)
        line.add_address(_address(brackets[1]))
        start = brackets.end()
    _read(line, text[start:])
    return line.people()


def _separate_addresses(line: str) -> str:
    """Put each address into brackets of one kind, or between blanks, however brackets and labels are written."""
    line = _ESCAPED.sub(lambda escaped: unescape(escaped[0]), line)
    line = _DOUBLE_QUOTED.sub(r'"\1"', line)
    line = _QUOTED_WORDS.sub(lambda quoted: _BETWEEN_SIGN.sub(" ", quoted[0]), line)
    line = _SCHEME.sub("", line.translate(_AT))
    line = _COMMA_FOR_DOT.sub(rf"\1{_COMMA}", line)
    return _GLUED.sub(r" \g<0> ", _ENCLOSED.sub(r"<\1>", line))


def _read(line: _Line, text: str) -> None:
    """Read a text whose addresses have no brackets."""
    for part in _BETWEEN_SIGN.split(text):
        for word in filter(None, _WORDS.split(part)):
            email = _address(word)
            name, _at, host = email.partition("@")
            if name and host:
                line.add_address(email)
            else:
                line.add_word(word)
        line.end_part()


def _before_name(text: str) -> tuple[str, str]:
    """Split the text before an address in brackets into other people and its name, which may contain an @."""
    ends = [part.end() for part in _QUOTED_OR_BETWEEN.finditer(text) if not part[0].startswith('"')]
    end = ends[-1] if ends else 0
    return text[:end], text[end:]


def _name(words: Iterable[str], email: str) -> str:
    """Return the name in the words next to an address; mail programs repeat the address of people without a name."""
    repeated = email_key(email)
    if email:
        words = [word for word in _without_labels(words) if not _is_no_name(word, repeated)]
    name = " ".join(words)
    name = name.lstrip(_MARKS_OR_SLASH).rstrip(f":：{_MARKS_OR_SLASH}") if email else name
    is_quoted = len(name) > 1 and (name[0] == name[-1] == "'" or (name[0] in "‘‚" and name[-1] in "’‘"))
    return name[1:-1] if is_quoted else name


def _without_labels(words: Iterable[str]) -> list[str]:
    """Leave out the labels of an address, such as "Email address:", whose last word has a colon or is one."""
    others: list[str] = []
    for word in words:
        others.append(word)
        if word[-1] in ":：":
            for count in range(min(_MAX_LABEL_WORDS, len(others)), 0, -1):
                if written_key(" ".join(others[-count:])) in _label_keys():
                    del others[-count:]
                    break
    return others


@cache
def _label_keys() -> frozenset[str]:
    return frozenset(map(written_key, _LABELS.split("|")))


def _is_no_name(word: str, email: str) -> bool:
    """Return True if a word next to an address is that address, or only punctuation."""
    return not word.strip(_AROUND) or email_key(_address(word)) == email


def _is_host(word: str) -> bool:
    """Return True if a word ends like an address: lowercase, with a dot and letters, unlike "M.Sc." and "St.John"."""
    before, _dot, end = word.rpartition(".")
    return bool(before) and len(end) > 1 and end.isalpha() and word.islower()


def _address(word: str) -> str:
    """Return an address without the signs around it."""
    bare = word.strip(_AROUND).replace(_COMMA, ",")
    return cleaned_email(bare) if "@" in bare else bare
