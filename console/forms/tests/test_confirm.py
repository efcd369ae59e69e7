"""The questions and messages of an action: no translation breaks a page."""

import pytest

from console.forms.confirm import ActionMessages
from console.l10n.bidi import filled

NAMES = {"name": "Ada"}


@pytest.mark.req("SEC-102")
@pytest.mark.parametrize(
    "text", ["100 % wahr", "100 % sicher", "50% (fast)s", "%", "%%", "%d von %s", "%(", "100 %\u202f"]
)
def test_a_percent_sign_in_a_text_without_placeholders_is_only_a_sign(text):
    words = ActionMessages(title=text, button="B", done=text, failed="F", text=text)
    question = words.question(NAMES)
    assert (question.title, question.texts, words.texts(NAMES).done) == (text, [text], text)
    assert words.refusal(NAMES, []).title == text


@pytest.mark.req("SEC-102")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("%(name)s is gone", "Ada is gone"), ("100 %% of %(name)s", "100 % of Ada"), ("%(name)s", "Ada")],
)
def test_a_placeholder_is_filled(text, expected):
    assert filled(text, NAMES) == expected
