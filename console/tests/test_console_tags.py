"""The template tags: built files, icons, points in time, tones, and the rows of lists."""

import json
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from console import static
from console.lists.query import ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTexts, ListView, RowAction, list_view
from console.templatetags import console_tags
from console.upstream.listing import Listing

HASHED = "dist/app-AAAAAAAA.css"


@pytest.fixture
def build(settings: Any, tmp_path: Path) -> Path:
    """A manifest as the build writes it."""
    manifest = tmp_path / "manifest.json"
    settings.ASSETS_MANIFEST = manifest
    write(manifest, HASHED)
    return manifest


def write(manifest: Path, file: str) -> None:
    names = {"app.css": file, "icons.svg": "dist/icons-BBBBBBBB.svg"}
    manifest.write_text(json.dumps({name: {"file": path, "imports": []} for name, path in names.items()}))


def draw(source: str, **context: Any) -> str:
    return Template(source).render(Context(context))


@pytest.mark.usefixtures("build")
class TestBuiltFiles:
    @pytest.mark.req("CA-35")
    def test_a_built_file_is_named_by_its_hash_below_the_static_path(self) -> None:
        assert draw('{% asset "app.css" %}') == f"/static/{HASHED}"

    def test_an_icon_is_a_drawing_of_the_sprite_that_screen_readers_pass_by(self) -> None:
        drawn = draw('{% icon "search" %}')
        assert drawn == (
            '<svg class="icon" aria-hidden="true"><use href="/static/dist/icons-BBBBBBBB.svg#search"/></svg>'
        )

    def test_an_unknown_file_is_a_mistake_that_shows_at_once(self) -> None:
        with pytest.raises(KeyError):
            draw('{% asset "no-such.css" %}')

    def test_a_new_build_is_seen_at_once_in_development(self, build: Path, settings: Any) -> None:
        settings.DEBUG = True
        assert static.asset("app.css").file == HASHED
        write(build, "dist/app-CCCCCCCC.css")
        # The clock of a file system may be coarser than this test.
        stamp = build.stat().st_mtime_ns + 1_000_000
        os.utime(build, ns=(stamp, stamp))
        assert static.asset("app.css").file == "dist/app-CCCCCCCC.css"


class TestMoment:
    def test_it_is_told_in_the_readers_zone_and_in_utc(self) -> None:
        request = RequestFactory().get("/maintenance")
        request.COOKIES["tz"] = "Asia/Seoul"
        at = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
        moment = console_tags.moment(Context({"request": request}), at)
        assert moment is not None
        assert moment.exact == "2026-11-21T20:30:00Z"
        assert "Nov 22, 2026, 5:30" in moment.local
        assert moment.zone == "KST"
        assert "Nov 21, 2026, 8:30" in moment.utc

    def test_what_is_not_known_is_none(self) -> None:
        assert console_tags.moment(Context({}), None) is None


@pytest.mark.parametrize(
    ("level", "tone", "icon"),
    [
        ("success", "success", "circle-check"),
        ("error", "danger", "circle-alert"),
        ("debug", "info", "info"),
        ("warning", "warning", "triangle-alert"),
        ("a level of its own", "a level of its own", "info"),
    ],
)
def test_a_message_of_django_gets_the_tone_and_icon_of_the_styles(level: str, tone: str, icon: str) -> None:
    assert (console_tags.tone(level), console_tags.tone_icon(level)) == (tone, icon)


class TestRows:
    def test_what_people_typed_is_text_and_keeps_its_own_direction(self) -> None:
        html = console_tags.rows(view([Cell("<script>\"&'")]))
        assert "<bdi>&lt;script&gt;&quot;&amp;&#x27;</bdi>" in html
        assert "<script" not in html

    def test_the_name_is_the_head_of_its_row_and_its_letter_is_only_for_the_eye(self) -> None:
        html = console_tags.rows(view([Cell("  émile", href="/u/1")], kinds=("person",)))
        assert '<th scope="row" data-initial="É"><a href="/u/1"><bdi>  émile</bdi></a></th>' in html

    def test_each_kind_of_value_is_marked_as_what_it_is(self) -> None:
        cells = [
            Cell("Hana"),
            Cell("Active", tone="success"),
            Cell("hana@clinic.example"),
            Cell("Nov 20, 2026", at="2026-11-20T08:30:00Z"),
            Cell("40"),
        ]
        html = console_tags.rows(view(cells, kinds=("name", "badge", "email", "date", "number")))
        assert '<td data-label="C1"><span class="badge" data-tone="success">Active</span></td>' in html
        assert '<td data-label="C2"><bdi dir="ltr">hana@clinic.example</bdi></td>' in html
        assert '<td data-label="C3"><time datetime="2026-11-20T08:30:00Z">Nov 20, 2026</time></td>' in html
        assert '<td data-label="C4" data-kind="number"><bdi>40</bdi></td>' in html

    def test_a_value_that_is_missing_is_a_dash_and_a_date_without_a_time_is_a_text(self) -> None:
        html = console_tags.rows(view([Cell("Hana"), Cell(""), Cell("Never")], kinds=("name", "text", "date")))
        assert '<span class="muted">–</span>' in html
        assert "<bdi>Never</bdi>" in html
        assert "<time" not in html

    def test_an_action_says_whose_it_is(self) -> None:
        html = console_tags.rows(view([Cell("Hana")]))
        assert 'popovertarget="actions-1" aria-label="Actions for Hana">…</button>' in html
        assert '<div class="menu" id="actions-1" popover><a href="/u/1/permissions?a=1&amp;b=2">' in html


class Person(NamedTuple):
    cells: list[Cell]
    id: str = "1"


def _cell(place: int) -> Callable[[Person], Cell]:
    return lambda person: person.cells[place]


def view(cells: list[Cell], kinds: tuple[Any, ...] = ("name",)) -> ListView:
    """A list of one row with these cells."""
    definition = ListDefinition("people", (SearchField("all", "All"),), (), ("name",), "name")
    columns = [Column[Person](f"c{i}", f"C{i}", kind, _cell(i)) for i, kind in enumerate(kinds)]
    return list_view(
        ListQuery(definition, search_field="all", sort="name"),
        Listing(result_count=1, results=[Person(cells)]),
        path="/people",
        columns=columns,
        row_href=lambda _: "/u/1",
        actions=[RowAction("Permissions", "/permissions?a=1&b=2")],
        texts=ListTexts("People", "Search", "None", "None yet"),
    )


def test_every_icon_that_templates_and_code_name_is_in_the_sprite() -> None:
    root = Path(__file__).resolve().parents[2]
    known = set(json.loads((root / "static_src" / "icons.json").read_text()))
    named: set[str] = set(console_tags._TONES.values())
    for file in (root / "templates").rglob("*.html"):
        named |= set(re.findall(r'{% icon "([a-z0-9-]+)"', file.read_text()))
    for file in (root / "static_src").rglob("*.tsx"):
        named |= set(re.findall(r'<Icon name="([a-z0-9-]+)"', file.read_text()))
    for file in (root / "console" / "navigation.py",):
        named |= set(re.findall(r'"([a-z0-9-]+)"\)', file.read_text()))
    assert named - known == set()
