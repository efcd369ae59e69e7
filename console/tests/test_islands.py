"""The props of islands: their types, their encoding in a page, and the generated TypeScript types."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.template import engines
from django.test import RequestFactory
from django.utils.module_loading import autodiscover_modules

from console.lists import answers  # noqa: F401  # registers what lists answer
from console.web import islands

ENTRY = "dist/islands-AAAAAAAA.js"


class Note(msgspec.Struct, frozen=True):
    text: str = ""
    tone: str = ""
    pairs: list[tuple[str, int]] = []


class Other(msgspec.Struct, frozen=True):
    text: str = ""


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register only one island, named sample. The console's own are imported first, because they register only once."""
    autodiscover_modules("urls")
    monkeypatch.setattr(islands, "REGISTRY", {})
    monkeypatch.setattr(islands, "ANSWERS", {})
    islands.island("sample")(Note)


@pytest.fixture
def build(settings: Any, tmp_path: Path) -> None:
    """Write the manifest of a build with the island."""
    settings.ASSETS_MANIFEST = tmp_path / "manifest.json"
    manifest = {
        "islands.js": ENTRY,
    }
    settings.ASSETS_MANIFEST.write_text(json.dumps(manifest))


def render_template(source: str, **context: Any) -> str:
    request = RequestFactory().get("/")
    request.session = {}  # type: ignore[assignment]
    return str(engines["jinja2"].from_string(source).render(context, request))


@pytest.mark.usefixtures("registry")
class TestProps:
    def test_props_are_the_json_of_the_islands_own_struct(self) -> None:
        assert json.loads(islands.encode("sample", Note(text="a"))) == {"text": "a", "tone": "", "pairs": []}

    def test_props_of_another_island_are_refused(self) -> None:
        with pytest.raises(TypeError, match="the island sample takes Note, not Other"):
            islands.encode("sample", Other())

    def test_an_unregistered_island_is_refused(self) -> None:
        with pytest.raises(KeyError):
            islands.encode("elsewhere", Note())

    @pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!--", "&lt;", "]]>", "\u2028"])
    def test_no_text_in_props_ends_their_script_element(self, text: str) -> None:
        encoded = islands.encode("sample", Note(text=text))
        assert not set("<>&") & set(encoded)
        assert json.loads(encoded)["text"] == text


@pytest.mark.usefixtures("registry", "build")
class TestTag:
    def test_it_renders_the_servers_own_markup_and_the_props(self) -> None:
        html = render_template('{% call island("sample", props) %}<p>rows</p>{% endcall %}', props=Note(text="<b>"))
        assert '<script type="application/json" id="props-sample">{"text":"\\u003cb\\u003e"' in html
        assert '<div data-island="sample" data-props="props-sample"><p>rows</p></div>' in html

    def test_it_escapes_what_the_content_escapes(self) -> None:
        html = render_template('{% call island("sample", props) %}{{ name }}{% endcall %}', props=Note(), name="<i>")
        assert "&lt;i&gt;" in html

    def test_it_names_only_the_entry_which_loads_the_island_on_demand(self) -> None:
        html = render_template(
            '{% call island("sample", a) %}{% endcall %}{% call island("sample", b) %}{% endcall %}',
            a=Note(),
            b=Note(text="b"),
        )
        assert html.count(f'src="/static/{ENTRY}"') == 1
        assert "modulepreload" not in html

    def test_two_islands_of_one_name_have_their_own_props(self) -> None:
        html = render_template(
            '{% call island("sample", a) %}{% endcall %}{% call island("sample", b) %}{% endcall %}',
            a=Note(),
            b=Note(text="b"),
        )
        assert 'id="props-sample"' in html
        assert 'id="props-sample-2"' in html
        assert 'data-props="props-sample-2"' in html

    @pytest.mark.req("CA-37")
    def test_it_has_the_texts_for_an_island_that_can_not_be_loaded(self) -> None:
        html = render_template('{% call island("sample", props) %}{% endcall %}', props=Note())
        assert """data-failed="Part of this page couldn&#39;t load. The rest still works.\"""" in html
        assert 'data-reload="Reload the page"' in html

    def test_it_refuses_props_that_are_not_the_islands_own(self) -> None:
        with pytest.raises(TypeError, match="takes Note, not Other"):
            render_template('{% call island("sample", props) %}{% endcall %}', props=Other())


@pytest.mark.usefixtures("registry")
class TestSchema:
    def test_every_field_is_sent_so_every_field_is_required(self) -> None:
        definition = islands.schema()["$defs"]["Note"]
        assert definition["required"] == ["pairs", "text", "tone"]
        assert definition["additionalProperties"] is False

    def test_islands_are_listed_by_name(self) -> None:
        assert islands.schema()["properties"] == {"sample": {"$ref": "#/$defs/Note"}}


class TestTypes:
    @pytest.fixture(autouse=True)
    def _project(self, settings: Any, tmp_path: Path, registry: None) -> None:
        """Set up a separate project with only the generator."""
        (tmp_path / "static_src" / "types").mkdir(parents=True)
        (tmp_path / "node_modules").symlink_to(settings.BASE_DIR / "node_modules")
        settings.BASE_DIR = tmp_path
        self.file = tmp_path / "static_src" / "types" / "props.gen.ts"

    def test_types_follow_the_structs(self) -> None:
        call_command("island_types")
        types = self.file.read_text()
        assert "sample: Note;" in types
        assert "  text: string;\n" in types
        assert "pairs: [string, number][];" in types

    def test_a_check_fails_when_a_struct_has_changed(self) -> None:
        call_command("island_types")
        call_command("island_types", check=True)
        islands.island("another")(Other)
        with pytest.raises(CommandError, match="The islands' props have changed"):
            call_command("island_types", check=True)
        assert "another" not in self.file.read_text()

    def test_a_check_fails_without_the_file(self) -> None:
        with pytest.raises(CommandError):
            call_command("island_types", check=True)
        assert not self.file.exists()


def test_each_island_has_its_folder() -> None:
    autodiscover_modules("urls")
    folder = Path(__file__).resolve().parents[2] / "static_src" / "islands"
    assert {path.parent.name for path in folder.glob("*/index.tsx")} == set(islands.REGISTRY)
