"""The translators' site: access, pages, and edits."""

import html
import re
import shutil

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from console.i18n import edits, po
from console.i18n.languages import DEFAULT, TABLE
from console.models import Attempt, Edit, Translator, TranslatorLogin
from tests.support.catalogs import clear_catalogs
from tests.support.page import Page
from translations import saving, texts
from translations.text_pages import PAGES, get_page

NAME, PASSWORD = "Mara", "A long password 1"
GERMAN = next(language for language in TABLE if language.tag == "de-DE")
ARABIC = next(language for language in TABLE if language.tag == "ar-EG")
DE = "/translate/de-DE/"


pytestmark = [
    pytest.mark.usefixtures("live_catalogs"),
    pytest.mark.sql,
    pytest.mark.req("SEC-100", "SEC-101", "SEC-103", "SEC-104"),
]


@pytest.fixture
def add(monkeypatch, db):
    def go(name=NAME, languages="", password=PASSWORD):
        monkeypatch.setattr("sys.stdin", type("In", (), {"isatty": lambda _: False, "readline": lambda _: password})())
        call_command("translator", "add", name, languages=languages)
        return Translator.objects.get(name=name)

    return go


@pytest.fixture
def log_in(add):
    def go(name=NAME, **options):
        add(name, **options)
        client = Client()
        answer = client.post("/translate/login", {"name": name, "password": PASSWORD})
        assert answer.status_code == 303
        return client

    return go


@pytest.fixture
def translator(log_in):
    return log_in()


def entry(text, language=GERMAN, context=None):
    return next(e for e in texts.get_entries(language) if (e.msgid, e.msgctxt) == (text, context))


def form_data(message, *forms, language=GERMAN, digest=None):
    return {
        f"seen-{message.name}": digest or saving.get_digest(texts.get_forms(message)),
        **{f"text-{message.name}-{number}": form for number, form in enumerate(forms)},
    }


def is_visible(client, text):
    return re.search(rf"<h1[^>]*>\s*{re.escape(text)}", client.get("/login?lng=de-DE").content.decode()) is not None


# Access


def test_the_site_requires_a_translators_account(client, admin_client, db):
    for page in ("/translate/", DE, f"{DE}gone", "/translate/password"):
        for visitor in (client, admin_client):
            answer = visitor.get(page)
            assert answer.status_code == 302
            assert answer.url.startswith("/translate/login?next=%2Ftranslate%2F")


def test_a_translator_has_no_rights_in_the_console(translator):
    assert translator.get("/user-manage/clinic").url.startswith("/login")
    cookie = translator.cookies["translate"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/translate/", True, "Lax")
    assert (cookie["max-age"], cookie["expires"]) == ("", ""), "until the browser is closed"


def test_a_wrong_name_and_a_wrong_password_have_the_same_message_and_throttle(client, add):
    add()
    answers = [client.post("/translate/login", {"name": n, "password": "wrong"}) for n in (NAME, "nobody")]
    alerts = [re.findall(r'role="alert"[^$]*?</h2>|role="alert".*', a.content.decode())[0][:80] for a in answers]
    assert [a.status_code for a in answers] == [422, 422]
    assert alerts[0] == alerts[1]
    for _ in range(5):
        last = client.post("/translate/login", {"name": NAME, "password": "wrong"})
    assert last.status_code == 429
    assert client.post("/translate/login", {"name": NAME, "password": PASSWORD}).status_code == 429


def test_the_current_password_cannot_be_guessed_in_the_form_for_another_one(translator):
    guesses = [{"current": f"guess {n}", "new": "Another password 2"} for n in range(6)]
    answers = [translator.post("/translate/password", guess) for guess in guesses]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429]
    assert "Too many requests" in answers[-1].content.decode()
    right = {"current": PASSWORD, "new": "Another password 2"}
    assert translator.post("/translate/password", right).status_code == 429
    Attempt.objects.all().delete()
    assert translator.post("/translate/password", right).status_code == 303


