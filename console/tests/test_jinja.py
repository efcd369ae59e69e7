"""The functions and the strictness of templates; and the rows of lists."""

import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from django.conf import settings
from django.contrib.messages import constants as message_levels
from django.contrib.messages.storage.base import Message
from django.core.exceptions import ImproperlyConfigured
from django.forms import CheckboxSelectMultiple, RadioSelect, Select, SelectMultiple, renderers
from django.forms.widgets import ChoiceWidget
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.test import Client
from django.test.html import parse_html
from django.utils import translation
from django.utils.functional import lazystr
from jinja2 import FileSystemLoader, TemplateSyntaxError, UndefinedError
from markupsafe import Markup, escape

import console.shell.templates
from console.config import static
from console.forms.fields import Renderer
from console.lists.query import ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, list_view
from console.shell.preload import compile_templates
from tools.sources import PACKAGES
from upstream.listing import Listing

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
    manifest.write_text(json.dumps(names))


def render_template(source: str, **context: Any) -> str:
    return str(environment().from_string(source).render(**context))


def environment(**options: Any) -> Any:
    """Return the environment of the templates, or a new one with these options."""
    return console.shell.templates.environment(**options) if options else cast(Jinja2, engines["jinja2"]).env


def test_template_statements_and_indentation_are_not_in_the_page() -> None:
    source = "<ul>\n  {% for x in '12' %}\n    <li>\n      {{- x -}}\n    </li>\n  {% endfor %}\n</ul>"
    assert render_template(source) == "<ul>\n<li>1</li>\n<li>2</li>\n</ul>"


@pytest.mark.usefixtures("build")
class TestBuiltFiles:
    @pytest.mark.req("CA-35")
    def test_a_built_file_is_named_by_its_hash_below_the_static_path(self) -> None:
        assert render_template('{{ asset("app.css") }}') == f"/static/{HASHED}"

    def test_an_icon_is_a_drawing_of_the_sprite_that_screen_readers_skip(self) -> None:
        html = render_template('{{ icon("search") }}')
        assert html == '<svg class=icon aria-hidden=true><use href="/static/dist/icons-BBBBBBBB.svg#search"/></svg>'

    def test_an_unknown_file_is_an_immediate_error(self) -> None:
        with pytest.raises(KeyError):
            render_template('{{ asset("no-such.css") }}')

    def test_a_new_build_is_used_immediately_in_development(self, build: Path, settings: Any) -> None:
        settings.DEBUG = True
        assert static.asset("app.css") == f"/static/{HASHED}"
        write(build, "dist/app-CCCCCCCC.css")
        # The clock of a file system may be coarser than this test.
        stamp = build.stat().st_mtime_ns + 1_000_000
        os.utime(build, ns=(stamp, stamp))
        assert static.asset("app.css") == "/static/dist/app-CCCCCCCC.css"


class TestRows:
    def test_user_input_is_escaped_and_keeps_its_own_direction(self) -> None:
        html = rows(view([Cell("<script>\"&'")]))
        assert "<bdi translate=no>&lt;script&gt;&#34;&amp;&#39;</bdi>" in html
        assert "<script" not in html

    def test_the_name_is_the_row_header_and_its_letter_is_hidden_from_screen_readers(self) -> None:
        html = rows(view([Cell("  émile", href="/u/1")], kinds=("person",)))
        assert '<th scope=row data-initial="É"><a href="u/1"><bdi translate=no>  émile</bdi></a></th>' in html

    def test_each_kind_of_value_has_its_own_markup(self) -> None:
        cells = [
            Cell("Hana"),
            Cell("Active", tone="success"),
            Cell("hana@clinic.example"),
            Cell("Nov 20, 2026", at="2026-11-20T08:30:00Z"),
            Cell("40"),
        ]
        html = rows(view(cells, kinds=("name", "badge", "email", "date", "number")))
        assert '<td data-label="C1"><span class="badge" data-tone="success">Active</span></td>' in html
        assert '<td data-label="C2"><bdi translate=no dir=ltr>hana@clinic.example</bdi></td>' in html
        assert '<td data-label="C3"><time datetime="2026-11-20T08:30Z">Nov 20, 2026</time></td>' in html
        assert '<td data-label="C4" data-kind="number">40</td>' in html

    def test_a_value_that_is_missing_is_a_dash_and_a_date_without_a_time_is_a_text(self) -> None:
        html = rows(view([Cell("Hana"), Cell(""), Cell("Never")], kinds=("name", "text", "date")))
        assert '<span class="muted">–</span>' in html
        assert "<bdi translate=no>Never</bdi>" in html
        assert "<time" not in html

    def test_an_action_names_its_object(self) -> None:
        html = rows(view([Cell("Hana")]))
        assert '<button popovertarget="menu-1" aria-label="Actions for Hana">…</button>' in html
        assert '<div id="menu-1" popover><a href="u/1/permissions?a=1&amp;b=2">' in html


