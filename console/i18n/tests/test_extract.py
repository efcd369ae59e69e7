"""Extraction of texts from the sources, and checks of the sources."""

from pathlib import Path

import polib
import pytest
from jinja2 import TemplateSyntaxError

from console.i18n import extract, po

SAMPLES = Path(__file__).parent / "samples"
FOLDERS = ("app", "templates", "static_src")
VIEWS, PAGE, ISLAND = "app/views.py", "templates/page.html", "static_src/sample.tsx"
BARE = "templates/django/bare.html"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A separate project."""
    for folder in ("app/tests", "templates/django", "static_src/lib"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def write(root):
    """Write a source, and return the messages of the project."""

    def written(name: str, source: str) -> polib.POFile:
        (root / name).write_text(source, "utf-8")
        return extract.extract(root, FOLDERS)

    return written


@pytest.fixture
def faults(root, write):
    """Write a source, and return the project's faults."""
    return lambda name, source: list(extract.faults(root, FOLDERS, write(name, source)))


def messages(catalog: polib.POFile) -> set[po.Key]:
    return {po.key(entry) for entry in catalog}


def get_comment(catalog: polib.POFile, text: str) -> str:
    return next(entry.comment for entry in catalog if entry.msgid == text)


def sample(name: str) -> str:
    return (SAMPLES / name).read_text("utf-8")


def test_every_text_of_a_tsx_file_is_found_and_no_other(root, write):
    catalog = write(ISLAND, sample("sample.tsx"))

    plain = [
        "Title of options",
        "Inside of a generic call",
        "Waiting…",
        'Say "hello" to O\'Neill',
        "Nested in templates",
        "Hello, %(name)s!",
        "An attribute",
        "Between 1 and 9",
        "Elsewhere",
        "After a generic",
        "No one",
        "In a branch",
        "In an attribute's ternary",
    ]
    expected = {(None, text, "") for text in plain} | {
        ("verb", "Open", ""),
        ("state", "Open", ""),
        (None, "%(count)s file", "%(count)s files"),
        ("left over", "%(count)s file", "%(count)s files"),
    }
    assert len(expected) == 17
    assert messages(catalog) == expected
    assert all("neither a translators' comment" in fault for fault in extract.faults(root, FOLDERS, catalog))
    hello = next(entry for entry in catalog if entry.msgid.startswith("Hello"))
    assert hello.comment == "Translators: %(name)s is a person"
    assert hello.occurrences == [("static_src/sample.tsx", "")]


def test_every_text_of_a_template_is_found(root, write):
    catalog = write(PAGE, sample("sample.html"))

    assert messages(catalog) == {
        (None, "Clinics", ""),
        ("verb", "Open", ""),
        (None, "One person on the list", "%(count)s people on the list"),
        ("noun", "%(count)s open", "%(count)s open ones"),
        (None, "Hello, %(name)s!", ""),
        (None, "Given on", ""),
        (None, 'Say "yes"', ""),
        (None, "In a macro", ""),
        (None, "Either", ""),
        (None, "Or", ""),
    }
    assert get_comment(catalog, "Clinics") == "Translators: the page's title"


def test_every_text_of_a_django_template_is_found(write):
    catalog = write(BARE, sample("django.html"))

    assert messages(catalog) == {
        (None, "Clinics", ""),
        ("verb", "Open", ""),
        (None, "One person on the list", "%(count)s people on the list"),
        (None, "Hello, %(name)s!", ""),
        (None, "Literal in a variable", ""),
        (None, 'Say "yes"', ""),
        (None, "Given on", ""),
    }
    assert get_comment(catalog, "Clinics") == "Translators: the page's title"


def test_every_text_of_a_python_module_is_found(write):
    catalog = write(
        VIEWS,
        "_('A'); gettext_lazy('B' 'C'); gettext_noop('D'); pgettext_lazy('verb', 'Open')\n"
        "ngettext_lazy('%(n)s x', '%(n)s xs', 'n'); npgettext('c', 'one', 'many', n); translation.gettext('E')\n"
        "# Translators: a noun\nlabel = gettext('F')\nother('no')\n",
    )

    assert messages(catalog) == {
        (None, "A", ""),
        (None, "BC", ""),
        (None, "D", ""),
        ("verb", "Open", ""),
        (None, "%(n)s x", "%(n)s xs"),
        ("c", "one", "many"),
        (None, "E", ""),
        (None, "F", ""),
    }
    assert get_comment(catalog, "F") == "Translators: a noun"
    assert next(entry.flags for entry in catalog if entry.msgid == "%(n)s x") == ["python-format"]


@pytest.mark.parametrize(
    ("call", "function"),
    [
        ("_(name)", "_"),
        ('_("a" ~ name)', "_"),
        ('_("Error" if x else "Fine")', "_"),
        ('ngettext("One", many, 2)', "ngettext"),
        ('pgettext(context, "x")', "pgettext"),
        ("_()", "_"),
    ],
)
def test_a_template_may_only_translate_literals(faults, call, function):
    assert f"{PAGE}:2: {function}() with something that is not a literal" in faults(PAGE, f"\n{{{{ {call} }}}}")


