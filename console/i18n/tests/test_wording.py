"""Faulty wording of a translation is reported, although no page would break."""

import csv
import re
from collections import Counter

import polib
import pytest

from console.i18n import po, wording
from console.i18n.languages import TABLE

LANGUAGE = {language.tag: language for language in TABLE}
TERMS = [
    ("clinic", {"de-DE": ("Praxis", "prax", "Klinik"), "ja-JP": ("クリニック", "クリニック", "病院")}),
    ("request", {"de-DE": ("Anfrage", "anfrag", "")}),
    ("partnership request", {"de-DE": ("Partnerschaftsantrag", "antrag", "")}),
    ("type", {"de-DE": ("Typ", "", "")}),
]
STYLES = [
    {"tag": "de-DE", "scripts": "LATIN", "encoding": "", "informal": "du|dein", "end marks": "yes", "question": ""},
    {"tag": "ru-RU", "scripts": "CYRILLIC", "encoding": "", "informal": "ты", "end marks": "yes", "question": ""},
    {
        "tag": "ja-JP",
        "scripts": "CJK|HIRAGANA|KATAKANA|KATAKANA-HIRAGANA",
        "encoding": "shift_jis",
        "informal": "",
        "end marks": "yes",
        "question": "",
    },
    {"tag": "zh-CN", "scripts": "CJK", "encoding": "gb2312", "informal": "你", "end marks": "yes", "question": ""},
    {"tag": "zh-TW", "scripts": "CJK", "encoding": "big5", "informal": "你", "end marks": "yes", "question": ""},
    {"tag": "el-GR", "scripts": "GREEK", "encoding": "", "informal": "", "end marks": "yes", "question": ";"},
    {"tag": "th-TH", "scripts": "THAI", "encoding": "", "informal": "", "end marks": "no", "question": ""},
]


@pytest.fixture
def root(tmp_path):
    """A locale directory with a small glossary and the styles of some languages."""
    tags = ["de-DE", "ja-JP"]
    with open(tmp_path / wording.GLOSSARY, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["term", *(f"{tag}{what}" for tag in tags for what in ("", " stems", " never"))])
        for term, words in TERMS:
            rows.writerow([term, *(cell for tag in tags for cell in words.get(tag, ("", "", "")))])
    with open(tmp_path / wording.STYLE, "w", newline="", encoding="utf-8") as file:
        styles = csv.DictWriter(file, list(STYLES[0]))
        styles.writeheader()
        styles.writerows(STYLES)
    return tmp_path


def find_faults(root, tag: str, english: str, translation: str) -> list[str]:
    catalog = polib.POFile()
    catalog.append(polib.POEntry(msgid=english, msgstr=translation))
    return [fault.split(": ")[0] for fault in wording.faults(LANGUAGE[tag], catalog, root)]


@pytest.mark.req("LN-32")
@pytest.mark.parametrize(
    ("tag", "english", "translation", "fault"),
    [
        ("de-DE", "Delete clinics", "Löschen", "“clinic” is “Praxis” in the glossary"),
        ("de-DE", "Delete this", "Diese Klinik löschen", "the glossary excludes “Klinik”"),
        ("de-DE", "Partnership request", "Anfrage", "“partnership request” is “Partnerschaftsantrag” in the glossary"),
        ("de-DE", "Choose", "Wähle für dein Team", "“dein” addresses readers informally"),
        ("de-DE", "Saved.", "Gespeichert", "ends with no mark instead of ."),
        ("de-DE", "Save?", "Speichern.", "ends with . instead of ?"),
        ("el-GR", "Save?", "Αποθήκευση.", "ends with . instead of ?"),
        ("de-DE", "Save it, now", "Speichern , jetzt", "a space before a mark"),
        ("de-DE", "Say “yes”", 'Sagen Sie "ja"', "straight quotation marks; use those of the language"),
        ("de-DE", "Wait…", "Warten...", "ends with . instead of …"),
        ("de-DE", "Save it", "Es  speichern", "two spaces"),
        ("de-DE", "Save", "Speiсhern", "“Speiсhern” mixes CYRILLIC and LATIN letters"),
        ("de-DE", "Save", "저장", "“저장” is not in the language's letters"),
        ("ru-RU", "Open the file", "Открыть file now", "“now” is not in the language's letters"),
        ("ja-JP", "Clinics", "クリニックと病院", "the glossary excludes “病院”"),
        ("ja-JP", "Delete", "删除", "“删” belongs to another language or to the other way of writing it"),
        ("zh-CN", "Delete", "刪除", "“刪” belongs to another language or to the other way of writing it"),
        ("zh-TW", "Delete", "删除", "“删” belongs to another language or to the other way of writing it"),
        ("zh-CN", "Your file", "你的文件", "“你” addresses readers informally"),
    ],
)
def test_faulty_wording_is_reported(root, tag, english, translation, fault):
    assert fault in find_faults(root, tag, english, translation)


@pytest.mark.parametrize(
    ("tag", "english", "translation"),
    [
        ("de-DE", "Delete 2 clinics", "2 Praxen löschen"),
        ("de-DE", "Request", "Anfrage"),
        ("de-DE", "The type", "Die Art"),
        ("de-DE", "Dudes", "Dudenhaus"),
        ("de-DE", "%(name)s, %(text)s", "%(text)s, %(name)s"),
        ("de-DE", "Clinic|Practice", "Ordination|Klinik"),
        ("de-DE", "Saved.", ""),
        ("ru-RU", "The CSV file.", "Файл CSV."),
        ("ja-JP", "Saved.", "保存しました。"),
        ("ja-JP", "Read the URL?", "URLを読みますか？"),
        ("th-TH", "Saved.", "บันทึกแล้ว"),
        ("th-TH", "Save?", "บันทึกใช่หรือไม่"),
        ("zh-TW", "Are you sure?", "您確定嗎？"),
        ("pl-PL", "Saved.", "ty"),
        ("el-GR", "Save?", "Αποθήκευση;"),
    ],
)
def test_correct_wording_passes(root, tag, english, translation):
    assert find_faults(root, tag, english, translation) == []


def test_each_language_has_a_style_and_each_column_of_the_glossary_a_language():
    others = [language.tag for language in TABLE[1:]]
    assert list(wording.styles()) == others
    with open(po.SHIPPED / wording.GLOSSARY, encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))
    assert columns == [
        "term", "part_of_speech", "meaning", "notes",
        *(f"{tag}{what}" for tag in others for what in ("", " stems", " never")),
    ]  # fmt: skip


def test_each_thing_has_one_term():
    with open(po.SHIPPED / wording.GLOSSARY, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    terms = Counter(row["term"] for row in rows)
    replaced = {
        word
        for row in rows
        for words in re.findall("Replaces ([^.]*)", row["notes"])
        for word in re.findall("“(.*?)”", words)
    }
    assert [term for term, count in terms.items() if count > 1] == []
    assert replaced
    assert replaced & terms.keys() == set()
