"""A compiled catalog is read as `gettext` of Python reads it."""

import gettext
import io
import struct
from pathlib import Path
from typing import Any

import django
import polib
import pytest

from console.i18n import mo, po
from console.i18n.languages import TABLE

DJANGO = Path(django.__file__).parent / "conf" / "locale"


@pytest.mark.parametrize("code", [language.code for language in TABLE])
def test_every_text_is_that_of_gettext(deployed, code):
    for root in (deployed, DJANGO):
        data = po.path_of(root, code, "mo").read_bytes()
        known: Any = gettext.GNUTranslations(io.BytesIO(data))
        ours = mo.Catalog(data)
        texts = ours._catalog
        assert {key: texts.get(key) for key in known._catalog} == known._catalog
        assert set(texts) == {key[0] if isinstance(key, tuple) else key for key in known._catalog}
        assert [ours.plural(number) for number in range(200)] == [known.plural(number) for number in range(200)]
        for key in known._catalog:
            other = key[0] if isinstance(key, tuple) else (key, 0)
            assert texts.get(other, "none") == known._catalog.get(other, "none")


@pytest.mark.parametrize("text", ["", "A", "zzz", "Save change", "Save changes.", "\udc80", ("Save changes", 0)])
def test_what_is_not_in_a_catalog_is_not_found(deployed, text):
    data = po.path_of(deployed, "fr", "mo").read_bytes()
    known: Any = gettext.GNUTranslations(io.BytesIO(data))
    assert mo.Texts(data).get(text, "none") == known._catalog.get(text, "none")


@pytest.mark.parametrize("order", "<>")
def test_the_order_of_bytes_is_that_of_the_file(order):
    data = struct.pack(f"{order}11I2s3s", 0x950412DE, 0, 1, 28, 36, 0, 44, 1, 44, 2, 46, b"a\0", b"bb\0")
    assert mo.Texts(data).get("a") == "bb"


def test_a_plural_is_looked_for_once_whether_it_is_translated_or_not(deployed, monkeypatch):
    texts = mo.Catalog(po.path_of(deployed, "fr", "mo").read_bytes())._catalog
    looked: list[str] = []
    find = mo.Texts._find

    def counted(self: mo.Texts, text: str, form: int) -> str | None:
        looked.append(text)
        return find(self, text, form)

    monkeypatch.setattr(mo.Texts, "_find", counted)
    known = [[texts.get((text, 1)) for text in ("%(count)s user", "no such text")] for _ in range(3)]
    assert known == [known[0]] * 3
    assert known[0][1] is None
    assert looked == ["%(count)s user", "no such text"]


def test_no_end_of_plurals_is_remembered(deployed):
    texts = mo.Catalog(po.path_of(deployed, "fr", "mo").read_bytes())._catalog
    for number in range(2 * mo.MOST_KNOWN):
        assert texts.get((f"text {number}", 0)) is None
    assert len(texts._plurals) == mo.MOST_KNOWN


def catalog(**texts):
    """A compiled catalog, made by another program."""
    written = polib.MOFile()
    written.extend(polib.MOEntry(msgid=text, msgstr=translated) for text, translated in texts.items())
    return mo.Texts(written.to_binary())


def test_languages_have_the_texts_of_the_code_in_common():
    one, other = catalog(ab="1", c="2"), catalog(ab="3", c="4")
    assert one._sources is other._sources
    assert [texts.get("c") for texts in (one, other)] == ["2", "4"]
    assert [catalog(a="5", bc="6").get(text) for text in ("a", "bc", "ab", "c")] == ["5", "6", None, None]