@pytest.mark.parametrize("goto", ["https://evil.example/translate/", "//evil.example", "/user-manage/clinic", "/\\e"])
def test_a_login_redirects_only_within_this_site(add, client, goto):
    add()
    answer = client.post("/translate/login", {"name": NAME, "password": PASSWORD, "next": goto})
    assert answer.url == "/translate/"


def test_an_empty_field_says_what_to_enter(client, translator):
    login = Page.from_response(client.post("/translate/login", {"name": ""}))
    assert login.errors == {"name": "Enter translator's name", "password": "Enter password"}
    password = Page.from_response(translator.post("/translate/password", {"current": ""}))
    assert password.errors == {"current": "Enter current password", "new": "Enter new password"}


def test_a_logout_ends_the_login_on_the_server(translator):
    cookie = translator.cookies["translate"].value
    translator.post("/translate/logout")
    translator.cookies["translate"] = cookie
    assert translator.get("/translate/").status_code == 302
    assert not TranslatorLogin.objects.exists()


def test_a_disabled_translator_is_logged_out_at_once(translator):
    call_command("translator", "disable", NAME)
    assert translator.get("/translate/").status_code == 302
    assert Client().post("/translate/login", {"name": NAME, "password": PASSWORD}).status_code == 422


def test_a_translator_who_is_added_again_has_a_new_password_no_login_and_the_previous_languages(log_in, add):
    client = log_in(languages="de")
    assert client.get(DE).status_code == 200
    assert add(password="Another-Password-1").languages == "de-DE"
    assert client.get(DE).status_code == 302


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"name": "Ma\x01ra"}, "1 to 64 characters"),
        ({"name": " "}, "1 to 64 characters"),
        ({"password": "short"}, "12 to 200 characters"),
        ({"password": "p" * 201}, "12 to 200 characters"),  # the page of the login takes no more
        ({"languages": "xx"}, "none of the languages"),
    ],
)
def test_an_account_that_could_not_log_in_is_refused(add, odd, why):
    with pytest.raises(CommandError, match=why):
        add(**odd)
    assert not Translator.objects.exists()


def test_a_language_can_be_named_only_once(add):
    assert add(languages=" ,ko,,ko-KR").languages == "ko-KR"


def test_a_password_is_changed_with_the_current_one_and_ends_the_other_logins(translator):
    other = Client()
    other.post("/translate/login", {"name": NAME, "password": PASSWORD})
    for values in ({"current": "wrong", "new": "Another password 2"}, {"current": PASSWORD, "new": "short"}):
        assert translator.post("/translate/password", values).status_code == 422
    answer = translator.post("/translate/password", {"current": PASSWORD, "new": "Another password 2"})
    assert answer.status_code == 303
    assert translator.get("/translate/").status_code == 200
    assert other.get("/translate/").status_code == 302
    assert Client().post("/translate/login", {"name": NAME, "password": PASSWORD}).status_code == 422


def test_languages_of_other_translators_are_a_404(log_in):
    client = log_in(languages="ko,fr-FR")
    page = client.get("/translate/").content.decode()
    assert "/translate/ko-KR/" in page
    assert DE not in page
    message = entry("Save")
    for path in (DE, f"{DE}gone", f"{DE}texts/{message.name}"):
        assert client.get(path).status_code == 404
    assert client.post(DE, form_data(message, "Sichern")).status_code == 404
    assert not Edit.objects.exists()


def test_a_form_needs_its_token(log_in):
    log_in()
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/translate/login", {"name": NAME, "password": PASSWORD}).status_code == 403


def test_a_disabled_site_is_a_404(translator, settings):
    settings.TRANSLATE_ENABLED = False
    assert {translator.get(page).status_code for page in ("/translate/", DE, "/translate/login", "/rosetta/")} == {404}


def test_the_address_of_rosetta_redirects_to_the_site(client, translator):
    answer = client.get("/rosetta/")
    assert (answer.status_code, answer.url) == (302, "/translate/")
    assert client.get("/rosetta/", follow=True).redirect_chain[-1][0].startswith("/translate/login")
    assert translator.get("/rosetta/", follow=True).redirect_chain == [("/translate/", 302)]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "languages"), [("Mara", "xx"), ("", "ko"), ("M" * 65, "")])
