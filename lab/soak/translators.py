"""Translators work at the same time, on one host and on two: no text is lost, and every worker shows each one next.

In each round four translators send twelve edits each. Nine are of texts that no one else edits; three, one of them
with plural forms, are of texts that all four read and change at the same time: one of those edits is shown, the others
wait for a decision.
"""

import html
import re
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import requests

from lab.soak.system import Report, system
from lab.soak.two_hosts import two_hosts
from tests.e2e.http_client import CLINICS, FORM_TOKEN, Visitor, at_once, logged_in
from tests.e2e.running import Console

NAMES = ("Ada", "Bo", "Cleo", "Dov")
PASSWORD = "A long password 1"
UNSHARED, SHARED = 9, 3
LANGUAGE = "/translate/de-DE/"
HEADING, ISLAND, PUBLIC = "Clinics", "Next page", "Keep me logged in"
"""A text of a page, one that islands show, and one of a page that needs no login."""
EARLIER = re.compile(r"^w[0-9a-f]{32} ")
"""The word of an earlier edit."""
READS_PER_EDIT = 12
"""Reads from each host after an edit, so that each of its workers answers."""
LATE = 1.0
"""Seconds for which a page may have the former text."""


@dataclass(frozen=True)
class Text:
    """A text as a page of the translators' site shows it."""

    name: str
    revision: str
    forms: tuple[str, ...]

    def edited(self, word: str) -> dict[str, str]:
        """Return the form that puts a word before it, in place of an earlier one: a text has a maximum length."""
        texts = [EARLIER.sub("", form) for form in self.forms]
        forms = {f"text-{self.name}-{number}": f"{word} {text}" for number, text in enumerate(texts)}
        return {f"seen-{self.name}": self.revision, **forms}