@pytest.mark.parametrize(
    "call",
    [
        "gettext(name)",
        "gettext(`Hi ${name}`)",
        'ngettext("One", many, 2)',
        'pgettext(context, "x")',
        'gettext("a" + name)',
        "gettext()",
        'gettext("Joined " + "from two")',
        "gettext('In single quotation marks')",
    ],
)
def test_an_island_may_only_translate_literals(faults, call):
    result = faults(ISLAND, f"export const x = (name, many, context) => {call};")

    assert f"{ISLAND}: 1 of 1 calls with something that is not a literal" in result


@pytest.mark.parametrize(
    "code",
    [
        'gettext("An invalid %(label)s", { label: gettext("A long label") })',
        '<em>{`${count} ${gettext("In a substitution")}`}</em>',
    ],
)
def test_a_text_that_babel_does_not_find_is_not_lost_silently(faults, code):
    result = faults(ISLAND, f"/* Translators: x */ export const x = {code};")

    assert result[0].startswith(f"{ISLAND}: pybabel does not find each text")


@pytest.mark.parametrize(
    "call",
    [
        "_(name)",
        "gettext(f'Hi {name}')",
        "_('a' + name)",
        "x.ngettext('One', many, 2)",
        "pgettext_lazy('c', y)",
        "_('Hi %(n)s' % d)",
    ],
)
def test_python_may_only_translate_literals(faults, call):
    function = call.partition("(")[0].removeprefix("x.")

    assert f"{VIEWS}:2: {function}() with something that is not a literal" in faults(VIEWS, f"\n{call}")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("%(count)d files", "a per cent sign that is not %(name)s"),
        ("%(count)s of 100 %", "a per cent sign that is not %(name)s"),
        ("%(count)s of 100 %%", "a literal per cent sign beside a placeholder; pass it in"),
        ("Loading... it", "three full stops instead of …"),
        ("<script>x</script> it", "markup other than <a> <b> <br> <code> <i>"),
        ("See $t(Save)", "i18next nesting"),
        ("Name of: ", "space at an end"),
    ],
)
def test_an_english_text_keeps_the_rules(faults, text, fault):
    assert faults(VIEWS, f"# Translators: x\n_({text!r})") == [f"{VIEWS}: {fault}: {text!r}"]


def test_an_english_text_may_have_what_translators_can_keep(faults):
    source = "# Translators: x\n_('At least <b>%(count)s</b>…')\n_('100 % sure')"
    assert faults(VIEWS, source) == []


def test_the_sources_are_the_apps_the_templates_and_the_islands_without_their_tests(root, write):
    (root / VIEWS).write_text("_('From Python')")
    (root / "app" / "tests" / "test_views.py").write_text("_('From a test')")
    (root / PAGE).write_text("{{ _('From a template') }}")
    (root / BARE).write_text("{% translate 'From a Django template' %}")
    (root / "static_src" / "lib" / "toasts.ts").write_text("export const x: string = gettext('From TypeScript');")
    (root / "static_src" / "lib" / "toasts.test.ts").write_text("gettext('From a test');")
    (root / "static_src" / "lib" / "props.gen.ts").write_text("gettext('Generated');")
    (root / "elsewhere").mkdir()

    catalog = write("elsewhere/x.py", "_('From elsewhere')")

    assert [entry.msgid for entry in catalog] == [
        "From Python",
        "From TypeScript",
        "From a Django template",
        "From a template",
    ]
    assert extract.island_messages(catalog) == '[\n[null, "From TypeScript", null]\n]\n'


@pytest.mark.parametrize(
    "call",
    [
        "_('Open')",
        "_('The clinic %(name)s was deleted.')",
        "ngettext('%(count)s clinic of %(name)s', '%(count)s clinics of %(name)s', 2)",
    ],
)
def test_a_text_whose_meaning_is_a_guess_needs_a_comment_or_a_context(faults, call):
    result = faults(VIEWS, call)
    assert len(result) == 1
    assert result[0].startswith("app/views.py: neither a translators' comment nor a context: ")
    assert faults(VIEWS, f"# Translators: what it is\n{call}") == []
    assert faults(VIEWS, call.replace("ngettext(", "npgettext('button', ").replace("_(", "pgettext('button', ")) == []


def test_a_sentence_and_the_number_of_a_plural_explain_themselves(faults):
    assert faults(VIEWS, "_('The clinic was deleted.'); ngettext('%(rows)s row', '%(rows)s rows', 2)") == []


def test_one_comment_is_enough_for_a_text_of_several_places(root, faults):
    (root / VIEWS).write_text("# Translators: a verb\n_('Open')")
    assert faults(PAGE, "{{ _('Open') }}") == []


def test_the_same_comment_of_several_places_is_there_once(root, write):
    (root / VIEWS).write_text("# Translators: a verb\n_('Open')")
    assert get_comment(write(PAGE, "{# Translators: a verb #}\n{{ _('Open') }}"), "Open") == "Translators: a verb"


def test_an_unreadable_source_stops_the_extraction(write):
    with pytest.raises(TemplateSyntaxError):
        write(PAGE, "{% if %}")
