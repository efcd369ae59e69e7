"""No input takes more than linear time: regular expressions, and other functions that read anonymous input."""

import ast
import importlib
import json
import logging
import pkgutil
import re
import unicodedata
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict, parse_cookie
from django.urls import Resolver404, resolve

from console.config.logging import MAX_LINE_LENGTH, MAX_LINES, JsonFormatter
from console.files.read import Unreadable, read
from console.forms.fields import EmailField, NameField, WholeNumberField
from console.i18n.detect import match
from console.l10n.bidi import isolated
from console.l10n.countries import country_code, sort_key
from console.l10n.dates import zone
from console.lists.query import Filter, ListDefinition, ListQuery, SearchField
from console.web.paths import get_path
from tests.support.cost import cost, is_linear
from tools.sources import PACKAGES
from upstream.errors import ForeignHost
from upstream.hosts import check_base_url
from upstream.nouns import plain

METHODS = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
DEVELOPER_MODULES = (".tests", ".testing", ".migrations", ".i18n.extract", ".i18n.lint")
"""Modules that read only files of this project."""
SHORT = 300
"""Characters of an attack in the first round: enough to find the worst ones."""


def modules():
    """Yield every module that may process foreign text."""
    for package in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not any(part in module.name for part in DEVELOPER_MODULES):
                yield importlib.import_module(module.name)


def uses(module):
    """Yield the regular expressions that a module uses, each with the method."""
    known = vars(module)
    for node in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in METHODS):
            continue
        if isinstance(pattern := known.get(node.value.id), re.Pattern):
            yield pattern, node.attr
        assert pattern is not re, f"{module.__name__}:{node.lineno}: give the expression a name in the module"


def named(module):
    """Return the regular expressions that a module defines."""
    return {value for value in vars(module).values() if isinstance(value, re.Pattern)}


USES = sorted(
    {(pattern.pattern, pattern.flags, method) for module in modules() for pattern, method in uses(module)},
)


def attacks(source):
    """Yield attacks made of the expression's own characters: prefix, repeated part, end."""
    # The members of a class are alike: one of each category stands in for thousands.
    alike = {unicodedata.category(character): character for character in source if not character.isascii()}
    source = "".join(character for character in source if character.isascii() or character in alike.values())
    characters = sorted(set(source) | set("a0 .\n@"))
    words = sorted(set(re.findall(r"[A-Za-z]{2,}[=:]?|[^\w\s\\]{2}", source)))
    for end in ("", "\0"):
        yield from ((prefix, run, end) for run in [*characters, *words] for prefix in ["", *characters, *words])
        yield from (("", "".join(pair), end) for pair in combinations(characters, 2))


def calling(pattern, method):
    """Return the expression as a function of the text that runs to its end."""
    call = getattr(pattern, method)
    if method in ("sub", "subn"):
        return lambda text: call("", text)
    return (lambda text: list(call(text))) if method == "finditer" else call


