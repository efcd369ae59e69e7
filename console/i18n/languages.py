"""The table of languages, from which everything else about them derives; settings import it, so it can't use Django."""

from typing import NamedTuple

# These follow CLDR for integers. Django's own headers are not used: the Turkish one contradicts Intl.PluralRules,
# and the Arabic, Czech, Polish and Russian ones have different forms or a different order.
_ONE = "nplurals=1; plural=0;"
_TWO = "nplurals=2; plural=(n != 1);"
_TWO_WITH_ZERO = "nplurals=2; plural=(n > 1);"
_RUSSIAN = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
_POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
_CZECH = "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);"
_ROMANIAN = "nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>=1 && n%100<=19) ? 1 : 2);"
_ARABIC = (
    "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 && n%100<=99 ? 4 : 5);"
)


class Language(NamedTuple):
    """A language: its BCP 47 `tag`, its `code` in Django, and its name as its speakers write it."""

    tag: str
    code: str
    name: str
    plural_forms: str


TABLE = (
    Language("en-US", "en", "English", _TWO),
    Language("ko-KR", "ko", "한국어", _ONE),
    Language("fr-FR", "fr", "Français", _TWO_WITH_ZERO),
    Language("zh-CN", "zh-hans", "简体中文", _ONE),
    Language("it-IT", "it", "Italiano", _TWO),
    Language("zh-TW", "zh-hant", "繁體中文", _ONE),
    Language("ja-JP", "ja", "日本語", _ONE),
    Language("es-ES", "es", "Español", _TWO),
    Language("de-DE", "de", "Deutsch", _TWO),
    Language("ru-RU", "ru", "Русский", _RUSSIAN),
    Language("pt-BR", "pt-br", "Português (Brasil)", _TWO_WITH_ZERO),
    Language("ro-RO", "ro", "Română", _ROMANIAN),
    Language("el-GR", "el", "Ελληνικά", _TWO),
    Language("tr-TR", "tr", "Türkçe", _TWO),
    Language("cs-CZ", "cs", "Čeština", _CZECH),
    Language("pl-PL", "pl", "Polski", _POLISH),
    Language("ar-EG", "ar", "العربية", _ARABIC),
    Language("sv-SE", "sv", "Svenska", _TWO),
    Language("nl-NL", "nl", "Nederlands", _TWO),
    Language("th-TH", "th", "ไทย", _ONE),
    Language("vi-VN", "vi", "Tiếng Việt", _ONE),
)

CODES = {language.tag: language.code for language in TABLE}
TAGS = {language.code: language.tag for language in TABLE}
LANGUAGES = [(language.code, language.name) for language in TABLE]  # the setting of that name
DEFAULT = TABLE[0]
