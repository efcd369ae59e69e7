"""Line breaks in long addresses."""

import re

from markupsafe import Markup, escape

_BREAKS = re.compile(r"(?<=[@/])(?!/)|(?=\.)")


def breakable(address: str) -> Markup:
    """Return an email address or a URL as HTML that breaks at its parts: after @ and slashes, and before dots."""
    return Markup("<wbr>").join(escape(part) for part in _BREAKS.split(address))
