"""Errors and shortened numbers of spreadsheet programs are refused; texts that only look similar are accepted."""

import pytest
from django import forms
from django.core.exceptions import ValidationError

from console.forms.fields import NameField, NoteField
from console.forms.spreadsheet_values import refuse_spreadsheet_faults

ENGLISH = "#N/A #NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #GETTING_DATA #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #n/a"
TRANSLATED_ERRORS = {
    "de": "#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF!",
    "fr": "#NUL! #VALEUR! #NOM? #NOMBRE! #PROPAGATION!",
    "es": "#N/D #¡REF! #¡VALOR! #¿NOMBRE? #¡DESBORDAMIENTO!",
    "it": "#RIF! #VALORE!",
    "pt-br": "#NÚM! #NULO!",
    "nl": "#N/B #WAARDE! #VERW! #DEEL/0!",
    "sv": "#SAKNAS! #VÄRDEFEL! #REFERENS!",
    "pl": "#ADR! #ARG! #DZIEL/0!",
    "cs": "#ODKAZ! #DĚLENÍ_NULOU! #NENÍ_K_DISPOZICI",
    "ru": "#Н/Д #ССЫЛКА! #ИМЯ? #ДЕЛ/0! #ЗНАЧ!",
    "tr": "#YOK #BAŞV! #SAYI/0! #DEĞER!",
    "el": "#Δ/Υ #ΔΙΑΙΡ./0! #ΑΝΑΦ!",
    "ro": "#VALOARE!",
    "ko": "#값! #이름? #참조! 오류:502",
    "LibreOffice": "Err:502 Err:508 Fehler:502 Erreur:509 Erro:504 Fout:502 Błąd:508 Ошибка:502 エラー:502 Lỗi:522",
    "without their marks": "#REF #VALUE #DIV/0 #WERT #BEZUG #ССЫЛКА #BAŞV #ΑΝΑΦ #NÚM",
    "other programs": "#ERROR! ### ######## ＃Ｎ／Ａ",
}
ERRORS = [*ENGLISH.split(), *" ".join(TRANSLATED_ERRORS.values()).split()]
SHORTENED = [
    *("1.23E+11", "1,23457E+11", "1.23456789012346e+19", "-1.2E+10", "1E+11", "1.5E10", "123.457E+09", "9.99E-05"),
    *("1\N{ARABIC DECIMAL SEPARATOR}2E+11", "１．２３Ｅ＋１１", "\N{MINUS SIGN}1.2E+10"),
]
FINE = [
    *(
        "#1",
        "#",
        "NV",
        "#1/2",
        "SN-12E45",
        "12E45",
        "12E-45",
        "1E11",
        "E+11",
        "1.23",
        "+82-10",
        "A1.2E+11",
        "1.23E+11x",
    ),
    *("#urgent!", "#Wow!", "N/A", "#lot_7", "#FOLLOW-UP", "#VIP", "#ref", "#name", "#급함", "Ref!"),
    *("Room:502", "Fehler: 12", "123456789012"),
]


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("text", [*ERRORS, f" {ERRORS[0]}\t", "Err : 502", "Erreur\xa0:502"])
def test_an_error_of_a_spreadsheet_is_refused(text):
    with pytest.raises(ValidationError, match="is a spreadsheet error"):
        refuse_spreadsheet_faults(text)


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("text", SHORTENED)
def test_a_number_that_was_shortened_is_refused(text):
    with pytest.raises(ValidationError, match="was shortened by a spreadsheet app"):
        refuse_spreadsheet_faults(text)


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("unseen", list("\u200b\u00ad\u2060\ufeff\u202e\U000e0061\u3164\u2800"))
@pytest.mark.parametrize(
    "field",
    [
        *(NameField(label="Name"), NoteField()),
        forms.CharField(validators=[refuse_spreadsheet_faults]),
    ],
)
def test_invisible_characters_hide_neither(field, unseen):
    for text in ("#N/A", "#REF!", "1.23457E+11"):
        for hidden in (unseen + text, text + unseen):
            with pytest.raises(ValidationError, match=r"by a spreadsheet app|is a spreadsheet error"):
                field.clean(hidden)


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("text", ["", *FINE, "see #REF! in the list"])
def test_a_text_that_only_looks_like_an_error_is_accepted(text):
    refuse_spreadsheet_faults(text)


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("field", [NameField(label="Name"), NoteField()])
@pytest.mark.parametrize("text", ["#BEZUG!", "1,23457E+11"])
def test_every_field_of_texts_refuses_them(field, text):
    with pytest.raises(ValidationError) as refused:
        field.clean(text)
    assert [error.code for error in refused.value.error_list] == ["cell"]
