"""Line breaks in long addresses."""

import pytest

from console.l10n.line_breaks import breakable


@pytest.mark.parametrize(
    ("address", "html"),
    [
        ("admin@demo.example", "admin@<wbr>demo<wbr>.example"),
        ("https://demo.example/usage/o-1", "https://<wbr>demo<wbr>.example/<wbr>usage/<wbr>o-1"),
        ("<a&b>@x", "&lt;a&amp;b&gt;@<wbr>x"),
        ("–", "–"),
    ],
)
def test_an_address_breaks_at_its_parts(address, html):
    assert breakable(address) == html