class Person(NamedTuple):
    cells: list[Cell]
    id: str = "1"


def _cell(index: int) -> Callable[[Person], Cell]:
    return lambda person: person.cells[index]


def view(cells: list[Cell], kinds: tuple[Any, ...] = ("name",)) -> ListView:
    """Return a list of one row with these cells."""
    definition = ListDefinition("people", (SearchField("all", "All"),), (), ("name",), "name")
    columns = [Column[Person](f"c{i}", f"C{i}", kind, _cell(i)) for i, kind in enumerate(kinds)]
    return list_view(
        ListQuery(definition, search_field="all", sort="name"),
        Listing(result_count=1, results=[Person(cells)]),
        ListTable(
            columns=columns,
            row_href=lambda _: "/u/1",
            actions=[RowAction("Permissions", "/permissions?a=1&b=2")],
            texts=ListTexts("People", "Search", "None", "None yet"),
        ),
        path="/people",
    )


def rows(view: ListView) -> str:
    return render_template("{{ table(view) }}", view=view)


def test_every_icon_that_templates_and_code_name_is_in_the_sprite() -> None:
    root = Path(__file__).resolve().parents[2]
    known = set(json.loads((root / "static_src" / "icons.json").read_text()))
    named: set[str] = set()
    for file in (root / "templates").rglob("*.html"):
        for call in re.findall(r'icon\(([^)]*)\)|(sign="[^"]*")|SIGNS = ({.*})|(<use.*?/>)', file.read_text()):
            named |= set(re.findall(r'(?<!== )["#]([a-z0-9-]+)"(?![:\]])', " ".join(call)))
    for file in (root / "static_src").rglob("*.tsx"):
        named |= set(re.findall(r'<Icon name="([a-z0-9-]+)"', file.read_text()))
    for file in (root / "console" / "shell" / "navigation.py",):
        named |= set(re.findall(r'"([a-z0-9-]+)"\)', file.read_text()))
    assert len(named) > 20
    assert named - known == set()