def test_an_invalid_account_is_refused(add, name, languages):
    with pytest.raises(CommandError):
        add(name, languages)


def test_a_short_password_is_refused(add):
    with pytest.raises(CommandError):
        add(password="short")


# Pages


def test_the_first_page_shows_the_progress_of_each_language(translator):
    page = translator.get("/translate/").content.decode()
    assert page.count('scope="row"') == len(TABLE)
    german, english = texts.progress([GERMAN, DEFAULT])
    assert german.translated == sum(all(texts.get_forms(message)) for message in texts.shipped(GERMAN))
    assert english.translated == english.total == german.total


def test_texts_are_searched_filtered_and_paged(translator):
    assert translator.get(DE).content.decode().count("<textarea") >= 25
    page = translator.get(f"{DE}?query=Keep+me+logged+in").content.decode()
    assert page.count("<textarea") == 1
    assert 'lang="de-DE"' in page
    untranslated = sum(not all(texts.get_forms(message)) for message in texts.shipped(GERMAN))
    page = translator.get(f"{DE}?show=untranslated").content.decode()
    assert page.count('class="card translate-text"') == min(untranslated, 25)
    assert translator.get(f"{DE}?query=Keep&page=9999999999").status_code == 200
    assert translator.get(f"{DE}?query=%00&show=x&page=x").status_code == 200


def test_arabic_is_written_from_right_to_left(translator):
    page = translator.get("/translate/ar-EG/?query=Keep+me+logged+in").content.decode()
    assert re.search(r'<textarea[^>]*\slang="ar-EG" dir="rtl"', page)


def test_each_text_links_to_a_page_that_shows_it(client, db):
    file_paths = {file_path for message in texts.shipped(GERMAN) for file_path, _ in message.occurrences}
    assert {file_path for file_path in file_paths if not get_page(file_path)} == set()
    assert {page for page in PAGES.values() if client.get(page).status_code == 404 and page != "/404"} == set()


# Edits


def test_an_edit_is_in_the_next_page_and_in_the_texts_of_islands(translator, client):
    save, close = entry("Log in"), entry("Close")
    answer = translator.post(DE, {**form_data(save, "Hereinspaziert"), **form_data(close, "Zumachen")})
    assert answer.status_code == 303
    page = client.get("/login?lng=de-DE").content.decode()
    assert "Hereinspaziert" in page
    (address,) = re.findall(r'data-i18n="([^"]+)"', page)
    assert client.get(address).headers["Cache-Control"].endswith("immutable")
    assert Edit.objects.count() == 2


def test_an_unchanged_text_is_no_edit(translator):
    message = entry("Log in")
    translator.post(DE, form_data(message, *texts.get_forms(message)))
    assert not Edit.objects.exists()


def test_line_ends_of_browsers_are_repaired(translator):
    message = entry("Log in")
    translator.post(DE, form_data(message, "Anmelden\r\n"))
    assert not Edit.objects.exists()


@pytest.mark.parametrize(
    "text",
    [
        "Noch %(zahl)s",
        "Noch",
        "Noch %(count)s <b>",
        "Noch %(count)s 5 %",
        "$t(x) %(count)s",
        " %(count)s",
        "%(count)s\x07",
    ],
)
def test_a_text_that_would_break_a_page_is_kept_with_the_reason_and_not_published(translator, text):
    message = entry("Resend in %(seconds)s sec")
    text = text.replace("count", "seconds")
    answer = translator.post(f"{DE}?query=Send+again+in", form_data(message, text))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in page
    assert "field-error" in page
    translator.post(DE, form_data(message, text))  # once more is no second one
    (stored,) = Edit.objects.all()
    assert (stored.state, stored.forms) == (Edit.State.ON_HOLD, [text])
    assert edits.edited_forms("de") == {}
    assert f"{DE}texts/{message.name}" in translator.get(f"{DE}?show=waiting").content.decode()


