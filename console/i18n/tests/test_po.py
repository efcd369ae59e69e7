"""Which translations may reach a page, and how a catalog is written."""

import gettext
import io

import polib
import pytest

from console.i18n import po
from console.i18n.languages import TABLE

PLURAL_FORMS = {language.code: language.plural_forms for language in TABLE}


@pytest.mark.parametrize(
    ("source", "target", "problems"),
    [
        ("Hello, %(name)s!", "Hallo, %(nmae)s!", ["missing placeholder name", "unknown placeholder nmae"]),
        ("Hello, %(name)s!", "Hallo!", ["missing placeholder name"]),
        ("Hello, %(name)s!", "Hallo, %(name)s %!", ["stray % sign"]),
        ("Hello, %(name)s!", "Hallo, %(name)s %(name!", ["stray % sign"]),
        ("Delete %(name)s?", "%%(name)s löschen?", ["missing placeholder name"]),
        ("Delete %(name)s?", "%(name)s zu 100 %% löschen?", []),
        ("Delete %(name)s?", "%(name)s zu 100 %%% löschen?", ["stray % sign"]),
        ("Surely", "100 %% sicher", ["stray % sign"]),
        ("Surely", "100 % sicher", []),
        ("Save", "<script>x</script>", ["markup differs from the source"]),
        ("Save", "Save <img src=x onerror=y ", ["markup differs from the source", "space at an end"]),
        ("<b>Save</b>", "<b>Speichern", ["markup differs from the source"]),
        ("<b>Save</b>", "<b onclick=x>Speichern</b>", ["markup differs from the source"]),
        ("Save", "$t(Delete)", ["i18next nesting"]),
        ("Save", "Speichern ", ["space at an end"]),
        ("Save", "\nSpeichern", ["space at an end"]),
        ("Save", "Spei\u202echern", ["invisible character"]),
        ("Save", "Spei\u00adchern", ["invisible character"]),
        ("Save", "Spei\u200bchern", ["invisible character"]),
        ("Save", "Speichern &amp; mehr", ["HTML entity; type the character itself"]),
        ("Save it now", "Jetzt\nspeichern", ["line break"]),
        ("Save", "{count} speichern", ["placeholder in braces; they are written %(name)s"]),
        ("Save", "Spei\x05chern", ["control character"]),
        ("Save", "Spei\x85chern", ["control character"]),
        ("Save", "Spei\ufffdchern", ["control character"]),
        ("Save", "Spei\u2028chern", ["control character"]),
        ("Save", "Spei\u2064chern", ["invisible character"]),
        ("Save", "Spei\U000e0001chern", ["invisible character"]),
        *[
            ("Save", text, ["invisible character"])
            for text in (
                "\u2800",
                "Spei\ufe0fchern",
                "a\U0001bca0b",
                "a\U0001d173b",
                "a\U00013430b",
                "a\u0600b",
                "a\u06ddb",
            )
        ],
        *[
            ("Save", text, ["invisible character"])
            for text in (
                "a\u070fb",
                "a\u08e2b",
                "a\U000110bdb",
                "a\u3164",
                "a\u200db",
                "a\u200c",
                "\u17b4",
                "a\U0001d159",
            )
        ],
        ("Save", "S\u0301\u0302\u0303\u0304\u0305peichern", ["too many accents on one letter"]),
        ("Save", "S" + "\u0336" * 200, ["too many accents on one letter"]),
        ("Save", "می\u200cخواهم", []),
        ("Save", "Lưu 👩\u200d👧 ❤\ufe0f ซื้อที่นี่ Lu\u031b\u0323u", []),
        ("Save", "100\u202f% 保存\u3000する", []),
        ("Save", "Speichern" * 30, ["more than 220 characters"]),
    ],
)
def test_a_translation_that_would_break_or_deface_a_page_is_named_and_not_compiled(source, target, problems):
    entry = polib.POEntry(msgid=source, msgstr=target)

    assert po.problems(entry) == problems
    assert get_translations([entry]).gettext(source) == (source if problems else target)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Hello, <b>%(name)s</b>!", "<b>%(name)s</b>, bonjour !"),
        ("100 % sure", "zu 100 % sicher"),
        ("Say “yes”", "Dites « oui »"),
        ('Say "yes"', "Sagen Sie „ja“"),
        ("Wait: now", "Attendez\u00a0: maintenant"),
        ("Save", ""),
    ],
)
def test_a_sound_translation_passes(source, target):
    assert po.problems(polib.POEntry(msgid=source, msgstr=target)) == []


@pytest.mark.parametrize(
    ("code", "forms", "problems"),
    [
        ("ar", ["لا ملفات", "ملف", "ملفان", "%(count)s ملفات", "%(count)s ملفًا", "%(count)s ملف"], []),
        ("pl", ["plik", "%(count)s pliki", "%(count)s plików"], []),
        ("pl", ["plik", "pliki", "%(count)s plików"], ["missing placeholder count"]),
        ("ru", ["файл", "%(count)s файла", "%(count)s файлов"], ["missing placeholder count"]),
        ("ko", ["파일"], ["missing placeholder count"]),
    ],
)
def test_the_number_may_be_left_out_only_where_a_form_has_one_number(code, forms, problems):
    entry = polib.POEntry(msgid="%(count)s file", msgid_plural="%(count)s files", msgstr_plural=dict(enumerate(forms)))

    assert po.problems(entry, PLURAL_FORMS[code]) == problems


@pytest.mark.parametrize("name", ["count", "minutes"])
def test_the_only_placeholder_of_a_plural_is_its_number(name):
    entry = polib.POEntry(
        msgid=f"%({name})s minute",
        msgid_plural=f"%({name})s minutes",
        msgstr_plural={0: "eine Minute", 1: f"%({name})s Minuten"},
    )

    assert po.problems(entry, PLURAL_FORMS["de"]) == []


def get_translations(entries: list[polib.POEntry], code: str = "pl") -> gettext.GNUTranslations:
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": PLURAL_FORMS[code]}
    catalog.extend(entries)
    return gettext.GNUTranslations(io.BytesIO(po.compiled(catalog)))


def test_unfinished_and_obsolete_entries_are_not_compiled():
    catalog = get_translations(
        [
            polib.POEntry(msgid="fuzzy", msgstr="x", flags=["fuzzy"]),
            polib.POEntry(msgid="gone", msgstr="x", obsolete=True),
            polib.POEntry(msgid="half", msgid_plural="halves", msgstr_plural={0: "x", 1: "", 2: "z"}),
            polib.POEntry(msgid="whole", msgid_plural="wholes", msgstr_plural={0: "x", 1: "y", 2: "z"}),
        ]
    )

    assert [catalog.gettext(text) for text in ("fuzzy", "gone")] == ["fuzzy", "gone"]
    assert [catalog.ngettext("half", "halves", n) for n in (1, 2, 5)] == ["half", "halves", "halves"]
    assert [catalog.ngettext("whole", "wholes", n) for n in (1, 2, 5)] == ["x", "y", "z"]


def test_a_failed_write_leaves_the_old_file_and_no_temporary_one(tmp_path, monkeypatch):
    path = tmp_path / "django.po"
    po.write(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        po.write(path, b"new")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_broken_catalog_is_refused_with_its_path(tmp_path):
    path = tmp_path / "django.po"
    path.write_text('msgid "a"\nnonsense "b"\n')

    with pytest.raises(ValueError, match=r"django\.po"):
        po.read(path)
