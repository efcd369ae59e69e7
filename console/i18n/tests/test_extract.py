"""What is extracted from the sources, and what the sources must not contain."""

from pathlib import Path

import pytest

from console.i18n import po
from console.i18n.extract import (
    Extraction,
    NotExtractable,
    add_django_template,
    add_islands,
    add_python,
    add_template,
    extract,
)

SAMPLES = Path(__file__).parent / "samples"


def messages(extraction: Extraction) -> set[tuple[str | None, str, str]]:
    return {po.key(entry) for entry in extraction.template}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A separate project with the tools of this one."""
    (tmp_path / "node_modules").symlink_to(po.SHIPPED.parent / "node_modules")
    for folder in ("app/tests", "templates/django", "static_src/lib"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def island(root: Path, source: str) -> Extraction:
    path = root / "static_src" / "sample.tsx"
    path.write_text(source, "utf-8")
    extraction = Extraction()
    add_islands(extraction, root, [path])
    return extraction


def template(source: str) -> Extraction:
    extraction = Extraction()
    add_template(extraction, source, "page.html")
    return extraction


def django_template(source: str) -> Extraction:
    extraction = Extraction()
    add_django_template(extraction, source, "page.html")
    return extraction


def python(source: str) -> Extraction:
    extraction = Extraction()
    add_python(extraction, source, "views.py")
    return extraction


def test_every_text_of_a_tsx_file_is_found_and_no_other(root):
    extraction = island(root, (SAMPLES / "sample.tsx").read_text("utf-8"))

    plain = [
        "Title of options",
        "Inside of a generic call",
        "Joined from two literals",
        "Waiting…",
        'Say "hello" to O\'Neill',
        "A template literal",
        "Nested in templates",
        "Hello, %(name)s!",
        "An attribute",
        "Between 1 and 9",
        "Elsewhere",
        "After a generic",
        "Nobody",
        "In a substitution",
        "In an attribute's ternary",
    ]
    expected = {(None, text, "") for text in plain} | {
        ("verb", "Open", ""),
        ("state", "Open", ""),
        (None, "%(count)s file", "%(count)s files"),
        ("left over", "%(count)s file", "%(count)s files"),
    }
    assert len(expected) == 19
    assert messages(extraction) == expected
    assert extraction.island_rows == {(context, one, many or None) for context, one, many in expected}
    assert extraction.faults == []
    hello = next(entry for entry in extraction.template if entry.msgid.startswith("Hello"))
    assert hello.comment == "Translators: %(name)s is a person"
    assert hello.occurrences == [("static_src/sample.tsx", "")]


def test_every_text_of_a_template_is_found():
    extraction = template((SAMPLES / "sample.html").read_text("utf-8"))

    assert messages(extraction) == {
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
    assert extraction.faults == []
    assert extraction.entries[None, "Clinics"].comment == "Translators: the page's title"


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
def test_a_template_may_only_translate_literals(call, function):
    fault = f"page.html:2: {function}() with something that is not a literal"
    assert template(f"\n{{{{ {call} }}}}").faults == [fault]


def test_every_text_of_a_django_template_is_found():
    extraction = django_template((SAMPLES / "django.html").read_text("utf-8"))

    assert messages(extraction) == {
        (None, "Clinics", ""),
        ("verb", "Open", ""),
        (None, "One person on the list", "%(count)s people on the list"),
        (None, "Hello, %(name)s!", ""),
        (None, "Literal in a variable", ""),
        (None, 'Say "yes"', ""),
        (None, "Given on", ""),
    }
    assert extraction.faults == []
    assert extraction.entries[None, "Clinics"].comment == "Translators: the page's title"


def test_every_text_of_a_python_module_is_found():
    extraction = python(
        "_('A'); gettext_lazy('B' 'C'); gettext_noop('D'); pgettext_lazy('verb', 'Open')\n"
        "ngettext_lazy('%(n)s x', '%(n)s xs', 'n'); npgettext('c', 'one', 'many', n); translation.gettext('E')\n"
        "# Translators: a noun\nlabel = gettext('F')\nother('no')\n"
    )

    assert messages(extraction) == {
        (None, "A", ""),
        (None, "BC", ""),
        (None, "D", ""),
        ("verb", "Open", ""),
        (None, "%(n)s x", "%(n)s xs"),
        ("c", "one", "many"),
        (None, "E", ""),
        (None, "F", ""),
    }
    assert extraction.faults == []
    assert extraction.entries[None, "F"].comment == "Translators: a noun"
    assert extraction.entries[None, "%(n)s x"].flags == ["python-format"]


@pytest.mark.parametrize(
    "call",
    [
        "gettext(name)",
        "gettext(`Hi ${name}`)",
        'ngettext("One", many, 2)',
        'pgettext(context, "x")',
        'gettext("a" + name)',
        "gettext()",
    ],
)
def test_an_island_may_only_translate_literals(root, call):
    extraction = island(root, f"export const x = (name, many, context) => {call};")

    function = call.partition("(")[0]
    assert f"static_src/sample.tsx: {function}() with something that is not a literal" in extraction.faults


def test_a_translators_comment_of_an_island_is_not_lost_silently(root):
    extraction = island(root, '// Translators: a verb\nexport const x = gettext("Open");')

    fault = "a translators' comment that is not directly before its text: Translators: a verb"
    assert extraction.faults == [f"static_src/sample.tsx: {fault}"]


def test_nor_is_one_that_the_compiler_keeps_but_not_beside_its_text(root):
    extraction = island(root, 'export const x = [/* Translators: a verb */ 1, gettext("Open")];')

    fault = "a translators' comment that is not directly before its text: Translators: a verb"
    assert extraction.faults == [f"static_src/sample.tsx: {fault}"]


@pytest.mark.parametrize(
    "source",
    [
        "# Translators: a verb\n\n_('Open')",
        "# Translators: a verb\nopen()\n_('Open')",
        "_('Close'), _('Leave')\n# Translators: a verb\n",
        "# Translators: a verb\n_('Open')\n# Translators: a verb\nopen()",
    ],
)
def test_a_translators_comment_of_python_is_not_lost_silently(source):
    fault = "a translators' comment that is not directly before its text: Translators: a verb"
    assert python(source).faults == [f"views.py: {fault}"]


@pytest.mark.parametrize(
    "source",
    [
        "{{ _('Open') }}\n{# Translators: a verb #}\n<p>",
        "{# Translators: a verb #}\n{# Translators: a noun #}\n{{ _('Open') }}",
    ],
)
def test_a_translators_comment_of_a_template_is_not_lost_silently(source):
    fault = "a translators' comment that is not directly before its text: Translators: a verb"
    assert template(source).faults == [f"page.html: {fault}"]


def test_a_comment_in_several_lines_is_one():
    assert python("# Translators: a verb,\n# on a button\n_('Open')").faults == []
    assert template("{# Translators: a verb,\n   on a button #}\n{{ _('Open') }}").faults == []


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
def test_python_may_only_translate_literals(call):
    function = call.partition("(")[0].removeprefix("x.")

    assert python(f"\n{call}").faults == [f"views.py:2: {function}() with something that is not a literal"]


PRINTED = "a translation printed inside of a tag; use translate … as"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('<p>\n<a title="{% translate "Save" %}">', f"2: {PRINTED}"),
        ("<a title='{{ save }}'>", "1: an attribute in single quotation marks, which translations may hold"),
        ('<a class="a > b" {% if x %}title={% translate "Save" context "verb" %}{% endif %}>', f"1: {PRINTED}"),
        ('<a title="{% blocktranslate %}Save{% endblocktranslate %}">', f"1: {PRINTED}"),
        ('<a title="{{ _("Save") }}">', f"1: {PRINTED}"),
        ("<p>{% translate name %}", "1: translate with something that is not a literal"),
        (
            '{# Translators: a verb #}{% translate "Save" %}',
            "1: a translators' comment on the line of its text, which loses the text",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:The translator-targeted comment")
def test_a_django_template_may_not_hide_or_expose_a_text(source, fault):
    assert django_template(source).faults == [f"page.html:{fault}"]


@pytest.mark.parametrize(
    "source",
    [
        '{% translate "Save" as save %}<a title="{{ save }}">{% translate "Save" %}</a>',
        '<a title="{% translate "Save" as save %}{{ save }}">',
        '<a title="{% blocktranslate asvar x %}Save{% endblocktranslate %}{{ x }}">',
        '{% if a < b %}{% translate "Save" %}{% endif %}',
        '{# <a title=" #}{% translate "Save" %}',
        '<!-- <a title=" -->{% translate "Save" %}',
        '5 < 6 {% translate "Save" %}',
    ],
)
def test_a_django_template_that_prints_texts_in_the_page_is_fine(source):
    assert django_template(source).faults == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("%(count)d files", "a per cent sign that is not %(name)s"),
        ("%(count)s of 100 %", "a per cent sign that is not %(name)s"),
        ("%(count)s of 100 %%", "a literal per cent sign beside a placeholder; pass it in"),
        ("Loading...", "three full stops instead of …"),
        ("<script>x</script>", "markup other than <a> <b> <br> <code> <i>"),
        ("See $t(Save)", "i18next nesting"),
        ("Name: ", "space at an end"),
    ],
)
def test_an_english_text_keeps_the_rules(text, fault):
    assert python(f"_({text!r})").faults == [f"views.py: {fault}: {text!r}"]


def test_an_english_text_may_have_what_translators_can_keep():
    assert python("_('At least <b>%(count)s</b>…'); _('100 % sure')").faults == []


def test_a_text_has_the_same_plural_everywhere():
    assert python("_('file'); ngettext('file', 'files', 2)").faults == [
        "views.py: the same text with another plural elsewhere: 'file'"
    ]


def test_the_sources_are_the_apps_the_templates_and_the_islands_without_their_tests(root):
    (root / "app" / "views.py").write_text("_('From Python')")
    (root / "app" / "tests" / "test_views.py").write_text("_('From a test')")
    (root / "templates" / "page.html").write_text("{{ _('From a template') }}")
    (root / "templates" / "django" / "page.html").write_text("{% translate 'From a Django template' %}")
    (root / "static_src" / "lib" / "toasts.ts").write_text("export const x: string = gettext('From TypeScript');")
    (root / "static_src" / "lib" / "toasts.test.ts").write_text("gettext('From a test');")
    (root / "static_src" / "lib" / "props.gen.ts").write_text("gettext('Generated');")
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "x.py").write_text("_('From elsewhere')")

    extraction = extract(root, [root / "app"])

    assert [entry.msgid for entry in extraction.template] == [
        "From Python",
        "From TypeScript",
        "From a Django template",
        "From a template",
    ]
    assert extraction.island_messages == '[\n[null, "From TypeScript", null]\n]\n'
    assert str(extract(root, [root / "app"]).template) == str(extraction.template)


@pytest.mark.parametrize(
    "call",
    [
        "_('Open')",
        "_('The clinic %(name)s was deleted.')",
        "ngettext('%(count)s clinic of %(name)s', '%(count)s clinics of %(name)s', 2)",
    ],
)
def test_a_text_whose_meaning_is_a_guess_needs_a_comment_or_a_context(root, call):
    source = root / "app" / "views.py"

    def faults() -> list[str]:
        return extract(root, [root / "app"]).faults

    source.write_text(call)
    assert len(faults()) == 1
    assert faults()[0].startswith("app/views.py: neither a translators' comment nor a context: ")

    source.write_text(f"# Translators: what it is\n{call}")
    assert faults() == []

    source.write_text(call.replace("ngettext(", "npgettext('button', ").replace("_(", "pgettext('button', "))
    assert faults() == []


def test_a_sentence_and_the_number_of_a_plural_explain_themselves(root):
    source = root / "app" / "views.py"
    source.write_text("_('The clinic was deleted.'); ngettext('%(rows)s row', '%(rows)s rows', 2)")

    assert extract(root, [root / "app"]).faults == []


def test_one_comment_is_enough_for_a_text_of_several_places(root):
    (root / "app" / "views.py").write_text("# Translators: a verb\n_('Open')")
    (root / "templates" / "page.html").write_text("{{ _('Open') }}")

    assert extract(root, [root / "app"]).faults == []


def test_an_unreadable_source_stops_the_extraction(root):
    with pytest.raises(NotExtractable, match=r"sample\.tsx"):
        island(root, "const = ;")