def test_a_plural_is_saved_as_a_whole_or_kept(translator):
    message = entry("%(count)s clinic")
    translator.post(DE, form_data(message, "%(count)s Praxis hier", "%(count)s Praxen hier"))
    assert edits.edited_forms("de")[None, "%(count)s clinic", "%(count)s clinics"] == [
        "%(count)s Praxis hier",
        "%(count)s Praxen hier",
    ]
    message = entry("%(count)s clinic")
    assert translator.post(DE, form_data(message, "%(count)s Praxis", "")).status_code == 422


def test_concurrent_changes_of_a_text_are_both_kept_and_the_second_translator_sees_the_first(log_in):
    first, second = log_in("Mara"), log_in("Ola")
    message = entry("Log in")
    digest = saving.get_digest(texts.get_forms(message))
    assert first.post(DE, form_data(message, "Von Mara", digest=digest)).status_code == 303
    answer = second.post(f"{DE}?query=Log+in", form_data(message, "Von Ola", digest=digest))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Von Mara" in page
    assert "Von Ola" in page
    assert [(e.author, e.state) for e in Edit.objects.order_by("id")] == [("Mara", "published"), ("Ola", "collided")]
    path = f"{DE}texts/{message.name}"
    waiting = Edit.objects.get(author="Ola")
    second.post(path, {"edit": waiting.pk, "act": "publish"})
    assert edits.edited_forms("de")[None, "Log in", ""] == ["Von Ola"]
    assert set(Edit.objects.values_list("author", "state")) == {
        ("Mara", "published"),
        ("Ola", "published"),
        ("Ola", "discarded"),
    }


def test_two_translators_who_write_the_same_do_not_collide(log_in):
    first, second = log_in("Mara"), log_in("Ola")
    message = entry("Log in")
    digest = saving.get_digest(texts.get_forms(message))
    assert {c.post(DE, form_data(message, "Gleich", digest=digest)).status_code for c in (first, second)} == {303}
    assert Edit.objects.count() == 1


def test_the_history_shows_each_change_and_reverts_it(translator, client):
    message = entry("Log in")
    former = texts.get_forms(message)[0]
    for text in ("Eins", "Zwei"):
        translator.post(DE, form_data(entry("Log in"), text))
    path = f"{DE}texts/{message.name}"
    page = translator.get(path).content.decode()
    assert all(text in page for text in (former, "Eins", "Zwei", NAME))
    oldest, newest = Edit.objects.order_by("id")
    translator.post(path, {"edit": newest.pk, "act": "take-back"})
    assert edits.edited_forms("de")[None, "Log in", ""] == ["Eins"]
    translator.post(path, {"edit": oldest.pk, "act": "take-back"})
    assert edits.edited_forms("de") == {}
    assert former in client.get("/login?lng=de-DE").content.decode()


def test_an_edit_of_another_text_or_none_is_a_404(translator):
    message, other = entry("Log in"), entry("Close")
    translator.post(DE, form_data(other, "Zu"))
    path = f"{DE}texts/{message.name}"
    for number in (Edit.objects.get().pk, "", "x", "9" * 30):
        assert translator.post(path, {"edit": number, "act": "take-back"}).status_code == 404
    assert translator.get(f"{DE}texts/none").status_code == 404


def test_an_edit_of_a_removed_text_stays_as_a_suggestion(translator):
    Edit.objects.create(
        code="de",
        message="x" * 64,
        text="Long gone",
        forms=["Längst weg"],
        former=["Weg"],
        author="Ola",
        state="published",
    )
    assert "Längst weg" in translator.get(f"{DE}gone").content.decode()