class Translator:
    """A translator's browser."""

    def __init__(self, console: Console, name: str) -> None:
        self.console = console
        self.cookie = ""
        answer = self._send("POST", "/translate/login", {"name": name, "password": PASSWORD})
        self.cookie = answer.cookies["translate"]

    def texts(self, query: str) -> list[Text]:
        """Return the translated texts of a page: an edit keeps their placeholders."""
        page = self._send("GET", LANGUAGE + query).text
        matches = re.findall(r'name="seen-(\w+)" value="(\w+)"', page)
        forms = re.findall(r'name="text-(\w+)-\d+"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
        texts = [
            Text(name, revision, tuple(html.unescape(text) for form_name, text in forms if form_name == name))
            for name, revision in matches
        ]
        return [text for text in texts if all(text.forms)]

    def text(self, english: str) -> Text:
        """Return the text whose English is this."""
        page = self._send("GET", f"{LANGUAGE}?query={english}").text
        at = page.index(f'">{english}</p>')
        name = re.findall(r'name="seen-(\w+)"', page[at:])[0]
        return next(text for text in self.texts(f"?query={english}") if text.name == name)

    def save(self, form: dict[str, str]) -> int:
        return self._send("POST", LANGUAGE, form).status_code

    def history(self, text: Text) -> str:
        return html.unescape(self._send("GET", f"{LANGUAGE}texts/{text.name}").text)

    def _send(self, method: str, path: str, form: dict[str, str] | None = None) -> requests.Response:
        cookies = f"csrf={FORM_TOKEN}" + (f"; translate={self.cookie}" if self.cookie else "")
        data = {"csrfmiddlewaretoken": FORM_TOKEN, **form} if form is not None else None
        with requests.Session() as session:
            session.trust_env = False
            headers = {"Cookie": cookies}
            return session.request(
                method, self.console.url + path, data=data, headers=headers, allow_redirects=False, timeout=60
            )


def run(count: int) -> Report:
    """Make `count` rounds on one host with SQLite, and as many on two hosts with PostgreSQL."""
    report = Report()
    with system(workers=3) as console:
        _rounds(report, count, [console])
    with two_hosts() as hosts:
        _rounds(report, count, hosts.consoles)
    return report


def _rounds(report: Report, count: int, hosts: Sequence[Console]) -> None:
    for name in NAMES:
        hosts[0].process.manage("translator", "add", name, stdin=PASSWORD + "\n")
    translators = [Translator(hosts[number % len(hosts)], name) for number, name in enumerate(NAMES)]
    auth = logged_in(hosts[0]).auth
    for number in range(count):
        _edit_together(report, translators, number)
        translator, visitors = translators[number % len(translators)], [Visitor(host, auth) for host in hosts]
        _edit_and_check(report, translator, HEADING, visitors, _heading)
        _edit_and_check(report, translator, ISLAND, visitors, _island_texts)
        _edit_and_check(report, translator, PUBLIC, [Visitor(host) for host in hosts], _login)
        report.counts[f"rounds on {len(hosts)} host{'s' * (len(hosts) > 1)}"] += 1


def _edit_together(report: Report, translators: Sequence[Translator], number: int) -> None:
    shared = _shared(translators[0], number)
    work: dict[Translator, list[tuple[Text, str]]] = {}
    for index, translator in enumerate(translators):
        texts = [text for text in translator.texts(f"?page={1 + index}") if len(text.forms) == 1][:UNSHARED]
        work[translator] = [(text, f"w{uuid.uuid4().hex}") for text in (*texts, *shared)]
    waiting = list(work)

    def one() -> list[tuple[Text, str, int]]:
        translator = waiting.pop()
        return [(text, word, translator.save(text.edited(word))) for text, word in work[translator]]

    done = [result for results in at_once(len(translators), one) for result in results]
    for text, word, status in done:
        report.counts["edits"] += 1
        report.counts["edits that collided"] += status == 422
        if status not in (303, 422):
            report.wrong.append(f"an edit was answered {status}")
        if f"{word} {EARLIER.sub('', text.forms[0])}" not in translators[0].history(text):
            report.wrong.append(f"{text.forms[0]!r}: an edit is lost ({status})")
    for text in shared:
        answers = sorted(status for one, _, status in done if one == text)
        if answers != [303, *[422] * (len(translators) - 1)]:
            report.wrong.append(f"{text.forms[0]!r}: {answers} for edits at the same time")


def _shared(translator: Translator, number: int) -> list[Text]:
    """Return the texts that everybody changes, one of them with plural forms."""
    page, texts = 6 + number % 20, list[Text]()
    while not (plural := [text for text in texts if len(text.forms) > 1][:1]):
        texts += translator.texts(f"?page={page}")
        page += 1
    return plural + [text for text in texts if len(text.forms) == 1][: SHARED - 1]


def _edit_and_check(
    report: Report,
    translator: Translator,
    english: str,
    visitors: Sequence[Visitor],
    shows: Callable[[Visitor], str],
) -> None:
    """Change a text, and ask every worker of every host for it; they are asked while they may be late, too."""
    word, before = f"w{uuid.uuid4().hex}", translator.text(english)
    if translator.save(before.edited(word)) != 303:
        report.wrong.append(f"{english!r} was not saved")
    due = time.monotonic() + LATE
    while time.monotonic() < due:
        for visitor in visitors:
            shows(visitor)
    for visitor in visitors:
        stale = sum(word not in shows(visitor) for _ in range(READS_PER_EDIT))
        report.counts["looks"] += READS_PER_EDIT
        if stale:
            report.wrong.append(f"{english!r}: {stale} of {READS_PER_EDIT} pages had the former text")


def _heading(visitor: Visitor) -> str:
    heading: str = re.findall(r"<h1.*?</h1>", _page(visitor), re.DOTALL)[0]
    return heading


def _login(visitor: Visitor) -> str:
    return visitor.get("/login?lng=de-DE").text


def _island_texts(visitor: Visitor) -> str:
    path = re.findall(r'data-i18n="([^"]+)"', _page(visitor))[0]
    return visitor.get(html.unescape(path)).text


def _page(visitor: Visitor) -> str:
    return visitor.get(f"{CLINICS}?lng=de-DE").text
