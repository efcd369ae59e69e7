"""The order of names in each language. `manage.py orders` makes it where Unicode's collation is: in Node."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from django.utils.translation import get_language

Kind: TypeAlias = Literal["countries", "languages", "zones"]

FILE = Path(__file__).with_name("orders.json")


def in_order(kind: Kind, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Sort names by their codes as the reader's language does. A tag stands with its language; what is unknown last."""
    places = _places(kind, get_language() or "en")

    def place(one: tuple[str, str]) -> tuple[int, str]:
        code, name = one
        found = places.get(code)
        return (places.get(code.partition("-")[0], len(places)) if found is None else found, name)

    return sorted(names.items(), key=place)


@lru_cache(maxsize=64)
def _places(kind: Kind, language: str) -> dict[str, int]:
    codes = orders()[kind].get(language, "").split()
    return {code: place for place, code in enumerate(codes)}


@lru_cache(maxsize=1)
def orders() -> dict[str, dict[str, str]]:
    """By kind and by language of Django: the codes, in order."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, dict[str, str]])