class TestStrictness:
    def test_an_undefined_name_is_an_error_in_development(self) -> None:
        with pytest.raises(UndefinedError, match="'clinic' is undefined"):
            render_template("{% if clinic %}{{ clinic.name }}{% endif %}")

    @pytest.mark.parametrize(
        "source", ["{{ x }}", "{{ x.y.z }}", "{% if x.y %}a{% endif %}", "{{ x(1) }}", "{{ x[0] }}"]
    )
    def test_in_production_it_prints_nothing_and_is_logged(
        self, source: str, settings: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.CONSOLE_ENV = "prod"
        assert environment(loader=None).from_string(f"<p>{source}</p>").render() == "<p></p>"
        assert [r.levelname for r in caplog.records] == ["WARNING"]
        assert "undefined" in caplog.text

    def test_the_log_names_the_template(self, settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        settings.CONSOLE_ENV = "prod"
        (tmp_path / "page.html").write_text("<p>\n{{ clinc.name }}</p>")
        environment(loader=FileSystemLoader(tmp_path)).get_template("page.html").render()
        assert caplog.messages == [f"Template variable warning: 'clinc' is undefined ({tmp_path / 'page.html'})"]

    def test_the_empty_half_of_a_condition_is_not_logged(self, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
        settings.CONSOLE_ENV = "prod"
        assert environment(loader=None).from_string('{{ " checked" if x }}').render(x=False) == ""
        assert caplog.records == []

    def test_an_error_names_the_template_and_its_line(self, client: Client, settings: Any, tmp_path: Path) -> None:
        settings.DEBUG = True
        (tmp_path / "pages").mkdir()
        (tmp_path / "pages" / "version.html").write_text("<p>\n{{ no_such_name }}</p>")
        settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}, settings.TEMPLATES[1]]
        client.raise_request_exception = False
        page = client.get("/version", headers={"accept": "text/html"}).content.decode()
        assert re.search(r"pages/version\.html</code>\s*,\s*line\s*2\b", page)


class TestEscaping:
    def test_a_value_of_a_text_may_have_the_name_of_a_keyword(self) -> None:
        assert render_template("{{ _('Sent from %(from)s', from=x) }}", x="<") == "Sent from &lt;"

    @pytest.mark.parametrize(
        "value", ["plain", "<b>", "a & b", "O'Neil", 'say "x"', "‏عمر", "", 7, None, lazystr("<i>")]
    )
    def test_a_value_is_escaped_as_markupsafe_does(self, value: object) -> None:
        source = "{% macro one(a) %}{{ a }}{% endmacro %}{% set block %}{{ x }}{% endset %}"
        source += '{{ x }}|{{ one(x) }}|{{ block }}|{{ x ~ "<" }}'
        safe = str(escape(value))
        assert render_template(source, x=value) == f"{safe}|{safe}|{safe}|{safe}&lt;"

    def test_markup_is_printed_as_it_is(self) -> None:
        assert render_template("{{ x }}{{ x|upper }}", x=Markup("<b>&amp;</b>")) == "<b>&amp;</b><B>&AMP;</B>"


class TestComponents:
    @pytest.fixture
    def folder(self, tmp_path: Path, settings: Any) -> Path:
        settings.BASE_DIR = tmp_path
        settings.COMPILED_TEMPLATES = tmp_path / "compiled"
        for name in ("components", "groups/components"):
            (tmp_path / "templates" / name).mkdir(parents=True)
        return tmp_path / "templates"

    def test_each_template_knows_all_macros_of_the_folders_of_components(self, folder: Path) -> None:
        (folder / "components/one.html").write_text("{% macro one(x) %}<b>{{ x }}{{ two() }}</b>{% endmacro %}")
        (folder / "groups/components/two.html").write_text(
            "{% macro two() %}{{ _own() }}{% endmacro %}{% macro _own() %}&amp;{% endmacro %}"
        )
        (folder / "page.html").write_text('{{ one("<") }}{{ one(x="&") }}')

        def page() -> str:
            return str(
                environment(loader=FileSystemLoader(folder), auto_reload=True).get_template("page.html").render()
            )

        assert page() == "<b>&lt;&amp;</b><b>&amp;&amp;</b>"
        assert "_own" not in environment(loader=FileSystemLoader(folder)).globals

    def test_a_changed_component_is_used_in_development(self, folder: Path) -> None:
        file = folder / "components/one.html"
        file.write_text("{% macro one() %}before{% endmacro %}")
        env = environment(loader=FileSystemLoader(folder), auto_reload=True)
        assert env.from_string("{{ one() }}").render() == "before"
        file.write_text("{% macro one() %}after{% endmacro %}")
        os.utime(file, (1, 1))
        assert env.from_string("{{ one() }}").render() == "after"

    def test_two_components_of_one_name_stop_the_start(self, folder: Path) -> None:
        for name in ("components/one.html", "groups/components/two.html"):
            (folder / name).write_text("{% macro one() %}{% endmacro %}")
        with pytest.raises(ImproperlyConfigured, match="More than one component has the name one"):
            environment(loader=FileSystemLoader(folder))


class TestTexts:
    def test_a_translation_is_escaped_as_a_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("console.shell.templates.translate", lambda text: "<b>%(name)s</b>")
        assert render_template('{{ _("Edit %(name)s", name=name) }}', name="<i>") == "&lt;b&gt;&lt;i&gt;&lt;/b&gt;"

    def test_a_text_without_values_may_have_a_per_cent_sign(self) -> None:
        assert render_template('{{ _("100 % sure") }}') == "100 % sure"

    @pytest.mark.parametrize(("count", "text"), [(1, "1 row of Ann"), (2, "2 rows of Ann")])
    def test_a_plural_gets_its_number(self, count: int, text: str) -> None:
        source = '{{ ngettext("%(count)s row of %(name)s", "%(count)s rows of %(name)s", count, name="Ann") }}'
        assert render_template(source, count=count) == text
        assert render_template(source.replace("ngettext(", 'npgettext("list", '), count=count) == text

    def test_a_text_with_a_context(self) -> None:
        assert render_template('{{ pgettext("verb", "Open %(name)s", name="x") }}') == "Open x"

    def test_eight_languages_at_once_are_each_right(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The texts of a macro are looked up when it is rendered, not when its file is loaded."""
        monkeypatch.setattr("console.shell.templates.translate", lambda text: f"{text} {translation.get_language()}")
        codes = [code for code, _ in settings.LANGUAGES][:8]

        def in_its_language(code: str) -> tuple[str, str]:
            with translation.override(code):
                return code, render_template('{{ breadcrumbs([], "x") }}')

        with ThreadPoolExecutor(8) as pool:
            for code, page in pool.map(in_its_language, codes * 20):
                assert f'aria-label="Breadcrumb {code}"' in page


@pytest.mark.parametrize(
    ("level", "tone", "icon"),
    [
        (message_levels.SUCCESS, "success", "circle-check"),
        (message_levels.ERROR, "danger", "circle-alert"),
        (message_levels.DEBUG, "info", "info"),
        (message_levels.WARNING, "warning", "triangle-alert"),
        (99, "", "info"),
    ],
)
def test_a_message_of_django_gets_the_tone_and_icon_of_the_styles(level: int, tone: str, icon: str) -> None:
    page = render_template("{{ message_list(messages) }}", messages=[Message(level, "<b>")])
    assert f'data-tone="{tone}"' in page
    assert f"#{icon}" in page
    assert "&lt;b&gt;" in page


def test_the_tags_of_the_i18n_extension_are_not_known() -> None:
    """Such tags would print a translation as markup."""
    with pytest.raises(TemplateSyntaxError):
        render_template("{% trans %}Save{% endtrans %}")


def test_all_templates_are_compiled_at_the_start_of_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    env = environment()
    env.cache.clear()
    compile_templates()
    monkeypatch.setattr(type(env), "compile", lambda *_a, **_k: pytest.fail("a template was compiled for a page"))
    for name in env.list_templates(filter_func=lambda name: not name.startswith(("django/", "forms/django/"))):
        env.get_template(name)
    Select(choices=[("de", "Germany")]).render("country", "de")


class TestFields:
    """Fields are rendered by Jinja templates, our own with priority over Django's."""

    CHOICES = (("", "None"), ("Europe", [("de", "Germany"), ("a&b", "<b>")]))

    @pytest.mark.parametrize("widget", [Select, RadioSelect, CheckboxSelectMultiple, SelectMultiple])
    @pytest.mark.parametrize("value", ["de", "a&b", "", None])
    def test_a_choice_is_rendered_like_djangos(self, widget: type[ChoiceWidget], value: str | None) -> None:
        field = widget(choices=self.CHOICES, attrs={"title": 'a "b"', "required": True})
        html, django_html = (
            field.render("place", value, renderer=renderer) for renderer in (Renderer(), renderers.DjangoTemplates())
        )
        assert parse_html(html) == parse_html(django_html)

    def test_an_option_keeps_its_own_attributes(self) -> None:
        class Closing(Select):
            def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
                option: dict[str, Any] = super().create_option(*args, **kwargs)
                option["attrs"]["disabled"] = option["value"] == "fr"
                return option

        html = Closing(choices=[("de", "Germany"), ("fr", "France")]).render("place", "de")
        assert '<option value="de" selected>' in html
        assert '<option value="fr" disabled>' in html


class TestCompiledTemplates:
    """Compiled templates are stored in the build, so that workers do not compile them again."""

    def render_template(self, folder: Path, source: str, settings: Any) -> str:
        settings.COMPILED_TEMPLATES = folder / "compiled"
        (folder / "page.html").write_text(source)
        return str(environment(loader=FileSystemLoader(folder)).get_template("page.html").render())

    def test_a_template_is_compiled_once(self, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.render_template(tmp_path, "a", settings) == "a"
        monkeypatch.setattr("jinja2.Environment.compile", lambda *_a, **_k: pytest.fail("compiled anew"))
        assert self.render_template(tmp_path, "a", settings) == "a"

    def test_a_changed_or_damaged_template_is_compiled_again(self, tmp_path: Path, settings: Any) -> None:
        self.render_template(tmp_path, "a", settings)
        assert self.render_template(tmp_path, "b", settings) == "b"
        for file in (tmp_path / "compiled").iterdir():
            file.write_bytes(file.read_bytes()[:-20])
        assert self.render_template(tmp_path, "b", settings) == "b"

    def test_a_folder_that_can_not_be_written_causes_no_error(self, tmp_path: Path, settings: Any) -> None:
        (tmp_path / "compiled").write_text("a file where the folder would be")
        assert self.render_template(tmp_path, "a", settings) == "a"


def test_no_template_is_made_of_a_string() -> None:
    root = Path(__file__).resolve().parents[2]
    sources = [file for app in PACKAGES for file in (root / app).rglob("*.py")]
    assert [
        file for file in sources if "tests" not in file.parts and re.search(r"\bfrom_string\(", file.read_text())
    ] == []
