"""Numbers are written in groups of digits, as the reader's language has them."""

import json
import subprocess

import pytest
from django.utils import translation

from console.i18n.languages import CODES
from console.l10n.numbers import ngettext, number_text, plain_number

NUMBERS = (0, 7, 999, 1_000, 9_999, 10_000, 123_456, 1_234_567)
BROWSER = """
const [tags, numbers] = JSON.parse(process.argv[1]);
const written = (tag) => numbers.map((n) => new Intl.NumberFormat(`${tag}-u-nu-latn`).format(n));
console.log(JSON.stringify(Object.fromEntries(tags.map((tag) => [tag, written(tag)]))));
"""


@pytest.mark.req("LN-32")
def test_the_server_writes_numbers_as_a_browser_does():
    """The number of selected rows is known, and so written, in the browser only."""
    numbers = json.dumps([list(CODES), NUMBERS])
    command = ["node", "--eval", BROWSER, numbers]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - of ours
    by_browser = json.loads(output)
    for tag, code in CODES.items():
        with translation.override(code):
            assert [number_text(n) for n in NUMBERS] == by_browser[tag], tag


def test_a_file_has_digits_only():
    for code in CODES.values():
        with translation.override(code):
            assert plain_number(number_text(1_234_567)) == "1234567"
    assert plain_number("") == ""


def test_a_text_for_many_has_its_number_and_keeps_its_other_placeholders():
    with translation.override("de"):
        assert ngettext("%(count)s row of %(name)s", "%(count)s rows of %(name)s", 1_200) == "1.200 rows of %(name)s"