def slow(pattern, method):
    """Return the attacks that take more than linear time, among the three slowest short ones."""
    call = calling(pattern, method)

    def build_text(attack, length):
        prefix, run, end = attack
        return prefix + run * (length // len(run)) + end

    worst = sorted(attacks(pattern.pattern), key=lambda attack: cost(call, build_text(attack, SHORT), runs=1))[-3:]
    return [attack for attack in worst if not is_linear(call, lambda length: build_text(attack, length))]  # noqa: B023


@pytest.mark.slow
@pytest.mark.req("SEC-02")
@pytest.mark.parametrize(("source", "flags", "method"), USES)
def test_a_regular_expression_takes_linear_time(source, flags, method):
    assert slow(re.compile(source, flags), method) == []


@pytest.mark.req("SEC-02")
def test_no_regular_expression_is_missed():
    known = {(source, flags) for source, flags, _method in USES}
    assert {(p.pattern, p.flags) for module in modules() for p in named(module)} == known


@pytest.mark.slow
@pytest.mark.req("SEC-02")
@pytest.mark.parametrize(
    ("source", "method"), [(r"a+b", "search"), (r"[^@ ]+(?:@|%40)\w", "sub"), (r"key=(.*?);?\s*$", "search")]
)
def test_a_slow_expression_is_detected(source, method):
    assert slow(re.compile(source), method)


def formatted(message, *arguments, exc_info=None):
    record = logging.LogRecord("test", logging.WARNING, "file.py", 1, message, arguments, exc_info)
    return JsonFormatter().format(record)


def cleaned(field):
    """Return a function that cleans a text with a field, and ignores a refusal."""

    def clean(text):
        with suppress(ValidationError):
            field.clean(text)

    return clean


LIST = ListDefinition(
    name="people",
    search_fields=(SearchField("all", "All fields"),),
    filters=(Filter("team", "Team", (), is_open=True),),
    sorts=("name",),
    default_sort="name",
)


def query(text):
    params = QueryDict(mutable=True)
    params.update(dict.fromkeys(("keyword", "page", "size", "sort", "team"), text))
    return ListQuery.read(LIST, params)


def table(data):
    with suppress(Unreadable):
        read(data.encode())


def address(text):
    from django.conf import settings

    with suppress(ForeignHost):
        check_base_url.__wrapped__(text, settings.UPSTREAM)


def path(text):
    with suppress(Resolver404):
        resolve(f"/user-manage/clinic/{text}x/zzz")


READERS = {
    "a path": path,
    "an id of the service": lambda text: get_path.__wrapped__("groups:user-list", text),
    "a line of the log": lambda text: formatted("%s", text),
    "a language": match,
    "a list's query": query,
    "cookies": parse_cookie,
    "a time zone": zone.__wrapped__,
    "an email": cleaned(EmailField(label="Email")),
    "a name": cleaned(NameField(label="Name")),
    "a number": cleaned(WholeNumberField(label="Number")),
    "a name in a sentence": isolated,
    "a country": country_code,
    "a name to be sorted": sort_key,
    "a name to be compared": plain,
    "a file": table,
    "an address of the service": address,
}
RUNS = [
    "a",
    "\u0301\u0323",
    "a@",
    "%40",
    "=",
    ";",
    ",",
    '"',
    "'",
    '"\n',
    "\t",
    ".",
    "/",
    "eyJ",
    "?",
    "9",
    "\u2068",
    " ",
]


@pytest.mark.slow
@pytest.mark.req("SEC-01", "SEC-03")
@pytest.mark.parametrize("reader", READERS)
def test_readers_of_foreign_text_take_linear_time(reader):
    slow_runs = [run for run in RUNS if not is_linear(READERS[reader], lambda n: run * (n // len(run)))]  # noqa: B023
    assert slow_runs == []


@pytest.mark.req("SEC-03")
def test_a_name_of_nothing_but_marks_is_refused_for_its_length(admin_client, upstream):
    upstream.has_clinic()
    response = admin_client.post("/user-manage/clinic/new", {"name": "a" + "\u0301\u0323" * 5000, "country_code": "KR"})
    assert response.status_code == 422
    assert "at most 100 characters" in response.content.decode()


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize("secret", ["eyJhbGciOi.eyJzdWIi.c2lnbmF0", "dana.kim@clinic.example", "Bearer abc.def"])
def test_a_long_line_ends_before_a_secret_that_does_not_fit(secret):
    for cut in range(1, len(secret)):
        text = "x " * ((MAX_LINE_LENGTH - cut) // 2) + secret
        message = json.loads(formatted("%s", text))["message"]
        assert len(message) <= MAX_LINE_LENGTH + 20
        assert secret.split()[-1][:4] not in message


@pytest.mark.req("SEC-01")
def test_a_long_exception_keeps_what_happened_last():
    def fail():
        raise ValueError("\n".join(f"line {number}" for number in range(10 * MAX_LINES)))

    try:
        fail()
    except ValueError as error:
        exception = json.loads(formatted("failed", exc_info=(ValueError, error, error.__traceback__)))["exception"]
    assert exception.splitlines()[-1] == f"line {10 * MAX_LINES - 1}"
    assert len(exception.splitlines()) == MAX_LINES


@pytest.mark.req("SEC-01")
@pytest.mark.parametrize("text", ["\udcff", "\u2028", "\x85", "\u202e"])
def test_no_character_breaks_a_line_of_the_log(text):
    line = formatted("asked for %s", f"a{text}b")
    assert line.isascii()
    assert json.loads(line)["message"].startswith("asked for a")
