"""Refuse texts that a spreadsheet program shows instead of a cell's value: errors and shortened numbers."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from console.l10n.bidi import isolated
from upstream.characters import folded, normalized

_FETCHING = (
    "GETTING_DATA|DATEN_ABRUFEN|OBTENTION_DONNEES|CHARGEMENT_DONNEES|OBTENIENDO_DATOS|OBTENDO_DADOS|ESTRAZIONE_DATI"
    "|GEGEVENS_OPHALEN|HÄMTAR_DATA|POBIERANIE_DANYCH|ПОЛУЧЕНИЕ_ДАННЫХ|VERİ_ALINIYOR|NENÍ_K_DISPOZICI"
)
_NAMES = normalized(
    "NFKC",
    "NULL|DIV/0|VALUE|REF|NAME|NUM|SPILL|ERROR|WERT|BEZUG|ZAHL|ÜBERLAUF|NUL|VALEUR|NOM|NOMBRE|PROPAGATION|VALOR|NÚM"
    "|NULO|RIF|VALORE|NOME|WAARDE|VERW|DEEL/0|NAAM|GETAL|SAKNAS|VÄRDEFEL|REFERENS|NAMN|OGILTIGT|DIVISION/0|ADR|ARG"
    "|DZIEL/0|NAZWA|LICZBA|ODKAZ|HODNOTA|DĚLENÍ_NULOU|NÁZEV|ČÍSLO|ССЫЛКА|ИМЯ|ДЕЛ/0|ЗНАЧ|ЧИСЛО|ПУСТО|BAŞV|SAYI/0"
    "|DEĞER|ΔΙΑΙΡ./0|ΑΝΑΦ|ΤΙΜΗ|ΟΝΟΜΑ|ΑΡΙΘ|ΚΕΝΟ|VALOARE",
)
_ERROR = re.compile(rf"#(?:[¡¿]?[^\W\d_][\w./]{{0,24}}[!?]|{_NAMES})")
"""Errors such as #REF!, #¡VALOR!, #ИМЯ?, #값! and #ΔΙΑΙΡ./0!, in the language of the app and without small letters.

Without the last mark, only known names are errors.
"""
_WORDS = normalized(
    "NFKC",
    "ERR|ERRO|ERROR|ERREUR|ERRORE|EROARE|FEHLER|FOUT|FEL|BŁĄD|CHYBA|HATA|LỖI|ОШИБКА|ΣΦΆΛΜΑ|エラー|오류|错误|錯誤|خطأ"
    "|ข้อผิดพลาด",
)
_NO_VALUE = re.compile(
    rf"#(?:[^\W\d_]{{1,2}}/[^\W\d_]{{1,2}}|NV|YOK|HIÁNYZIK|{_FETCHING}|#+)|(?:{_WORDS}) ?: ?[3-9]\d\d", re.IGNORECASE
)
"""Errors such as #N/A and #Н/Д, also as words, in columns that are too narrow, and in LibreOffice (Err:502)."""
_SHORTENED = re.compile(r"[+-]?\d{1,3}(?:[.,٫]\d+E[+-]?\d{1,3}|E\+\d{1,3})", re.IGNORECASE)
"""Numbers such as 1.23E+11 and 1,23457E+11. "12E-45" may be a serial number."""


def refuse_spreadsheet_faults(text: str) -> None:
    """Raise ValidationError for an error or a shortened number, which a file or pasted cells may contain."""
    visible = folded(text)
    written = normalized("NFKC", visible).replace("\N{MINUS SIGN}", "-")
    value = {"value": isolated(visible)}
    if (written == written.upper() and _ERROR.fullmatch(written)) or _NO_VALUE.fullmatch(written):
        # Translators: %(value)s: such as #N/A or #REF!
        message = _("“%(value)s” is a spreadsheet error. Enter the actual value.")
        raise ValidationError(message % value, code="cell")
    if _SHORTENED.fullmatch(written):
        # Translators: %(value)s: such as 1.23E+11.
        message = _("“%(value)s” was shortened by a spreadsheet app. Enter all digits.")
        raise ValidationError(message % value, code="cell")
