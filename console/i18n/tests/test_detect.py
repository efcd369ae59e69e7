"""Language detection, and the headers of the response about it."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.translation import get_language

from console.i18n.detect import LanguageMiddleware, match
from console.i18n.languages import TABLE

TAGS = [language.tag for language in TABLE]


def answer(request: HttpRequest) -> HttpResponse:
    return LanguageMiddleware(lambda request: HttpResponse(get_language()))(request)


def ask(path: str = "/login", *, cookies: dict[str, str] | None = None, secure: bool = False, browser: str = ""):
    """Send a request through the middleware; return it and the response."""
    headers = {"Accept-Language": browser} if browser else {}
    request = RequestFactory(headers=headers).get(path, secure=secure)
    request.COOKIES.update(cookies or {})
    return request, answer(request)


@pytest.mark.req("LN-31")
@pytest.mark.parametrize("spell", [str, str.lower, str.upper, lambda tag: tag.replace("-", "_")])
@pytest.mark.parametrize("tag", TAGS)
def test_each_tag_is_recognized_in_any_spelling(tag, spell):
    assert match(spell(tag)) == tag


@pytest.mark.req("LN-31")
@pytest.mark.parametrize(
    ("raw", "tag"),
    [
        ("ko", "ko-KR"),
        ("zh", "zh-CN"),
        ("zh-SG", "zh-CN"),
        ("zh-HK", "zh-TW"),
        ("zh-MO", "zh-TW"),
        ("zh-Hant", "zh-TW"),
        ("zh-Hant-HK", "zh-TW"),
        ("pt", "pt-BR"),
        ("pt-PT", "pt-BR"),
        ("es-MX", "es-ES"),
        ("ar-DZ", "ar-EG"),
        ("de-AT", "de-DE"),
        ("en-GB", "en-US"),
        ("zh-CN-u-nu-latn", "zh-CN"),
        ("zh-Hant-HK-u-nu-latn-ca-gregory", "zh-TW"),
        ("ar_EG_u_nu_arab", "ar-EG"),
        ("de-x-mine", "de-DE"),
        ("de-t-en-u-hc-h23", "de-DE"),
    ],
)
def test_the_closest_language_is_chosen(raw, tag):
    assert match(raw) == tag


@pytest.mark.req("LN-31")
@pytest.mark.parametrize(
    "raw",
    [
        None,
        "",
        "xx",
        "xx-XX",
        "*",
        "a",
        "d" * 600,
        "de-" + "DE-" * 200,
        "de\r\nX: 1",
        '"><script>',
        "de'",
        "../de",
        "de-",
        "de-u",
        "de-u-",
        "de-u-<b>",
        "дэ",
        "de\x00",
        " de",
    ],
)
def test_a_value_that_is_not_one_of_our_languages_is_ignored(raw):
    assert match(raw) is None


@pytest.mark.req("LN-22", "LN-23", "LN-24", "LN-26", "LN-30")
@pytest.mark.parametrize(
    ("path", "cookies", "browser", "tag", "source"),
    [
        ("/?lng=ja-JP", {"i18next": "fr-FR", "lng-storage": "ko-KR"}, "it", "ja-JP", "query"),
        ("/", {"i18next": "fr-FR", "lng-storage": "ko-KR"}, "it", "fr-FR", "cookie"),
        ("/", {"lng-storage": "ko-KR"}, "it", "ko-KR", "storage"),
        ("/", {"lng-storage": "ko-KR.fr-FR"}, "it", "ko-KR", "storage"),
        ("/", {"lng-storage": "xx.ko-KR"}, "it", "ko-KR", "storage"),
        ("/", {"lng-storage": "xx.yy.ko-KR"}, "it", "it-IT", "browser"),
        ("/", {}, "it-CH, de;q=0.8", "it-IT", "browser"),
        ("/", {}, "xx, *;q=0.9, nl;q=0.5", "nl-NL", "browser"),
        ("/", {}, "de;q=0, nl;q=0.1", "nl-NL", "browser"),
        ("/", {}, "xx", "en-US", "default"),
        ("/", {}, "", "en-US", "default"),
        ("/?lng=xx", {"i18next": "%22", "lng-storage": "zz"}, "vi", "vi-VN", "browser"),
        ("/?lng=%22%3E%3Cscript%3E", {"i18next": "tr"}, "", "tr-TR", "cookie"),
    ],
)
def test_the_first_source_with_one_of_our_languages_decides(path, cookies, browser, tag, source):
    request, _ = ask(path, cookies=cookies, browser=browser)

    assert (request.lng, request.lng_source) == (tag, source)


@pytest.mark.req("AX-14", "LN-17")
def test_the_request_is_answered_in_its_language():
    request, response = ask("/?lng=ar-EG")

    assert response.content == b"ar"
    assert (request.LANGUAGE_CODE, request.lng_dir) == ("ar", "rtl")
    assert ask("/?lng=zh-TW")[0].lng_dir == "ltr"


def test_a_response_names_its_language_and_varies_on_its_sources():
    _, response = ask(cookies={"i18next": "ko"})

    assert response["Content-Language"] == "ko-KR"
    assert response["Vary"] == "Accept-Language, Cookie"
    assert not response.cookies


@pytest.mark.req("LN-30")
def test_a_choice_by_url_is_stored_if_scripts_do_not_run():
    _, response = ask("/?lng=cs", secure=True)

    cookie = response.cookies["lng-storage"]
    assert cookie.value == "cs-CZ"
    assert (cookie["samesite"], cookie["secure"], cookie["path"], cookie["max-age"]) == ("Lax", True, "/", 31536000)
    assert "i18next" not in response.cookies
    assert not ask("/?lng=cs")[1].cookies["lng-storage"]["secure"]


def test_a_choice_by_url_replaces_the_cookie_that_would_outrank_it():
    _, response = ask("/?lng=cs-CZ", cookies={"i18next": "de-DE"})

    assert response.cookies["i18next"].value == "cs-CZ"


def test_a_hostile_choice_is_not_stored_or_repeated():
    _, response = ask("/?lng=%0d%0aSet-Cookie:%20a=b")

    assert not response.cookies
    assert response["Content-Language"] == "en-US"


@pytest.mark.parametrize("path", ["/i18n/ko-KR/0.json", "/static/dist/a.js", "/healthz", "/readyz"])
def test_a_response_without_a_language_can_be_cached_publicly(path):
    ask("/?lng=de")  # the thread has served another user before

    _, response = ask(f"{path}?lng=ko", cookies={"i18next": "fr"})

    assert not response.has_header("Vary")
    assert not response.has_header("Content-Language")
    assert not response.cookies
    assert response.content == b"en"
