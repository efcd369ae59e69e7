"""Lists as data and as the template draws them. The tests of the components draw the same data and compare."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import quote

import msgspec
import polib
from django.http import QueryDict
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.test import override_settings
from django.utils import translation

from console.i18n import catalogs
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.saved_views import ListState, View, Views
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, list_view
from console.web.links import Link
from upstream.listing import Listing

PATH = "/user-manage/clinic/c-1/user"

# What the templates and the components translate themselves; all else comes with the data.
ISLAND_TEXTS = {
    "Search": "بحث",
    "Search in": "البحث في",
    "Actions": "الإجراءات",
    "Select": "اختيار",
    "Select %(name)s": "اختيار %(name)s",
    "Select all on this page": "اختيار كل ما في هذه الصفحة",
    "Actions for %(name)s": "أوامر %(name)s",
    "%(action)s: %(name)s": "%(action)s: %(name)s",
    "Previous page": "الصفحة السابقة",
    "Next page": "الصفحة التالية",
    "Copy link": "نسخ الرابط",
    "Link copied.": "تم نسخ الرابط.",
}
OTHER_TEXTS = {
    "Any": "الكل",
    "Pages": "الصفحات",
    "Page %(number)s": "الصفحة %(number)s",
    "%(first)s to %(last)s of %(total)s": "%(first)s إلى %(last)s من %(total)s",
    "%(rows)s. Sorted by %(column)s, ascending": "%(rows)s، مرتبة حسب %(column)s تصاعديا",
    "No matches.": "لا توجد نتائج.",
}


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    email: str
    status: str
    last_login: str


PEOPLE = (
    Person("u-1", "Hana <Kim> & Söhne", "hana@clinic.example", "ACTIVE", "2026-11-20T08:30:00+00:00"),
    Person("u-2", "عمر الفاروق", "omar@clinic.example", "INVITED", ""),
    Person("u-3", '\u200fßen "O\'Neil"', "", "LOCKED", "2025-01-02T23:59:59+00:00"),
)
ODD = (Person("", "", "", "ACTIVE", ""), Person("a b", "Ada", "", "INVITED", ""), Person("", "Bo", "", "INVITED", ""))
"""Whose IDs are none, or can't be sent by a form."""

NAMESAKES = (PEOPLE[0], Person("u-4", PEOPLE[0].name.upper(), "kim@clinic.example", "INVITED", ""), PEOPLE[1])

STATUSES = {
    "ACTIVE": Cell("Active", tone="success"),
    "INVITED": Cell("Invited", tone="info", note="Expires Nov 27"),
    "LOCKED": Cell(""),
}

DEFINITION = ListDefinition(
    name="users",
    search_fields=(
        SearchField("all", "All fields"),
        SearchField("email", "Email", check=lambda keyword: None if "@" in keyword else "Invalid email"),
    ),
    filters=(
        Filter("status", "Status", (Choice("ACTIVE", "Active"), Choice("INVITED", "Invited"))),
        Filter("team", "Team", (), is_open=True),
    ),
    sorts=("name", "status"),
    default_sort="name",
    columns=("alias", "email", "home", "status", "seen", "cases"),
)


def build_page(person: Person) -> str:
    return f"{PATH}/{quote(person.id)}" if person.id else ""


COLUMNS: tuple[Column[Person], ...] = (
    Column("name", "Name", "person", lambda p: Cell(p.name), sort="name", href=build_page),
    Column("alias", "Alias", "text", lambda p: Cell(p.name)),
    Column("email", "Email", "email", lambda p: Cell(p.email)),
    Column("home", "Clinic", "name", lambda p: Cell("Clinic 1"), href=lambda _p: "/user-manage/clinic/c-1"),
    Column("status", "Status", "badge", lambda p: STATUSES[p.status], sort="status"),
    Column("seen", "Last login", "date", lambda p: Cell("Nov 20" if p.last_login else "Never", at=p.last_login)),
    Column("cases", "Cases", "number", lambda p: Cell("12")),
)

# Name -> language, query, people, total.
CASES: dict[str, tuple[str, str, tuple[Person, ...], int]] = {
    "rows": ("en", "", PEOPLE, 3),
    "middle": ("en", "page=10&size=10&sort=status&order=desc&keyword=a%26b&status=ACTIVE", PEOPLE, 197),
    "words": ("en", "keyword=kim+CLÍNIC", PEOPLE, 3),
    "several-values": ("en", "status=INVITED&status=ACTIVE&team=t-9&sort=status&order=asc", PEOPLE, 3),
    "odd-ids": ("en", "", ODD, 3),
    "namesakes": ("en", "", NAMESAKES, 3),
    "nothing-yet": ("en", "", (), 0),
    "nothing-matches": ("en", "keyword=zz&status=INVITED", (), 0),
    "error": ("en", "searchField=email&keyword=half", (), 0),
    "notices": ("en", "status=GONE&status=ACTIVE&team=a%26b&page=2", PEOPLE, 3),
    "in-sight": ("en", "", PEOPLE, 3),
    "views": ("en", "status=INVITED", PEOPLE, 3),
    "unread-views": ("en", "", PEOPLE, 3),
    "arabic": ("ar", "page=2&size=10&status=INVITED", PEOPLE, 23),
    "arabic-nothing": ("ar", "keyword=%D8%B9%D9%85%D8%B1", (), 0),
}

