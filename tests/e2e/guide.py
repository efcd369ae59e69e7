"""The commands of docs/operations/, exactly as written, for tests that execute them."""

import re

from console.ops.demo import ROOT

GUIDES = sorted((ROOT / "docs" / "operations").glob("*.md"))


def section(title: str) -> list[str]:
    """Return the commands below a heading; the first one may set values that the operator has to fill in."""
    text = "\n".join(path.read_text("utf-8") for path in GUIDES)
    pattern = rf"^#+ {re.escape(title)}\n(?:(?!#|```)[^\n]*\n)*```sh\n(.*?)^```$"
    (block,) = re.findall(pattern, text, re.MULTILINE | re.DOTALL)
    return re.findall(r"^.*<< EOF\n(?:.*\n)*?EOF$|^.+$", block, re.MULTILINE)
