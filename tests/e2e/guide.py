"""The commands of docs/operations.md, as they stand there, for those who carry them out."""

import re

from console.ops.demo import ROOT

GUIDE = ROOT / "docs" / "operations.md"


def section(title: str) -> list[str]:
    """Return the commands of a section; the first one sets what is the operator's to fill in."""
    return _commands(_text(f"\n### {title}\n", "\n### "), title)


def below(sentence: str) -> list[str]:
    """Return the commands that stand below a sentence of "Backup and restore"."""
    text = _text("\n## Backup and restore\n", "\n## ").partition(f"{sentence}:\n\n")[2]
    assert text.startswith("    "), sentence
    return _commands(text, sentence)


def _text(start: str, end: str) -> str:
    return GUIDE.read_text("utf-8").partition(start)[2].partition(end)[0]


def _commands(text: str, title: str) -> list[str]:
    block = re.search(r"(?:^    .*\n)+", text, re.MULTILINE)
    assert block, title
    lines = re.sub(r"^    ", "", block[0], flags=re.MULTILINE)
    return re.findall(r"^.*<< EOF\n(?:.*\n)*?EOF$|^.+$", lines, re.MULTILINE)
