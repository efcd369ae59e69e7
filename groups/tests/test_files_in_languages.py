"""A file that was exported in a language can be imported in that language: its heads, and values of choices."""

import csv
import io
import json
from functools import cache

import pytest
from django.utils import translation
from django.utils.translation.trans_real import DjangoTranslation

from console.files.spec import RowForm
from console.i18n import po
from console.i18n.languages import TAGS
from console.l10n.word_matching import meant, written_key, written_keys
from groups.forms.files import ClinicRow, UserRow
from groups.labels import USER_TYPE_WORDS, USER_TYPES
from tests.support import factories
from tests.support.catalogs import separate_caches
from tests.support.imports import upload
from tests.support.people_files import IN_LANGUAGES

CLINICS = "/user-manage/clinic"
USERS = f"{CLINICS}/g-1/user"


def made_up(language: str, text: str) -> str:
    """Return a made-up translation: each name in a text starts with one in the letters of the language."""
    return "|".join(f"{IN_LANGUAGES[language][1][1]} {name}" for name in text.rpartition("\x04")[2].split("|"))


@cache
def shipped(language: str) -> dict[str, str]:
    return {entry.msgid: entry.msgstr for entry in po.read(po.catalog_path(po.SHIPPED, language)) if entry.msgstr}


@pytest.fixture(params=["shipped", "all translated"])
def catalogs(request, monkeypatch):
    """The catalogs as they are shipped, and with a made-up translation of every text."""

    def gettext(self, message):
        code = self.to_language()
        if code == "en":
            return message.rpartition("\x04")[2]
        if request.param == "shipped":
            return shipped(code).get(message, message)
        return made_up(code, message)

    monkeypatch.setattr(DjangoTranslation, "gettext", gettext)
    with separate_caches():
        yield


@pytest.fixture
def bodies(upstream):
    """The items that the service is asked to create; it accepts all."""
    got = []

    def answer(request):
        items = json.loads(request.body)["items"]
        got.append(items)
        rows = [{"index": index, "ok": True, "id": f"x-{index}"} for index in range(len(items))]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    for path in ("/v1/bizUsers/bulkCreate", "/v1/bizMainGroups/bulkCreate"):
        upstream.callback("POST", path, answer)
    return got


def reimport(client, path, change=lambda rows: rows):
    """Export a list, and import the file with its rows changed by `change`."""
    exported = client.get(f"{path}/export").getvalue().decode("utf-8-sig")
    text = io.StringIO()
    csv.writer(text).writerows(change(list(csv.reader(io.StringIO(exported, newline="")))))
    headers = {"Accept": "application/json"}
    response = upload(client, f"{path}/import", text.getvalue().encode("utf-8-sig"), headers=headers)
    assert response.status_code == 200, response.content.decode()
    assert [row["details"] for row in response.json()["item"]["rows"] if row["tone"] == "danger"] == []


def shouted(rows):
    return [[cell.upper() for cell in row] for row in rows]


@pytest.mark.req("LS-10", "LS-11", "DM-42")
@pytest.mark.parametrize("language", TAGS)
@pytest.mark.usefixtures("catalogs")
def test_a_file_exported_in_a_language_can_be_imported_in_it(admin_client, upstream, bodies, language):
    upstream.has_clinic()
    people = [factories.user(1, userType="DOCTOR"), factories.user(2, userType="STAFF")]
    upstream.answers("GET", "/v1/bizUsers", factories.listing(people))
    clinics = [factories.clinic(1, countryCode="KR"), factories.clinic(2, countryCode="CI")]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    admin_client.get(f"{USERS}/import?lng={TAGS[language]}")
    for change in (lambda rows: rows, shouted):
        bodies.clear()
        reimport(admin_client, USERS, change)
        reimport(admin_client, CLINICS, change)
        users, created = bodies
        assert [user["userType"] for user in users] == ["DOCTOR", "STAFF"], change
        assert [clinic["countryCode"] for clinic in created] == ["KR", "CI"], change


@pytest.mark.req("LS-11", "DM-42")
@pytest.mark.parametrize("language", TAGS)
@pytest.mark.usefixtures("catalogs")
def test_a_type_is_understood_by_its_code_its_name_and_other_words(language):
    words = {code: (label, USER_TYPE_WORDS[code]) for code, label in USER_TYPES.items()}
    with translation.override(language):
        for code, texts in words.items():
            written = [
                code,
                "Dentist" if code == "DOCTOR" else "staff-member",
                *str(texts[1]).split("|"),
                str(texts[0]),
            ]
            for word in written:
                assert {meant(f" {each} ", words) for each in (word, word.upper(), word.lower())} == {code}, word
        assert meant("nurse", words) == ""


@pytest.mark.req("LS-12", "DM-42")
@pytest.mark.parametrize("language", TAGS)
@pytest.mark.usefixtures("catalogs")
def test_no_word_for_one_column_or_type_means_another(language):
    forms: list[type[RowForm]] = [ClinicRow, UserRow]
    with translation.override(language):
        types = [written_keys(code, label, USER_TYPE_WORDS[code]) for code, label in USER_TYPES.items()]
        columns = [
            [written_keys(name, column.label, form.heads.get(name, "")) for name, column in form.base_fields.items()]
            for form in forms
        ]
    for several in (types, *columns):
        for index, keys in enumerate(several):
            assert not keys.intersection(*[set()] if index == 0 else [set().union(*several[:index])])


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("E-Mail ", "email"),
        ("DİŞ HEKİMİ", "diş hekimi"),
        ("IŞIK", "ışık"),
        ("Straße", "STRASSE"),
        ("ΙΑΤΡΟΣ", "ιατρός"),
        ("Médecin", "MEDECIN"),
    ],
)
def test_case_accents_and_punctuation_do_not_count(one, other):
    assert written_key(one) == written_key(other)


def test_vowels_that_are_marks_count():
    assert written_key("ทีม") != written_key("ทม")


@pytest.mark.req("LS-11", "DM-42")
@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "de",
            "Vollständiger Name;Benutzertyp;E-Mail-Adresse\nAnn;Ärztin;ann@a.example\nBen;MITARBEITER;b@a.example\n",
        ),
        ("tr", "Ad soyad;Kullanıcı türü;E-posta;Ekip\nAnn;DİŞ HEKİMİ;ann@a.example;\nBen;çalışan;b@a.example;\n"),
        ("ja", "氏名;職種;メールアドレス;部署\nAnn;歯科医師;ann@a.example;\nBen;スタッフ;b@a.example;\n"),
        ("de", "Name;Type;Email\nAnn;doctor;ann@a.example\nBen;STAFF;b@a.example\n"),
    ],
)
@pytest.mark.usefixtures("catalogs")
@pytest.mark.parametrize("catalogs", ["shipped"], indirect=True)
def test_a_file_with_the_words_of_its_reader_is_understood_without_a_question(
    admin_client, upstream, bodies, language, text
):
    upstream.has_clinic()
    upload(admin_client, f"{USERS}/import?lng={TAGS[language]}", text)
    assert [(user["userType"], user["email"]) for user in bodies[0]] == [
        ("DOCTOR", "ann@a.example"),
        ("STAFF", "b@a.example"),
    ]
