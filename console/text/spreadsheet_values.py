"""What a spreadsheet program shows where a cell does not hold its value: an error, or a number that it shortened."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from console.characters import normalized
from console.text.bidi import isolated

_FETCHING = (
    "GETTING_DATA|DATEN_ABRUFEN|OBTENTION_DONNEES|CHARGEMENT_DONNEES|OBTENIENDO_DATOS|OBTENDO_DADOS|ESTRAZIONE_DATI"
    "|GEGEVENS_OPHALEN|HÄMTAR_DATA|POBIERANIE_DANYCH|ПОЛУЧЕНИЕ_ДАННЫХ|VERİ_ALINIYOR|NENÍ_K_DISPOZICI"
)
_ERROR = re.compile(r"#[¡¿]?[^\W\d_][\w./]{1,24}[!?]")
"""As in #REF!, #¡VALOR!, #ИМЯ? and #ΔΙΑΙΡ./0!, in capitals and in the language of the program."""
_NO_VALUE = re.compile(
    rf"#(?:[^\W\d_]{{1,2}}/[^\W\d_]{{1,2}}|NV|YOK|HIÁNYZIK|{_FETCHING}|#+)|ERR:\d{{3}}", re.IGNORECASE
)
"""As in #N/A and #Н/Д, where it is a word, in a column that is too narrow, and in LibreOffice."""
_SHORTENED = re.compile(r"[+-]?\d{1,3}(?:[.,٫]\d+E[+-]?\d{1,3}|E\+\d{1,3})", re.IGNORECASE)
"""As in 1.23E+11 and 1,23457E+11. "12E-45" may be a serial number."""


def refuse_spreadsheet_faults(text: str) -> None:
    """Raise ValidationError for an error or a shortened number, as a file or pasted cells may hold it."""
    written = normalized("NFKC", text).strip().replace("\N{MINUS SIGN}", "-")
    value = {"value": isolated(text.strip())}
    if (written.isupper() and _ERROR.fullmatch(written)) or _NO_VALUE.fullmatch(written):
        # Translators: %(value)s: such as #N/A or #REF!
        message = _("“%(value)s” is a spreadsheet error. Enter the actual value.")
        raise ValidationError(message % value, code="cell")
    if _SHORTENED.fullmatch(written):
        # Translators: %(value)s: such as 1.23E+11.
        message = _("“%(value)s” was shortened by a spreadsheet app. Enter all digits.")
        raise ValidationError(message % value, code="cell")
