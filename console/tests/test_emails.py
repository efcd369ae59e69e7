"""An address has one form in which it is shown, one in which it is sent, and one in which it is compared."""

import pytest
from django import forms

from console.forms.fields import EmailField, is_email
from tests.support.cost import is_linear
from upstream.emails import cleaned_email, email_key, readable_email, sent_email


@pytest.mark.req("VA-34")
@pytest.mark.parametrize(
    ("readable", "sent"),
    [
        ("kim@bücher.example", "kim@xn--bcher-kva.example"),
        ("김@병원.example", "김@xn--om3bw6p.example"),
        ("kim@straße.example", "kim@xn--strae-oqa.example"),
        ("kim@نامه‌ای.example", "kim@xn--mgba3gch31f060k.example"),
        ("Kim@Clinic.example", "Kim@Clinic.example"),
        ("kim@xn--zz.example", "kim@xn--zz.example"),
        ("kim@a_b.example", "kim@a_b.example"),
        ("xn--bcher-kva", "xn--bcher-kva"),
        ("Müller", "Müller"),
    ],
)
def test_a_domain_is_shown_as_people_write_it_and_sent_as_the_dns_has_it(readable, sent):
    assert sent_email(readable) == sent
    assert readable_email(sent) == readable
    assert cleaned_email(sent) == cleaned_email(readable) == readable


@pytest.mark.req("VA-34")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kim@bücher.example", "KIM@xn--bcher-kva.example"),
        ("kim@BÜCHER.example", "kim@xn--BCHER-KVA.Example"),
        ("kim@bu\u0308cher.example", "kim@bücher.example"),
        ("ada9@clinic.example\u200b", "ada9@clinic.example"),
        ("\u202aada@clinic.example\u202c", "Ada@clinic.example"),
        ("ada@clin\u00adic.example", "ada@clinic.example"),
        ("\u3000ada@clinic.example\u3164", "ada@clinic.example"),
        ("ａｄａ＠ｃｌｉｎｉｃ．ｅｘａｍｐｌｅ", "ada@clinic.example"),
        ("ada@clinic。example", "ada@clinic.example"),
        ("a\ufe0fda@clinic.example", "ada@clinic.example"),
    ],
)
def test_all_spellings_of_an_address_are_one(one, other):
    assert email_key(one) == email_key(other)
    assert is_email(one)


@pytest.mark.req("VA-34")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("straße@clinic.example", "strasse@clinic.example"),
        ("kim@straße.example", "kim@strasse.example"),
        ("İ@clinic.example", "i\u0307@clinic.example"),
        ("ﬁn@clinic.example", "fin@clinic.example"),
        ("adа@clinic.example", "ada@clinic.example"),
    ],
)
def test_different_addresses_are_not_one(one, other):
    assert email_key(one) != email_key(other)


@pytest.mark.req("VA-34")
@pytest.mark.parametrize(
    "text",
    ["kim@💩.example", "kim@clinic.example！", "kim@" + "ü" * 70 + ".example", "kim@a_b.bücher.example", "kim@ü..de"],
)
def test_a_domain_that_can_not_be_is_no_email(text):
    assert not is_email(text)


@pytest.mark.req("SEC-03")
@pytest.mark.parametrize("run", ["ü", "xn--", "ü.", "@ü", "。", "\u0301\u0323", "ａ"])
def test_an_address_costs_what_the_text_is_long(run):
    assert is_linear(email_key, lambda length: "a@" + run * (length // len(run)))
    assert is_linear(readable_email, lambda length: "a@xn--" + run * (length // len(run)))


@pytest.mark.req("ER-36")
def test_a_domain_is_shown_again_as_it_was_typed_or_readable_when_a_browser_encoded_it():
    class Account(forms.Form):
        email = EmailField(label="Email")

    for sent, expected in {"ADA@İ.example": "ADA@İ.example", "kim@xn--bcher-kva.example": "kim@bücher.example"}.items():
        assert Account({"email": sent})["email"].value() == expected