@pytest.mark.req("SEC-106")
def test_texts_sent_after_the_logins_end_stay_in_the_page_and_are_saved_after_another_login(add):
    add()
    client = Client(enforce_csrf_checks=True)
    headers = {"Origin": "http://testserver"}

    def token(page):
        return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())[0]

    def log_in():
        page = client.get("/translate/login")
        form = {"name": NAME, "password": PASSWORD, "csrfmiddlewaretoken": token(page)}
        assert client.post("/translate/login", form, headers=headers).status_code == 303

    log_in()
    sent = {**form_data(entry("Log in"), "Getippt & neu"), "csrfmiddlewaretoken": token(client.get(DE))}
    TranslatorLogin.objects.all().delete()
    answer = client.post(DE, sent, headers=headers)
    assert answer.status_code == 401
    page = answer.content.decode()
    assert "/translate/login" in page
    log_in()  # in another tab
    stored = {
        name: html.unescape(text) for name, text in re.findall(r'<textarea name="([^"]+)" hidden>\n([^<]*)<', page)
    }
    assert client.post(DE, {**stored, "csrfmiddlewaretoken": token(answer)}, headers=headers).status_code == 303
    assert is_visible(client, "Getippt &amp; neu")


@pytest.mark.req("SEC-106")
def test_a_password_sent_after_the_logins_end_is_in_no_page(translator):
    TranslatorLogin.objects.all().delete()
    answer = translator.post("/translate/password", {"current": PASSWORD, "new": "Another password 2"})
    assert answer.status_code == 401
    assert PASSWORD not in answer.content.decode()


def test_a_missing_field_does_not_empty_a_text(translator):
    message = entry("Log in")
    assert translator.post(DE, {f"seen-{message.name}": saving.get_digest(texts.get_forms(message))}).status_code == 303
    assert not Edit.objects.exists()


def test_a_long_text_is_kept_whole_and_not_published(translator):
    text = "Anmelden " * 1000 + "!"
    answer = translator.post(DE, form_data(entry("Log in"), text))
    assert answer.status_code == 422
    assert "You can enter up to 230 characters." in answer.content.decode()
    assert [(edit.state, edit.forms) for edit in Edit.objects.all()] == [("kept", [text])]


def test_refused_texts_are_in_the_page_even_if_the_search_no_longer_finds_them(log_in):
    mara, ola = log_in("Mara"), log_in("Ola")
    message = entry("Log in")
    digest = saving.get_digest(texts.get_forms(message))
    mara.post(DE, form_data(message, "Von Mara", digest=digest))
    answer = ola.post(f"{DE}?query={texts.get_forms(message)[0]}", form_data(message, "Von Ola", digest=digest))
    assert answer.status_code == 422
    assert "Von Ola" in answer.content.decode()
    assert "Von Mara" in answer.content.decode()


def test_a_text_with_only_a_suggestion_is_among_the_untranslated(translator, settings, deployed, tmp_path):
    shutil.copytree(deployed, tmp_path / "live")
    settings.LIVE_CATALOGS = tmp_path / "live"
    path = po.catalog_path(tmp_path / "live", "de")
    catalog = po.read(path)
    po.by_key(catalog)[None, "Log in", ""].flags.append("fuzzy")
    po.write(path, po.serialize(catalog))
    po.write(path.with_suffix(".mo"), po.compiled(catalog))

    page = translator.get(f"{DE}?show=untranslated&query=Log in").content.decode()

    assert f"/texts/{entry('Log in').name}" in page


@pytest.mark.parametrize("code", ["de", "en"])
@pytest.mark.parametrize("damage", [lambda raw: raw[: len(raw) // 2] + b"\xff\xfe", lambda raw: b"\xff\xfe" + raw])
@pytest.mark.parametrize("suffix", ["po", "mo"])
def test_a_damaged_catalog_breaks_no_page(translator, settings, deployed, tmp_path, code, damage, suffix, caplog):
    shutil.copytree(deployed, tmp_path / "live")
    settings.LIVE_CATALOGS = tmp_path / "live"
    path = po.catalog_path(tmp_path / "live", code, suffix)
    path.write_bytes(damage(path.read_bytes()))
    clear_catalogs()
    caplog.clear()
    for page in ("/translate/", DE, f"{DE}gone", "/translate/ko-KR/"):
        assert translator.get(page).status_code == 200
    assert f"A catalog can't be read: {code}" in caplog.text
    assert "Anmelden" in translator.get(f"{DE}?query=Log in").content.decode()
