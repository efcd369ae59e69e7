"""A compiled catalog is read as Python's `gettext` reads it."""

import io
import struct
from gettext import GNUTranslations, NullTranslations

import polib
import pytest

from console.i18n import mo, po
from console.i18n.languages import TABLE


class Missing(NullTranslations):
    def gettext(self, message):
        return "missing"

    def ngettext(self, msgid1, msgid2, n):
        return "missing"


@pytest.mark.parametrize("code", [language.code for language in TABLE])
def test_every_text_is_that_of_gettext(deployed, code):
    path = po.catalog_path(deployed, code, "mo")
    expected, catalog = GNUTranslations(io.BytesIO(path.read_bytes())), mo.Catalog(path.read_bytes())
    expected.add_fallback(Missing())
    catalog.add_fallback(Missing())
    for entry in [*polib.mofile(str(path)), polib.MOEntry(msgid="Save change"), polib.MOEntry(msgid="zzz")]:
        text = entry.msgid_with_context
        assert catalog.gettext(text) == expected.gettext(text)
        for number in (0, 1, 2, 3, 5, 11, 21, 101, 1_000_000) if entry.msgid_plural else ():
            assert catalog.ngettext(text, "", number) == expected.ngettext(text, "", number)


def compiled(**texts: str) -> bytes:
    catalog = polib.MOFile()
    catalog.extend(polib.MOEntry(msgid=text, msgstr=translation) for text, translation in texts.items())
    return catalog.to_binary()


def test_a_text_without_a_translation_is_that_of_the_fallback():
    catalog = mo.Catalog(compiled(b="B"))
    assert [catalog.gettext(text) for text in ("a", "b", "c", "\udc80")] == ["a", "B", "c", "\udc80"]
    assert [catalog.ngettext("a", "as", number) for number in (1, 2)] == ["a", "as"]
    catalog.add_fallback(mo.Catalog(compiled(a="A")))
    assert catalog.gettext("a") == "A"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:10],
        lambda data: data[:-1],
        lambda data: b"\0" + data[1:],
        lambda data: data.replace(b"one", b"\xff\xff\xff"),
        lambda data: data.replace(b"one\0", b"ones"),
        lambda data: data.replace(b"a\0b\0", b"b\0a\0"),
        lambda data: data[:8] + struct.pack("=I", 2**31) + data[12:],
    ],
)
def test_a_damaged_catalog_is_refused_as_a_whole(damage):
    data = compiled(a="one", b="two")
    assert mo.Catalog(data).gettext("a") == "one"
    with pytest.raises((ValueError, IndexError, TypeError, struct.error)):
        mo.Catalog(damage(data))