HIDDEN = {"several-values": frozenset({"alias", "seen"})}
"""Columns that are not shown."""

VIEWS = {
    "views": Views((View("7", "Invited <soon>", ListState(PATH, "status=INVITED&size=25"), is_default=True),)),
    "unread-views": Views(is_read=False),
    "arabic": Views(),
}
"""Saved views of a list."""

IN_SIGHT = "in-sight"
"""The case of a list whose actions are in sight, and whose filters tell how many rows each choice leaves."""

SELECTABLE = "middle"
"""The case of a list that was sent as JSON, and so has its signed query."""

CONSOLE = SimpleNamespace(csrf_token="token-1", form_id=lambda: "form-1", sender="sender-1", query="")
"""The context of the forms of a page."""


def sample(
    query: str,
    people: tuple[Person, ...],
    total: int,
    hidden: frozenset[str] = frozenset(),
    *,
    views: Views | None = None,
    in_sight: bool = False,
) -> ListView:
    return list_view(
        ListQuery.read(DEFINITION, QueryDict(query), hidden_columns=hidden, views=views),
        Listing(result_count=total, results=list(people)),
        ListTable(
            columns=COLUMNS,
            row_href=build_page,
            actions=[
                RowAction("Permissions", "/permissions"),
                RowAction("Resend invitation", "/invitation/resend", lambda p: p.status == "INVITED", is_act=True),
                RowAction("Delete", "/delete", lambda p: p.status != "LOCKED"),
            ],
            texts=ListTexts(
                "Users in Clinic 1",
                "Search users",
                "No users yet.",
                "Invited users are shown here.",
                (Link("Invite <user>", f"{PATH}/invite"), Link("Import from a file", f"{PATH}/import")),
            ),
            selection="selected",
            detail=lambda person: person.email,
            shows_actions=in_sight,
            second_line="email",
        ),
        path=PATH,
        counts={"status": {"ACTIVE": 2}} if in_sight else {},
    )


def render_html(view: ListView) -> str:
    """The list as its macro draws it."""
    macros: Any = cast(Jinja2, engines["jinja2"]).env.get_template("components/list.html").module
    # The DOM of the component's test decodes names of characters in attributes, not their numbers.
    return str(macros.data_list(view, CONSOLE)).replace("&#34;", "&quot;").replace("&#39;", "&#x27;")


def drawing(name: str) -> dict[str, Any]:
    """Return one list as data, as the template draws it, and the texts that the component translates itself."""
    language, query, people, total = CASES[name]
    with translation.override(language):
        hidden, views = HIDDEN.get(name, frozenset()), VIEWS.get(name)
        view = sample(query, people, total, hidden, views=views, in_sight=name == IN_SIGHT)
        if name == SELECTABLE:
            view = msgspec.structs.replace(view, selection_query="197?keyword=a%26b&status=ACTIVE#:signed")
        return {
            "language": {"en": "en-US", "ar": "ar-SA"}[language],
            "texts": {text: translation.gettext(text) for text in ISLAND_TEXTS},
            "list": msgspec.to_builtins(view),
            "html": render_html(view),
        }


@contextmanager
def fixed_texts() -> Iterator[None]:
    """Use a catalog with the words of a list, whatever is translated so far, and a sprite without a hash."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        manifest = root / "manifest.json"
        manifest.write_text(json.dumps({"icons.svg": "dist/icons.svg", "islands.js": "dist/islands.js"}))
        catalog = polib.POFile()
        catalog.metadata = {"Content-Type": "text/plain; charset=utf-8"}
        for source, translated in (ISLAND_TEXTS | OTHER_TEXTS).items():
            catalog.append(polib.POEntry(msgid=source, msgstr=translated))
        messages = root / "locale" / "ar" / "LC_MESSAGES"
        messages.mkdir(parents=True)
        catalog.save_as_mofile(str(messages / "django.mo"))
        with override_settings(ASSETS_MANIFEST=manifest, LIVE_CATALOGS=root / "locale"):
            catalogs.refresh()
            yield


def print_all() -> None:
    """Print all drawings as JSON: the components' tests run this (static_src/testing/drawings.ts)."""
    with fixed_texts():
        json.dump({name: drawing(name) for name in CASES}, sys.stdout)
