"""Only plain web addresses become links."""

import pytest

from partners.addresses import safe_url

HOSTILE = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "javascript://lab.example/%0aalert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD4=",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "ftp://lab.example/",
    "ws://lab.example/",
    "blob:https://lab.example/1",
    "about:blank",
    "view-source:https://lab.example/",
    "intent://lab.example/#Intent;end",
    "mailto:someone@lab.example",
    "tel:+15550100",
    "//lab.example/",
    "/\\lab.example/",
    "\\\\lab.example\\share",
    "https:lab.example",
    "https:/lab.example",
    "https:\\\\lab.example",
    "https://lab.example\\@evil.example/",
    "https://user@lab.example/",
    "https://bank.example:secret@evil.example/",
    "https://bank.example%2f@evil.example/",
    "https://127.0.0.1/",
    "http://[::1]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://localhost:8000/",
    "https://lab/",
    "https://lab.example./",
    "https://аpple.com/",
    "https://ex\u200bample.com/",
    "https://lab.example/\u202egnp.exe",
    "https://lab。example/",
    "https://ⓔxample.com/",
    "https://lab.example/\r\nSet-Cookie: a=b",
    "https://lab.example\x00.evil.example/",
    "https://lab_.example/",
    "https://-lab.example/",
    'https://lab.example/" onmouseover="alert(1)',
    "https://lab.example/<script>",
    "https://lab.example/a b",
    "https://" + "a." * 130 + "example/",
    "https://lab.example/" + "a" * 2000,
    "https://",
    "",
)


@pytest.mark.req("EN-63")
@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_address_is_not_linked(text):
    assert safe_url(text) is None


def test_there_are_at_least_forty_hostile_addresses():
    assert len(set(HOSTILE)) >= 40


@pytest.mark.req("EN-63")
@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://crown.labs.example", "https://crown.labs.example"),
        (" http://Crown.Labs.example/ ", "http://Crown.Labs.example/"),
        ("HTTPS://crown.example:8443/a/b.html?x=1&y=%20#top", "HTTPS://crown.example:8443/a/b.html?x=1&y=%20#top"),
        ("https://xn--3e0b707e.example/", "https://xn--3e0b707e.example/"),
        ("https://crown.example/연구소", "https://crown.example/%EC%97%B0%EA%B5%AC%EC%86%8C"),
        ("https://crown.example?lang=ko", "https://crown.example?lang=ko"),
    ],
)
def test_a_web_address_is_linked(text, link):
    assert safe_url(text) == link
