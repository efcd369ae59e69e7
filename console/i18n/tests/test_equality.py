"""Django and the islands produce the same texts: all languages, plural rules, contexts and placeholders."""

import json
import subprocess
from gettext import c2py
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext, npgettext, pgettext

from console.i18n import catalogs, po
from console.i18n.languages import TABLE
from console.i18n.resources import SAMPLES, texts

FOLDER = Path(__file__).parent
ROOT = po.SHIPPED.parent
NUMBERS = [*range(201), 999, 1000, 1001, 1021, 1111, 999_999, 1_000_000, 1_000_001, 2_000_000, 5_000_000, 11_000_000]

PLAIN = (None, "Save changes", None)
NAMED = (None, "Hello, %(name)s!", None)
OPEN = ("verb", "Open", None)
OPEN_WITHOUT_CONTEXT = (None, "Open", None)
FILES = (None, "%(count)s file", "%(count)s files")
FILES_WITH_CONTEXT = ("left over", "%(count)s file", "%(count)s files")
MESSAGES = [PLAIN, NAMED, OPEN, OPEN_WITHOUT_CONTEXT, FILES, FILES_WITH_CONTEXT]
NAMES = ["<b>Zoë</b>", "%(name)s $t(Hello) $& $1 {{x}}", "%%", ""]


def cases() -> list[tuple[str, list[object], str]]:
    """Return what Django produces in the active language."""
    results: list[tuple[str, list[object], str]] = [
        ("gettext", [PLAIN[1]], gettext("Save changes")),
        ("gettext", ["Open"], gettext("Open")),
        ("pgettext", ["verb", "Open"], pgettext("verb", "Open")),
        ("pgettext", ["nowhere", "Open"], pgettext("nowhere", "Open")),
    ]
    results += [("gettext", [NAMED[1], {"name": n}], gettext("Hello, %(name)s!") % {"name": n}) for n in NAMES]
    for n in NUMBERS:
        args = ["%(count)s file", "%(count)s files", n]
        results.append(("ngettext", args, ngettext("%(count)s file", "%(count)s files", n) % {"count": n}))
        in_context = npgettext("left over", "%(count)s file", "%(count)s files", n) % {"count": n}
        results.append(("npgettext", ["left over", *args], in_context))
    return results


@pytest.fixture(scope="module")
def bundle(tmp_path_factory) -> Path:
    """The real functions of the islands, bundled as for the browser."""
    path: Path = tmp_path_factory.mktemp("bundle") / "i18n.mjs"
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    source = ROOT / "static_src" / "lib" / "i18n.ts"
    subprocess.run(  # noqa: S603
        [esbuild, source, "--bundle", "--format=esm", f"--outfile={path}", "--log-level=warning"], check=True
    )
    return path


@pytest.fixture
def compare(bundle):
    """Run the islands' functions on Django's cases, and return the differences."""

    def run() -> tuple[int, list[dict[str, object]]]:
        catalogs.refresh()
        expected = {}
        for language in TABLE:
            with translation.override(language.code):
                expected[language.tag] = {"cases": cases(), "texts": texts(language.tag, MESSAGES)}
        done = subprocess.run(  # noqa: S603
            ["node", FOLDER / "equality.mjs", bundle],  # noqa: S607
            input=json.dumps(expected),
            capture_output=True,
            text=True,
            check=True,
        )
        result = json.loads(done.stdout)
        assert result["compared"] == len(TABLE) * len(cases())
        return result["compared"], result["different"]

    return run


def translations(tag: str):
    """The content of a complete catalog; the fixture numbers the plural forms."""
    return {
        PLAIN: f"[{tag}] changes",
        NAMED: f"[{tag}] %(name)s!",
        OPEN: f"[{tag}] to open",
        OPEN_WITHOUT_CONTEXT: f"[{tag}] is open",
        FILES: f"[{tag}] %(count)s",
        FILES_WITH_CONTEXT: f"[{tag}] left %(count)s",
    }


@pytest.mark.req("LN-32")
def test_complete_catalogs_read_the_same_on_both_sides(publish_text, compare):
    for language in TABLE:
        publish_text(language.code, translations(language.tag))

    assert compare()[1] == []


def test_empty_catalogs_read_the_same_on_both_sides(compare):
    assert compare()[1] == []


def test_incomplete_catalogs_read_the_same_on_both_sides(publish_text, compare):
    for number, language in enumerate(TABLE[1:]):  # English has no translations of its own
        messages = list(translations(language.tag).items())[number % 2 :: 2]
        publish_text(language.code, dict(messages))

    assert compare()[1] == []


def test_a_translation_that_reads_like_english_follows_the_rule_of_its_language(live, publish_text, compare):
    for code in ("fr", "nl", "pt-br"):
        publish_text(code, {FILES: "%(count)s file"})
        path = po.catalog_path(live, code)
        catalog = po.read(path)
        catalog[0].msgstr_plural = {0: "%(count)s file", 1: "%(count)s files"}
        po.write(path.with_suffix(".mo"), po.compiled(catalog))

    assert compare()[1] == []


def test_the_comparison_sees_a_wrong_plural_rule(publish_text, compare):
    publish_text("tr", translations("tr-TR"), plural_forms="nplurals=2; plural=(n > 1);")

    different = compare()[1]

    assert different
    assert {case["tag"] for case in different} == {"tr-TR"}


@pytest.fixture(scope="module")
def categories():
    """Numbers, and their CLDR categories per tag."""
    command = ["node", str(FOLDER / "categories.mjs"), *(language.tag for language in TABLE)]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
    return json.loads(done.stdout)


@pytest.mark.req("LN-32")
@pytest.mark.parametrize("language", TABLE, ids=lambda language: language.tag)
def test_a_plural_header_decides_as_the_browser_does(language, categories):
    plural_form = c2py(language.plural_forms.partition("plural=")[2].rstrip(";"))

    pairs = set(zip(categories["categories"][language.tag], map(plural_form, categories["numbers"]), strict=True))

    forms = dict(pairs)
    assert len(forms) == len(pairs)  # one form per category
    assert set(forms.values()) == set(range(po.plural_count(language.plural_forms)))  # and no form is unused
    for category, form in forms.items():
        assert plural_form(SAMPLES[language.tag][category]) == form
