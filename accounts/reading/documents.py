"""The operator's texts: terms, privacy, about; one file for each language.

A file `terms.de-DE.txt` in the folder `texts` of DATA_DIR starts with the lines `Version: …` and `Date: 2026-01-31` and
an empty line. Paragraphs follow, separated by empty lines. `# ` starts a heading, and lines with `- ` make a list. The
text is plain: it can't contain markup.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from django.conf import settings

from console.i18n.languages import DEFAULT

logger = logging.getLogger(__name__)

PLACEHOLDERS = Path(__file__).resolve().parents[1] / "texts"
"""Texts that say that the operator has provided none; they exist in English only."""


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph or a list."""

    kind: Literal["heading", "paragraph", "list"]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """One text in one language."""

    version: str
    written: datetime | None
    lng: str
    blocks: tuple[Block, ...]
    is_placeholder: bool


def document(name: str, lng: str) -> Document:
    """Return a text in this language, or else in English, or else its placeholder."""
    folder = settings.DATA_DIR / "texts"
    for tag in dict.fromkeys((lng, DEFAULT.tag)):
        if (text := _read(folder / f"{name}.{tag}.txt")) is not None:
            return _parse(text, tag, is_placeholder=False)
    return _parse((PLACEHOLDERS / f"{name}.txt").read_text("utf-8"), DEFAULT.tag, is_placeholder=True)


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        logger.exception("a text of the operator can't be read")
        return None


def _parse(text: str, lng: str, *, is_placeholder: bool) -> Document:
    head, _, body = text.replace("\r\n", "\n").strip().partition("\n\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (row.partition(":") for row in head.splitlines())
    }
    blocks = tuple(_block(part.strip()) for part in body.split("\n\n") if part.strip())
    return Document(headers.get("version", ""), _date(headers.get("date", "")), lng, blocks, is_placeholder)


def _block(text: str) -> Block:
    lines = text.splitlines()
    if text.startswith("# "):
        return Block("heading", (" ".join(lines).removeprefix("# "),))
    if all(line.startswith("- ") for line in lines):
        return Block("list", tuple(line.removeprefix("- ") for line in lines))
    return Block("paragraph", (" ".join(line.strip() for line in lines),))


def _date(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None
