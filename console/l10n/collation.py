"""The order of names in each language. `manage.py orders` generates it with Node, which has Unicode's collation."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from django.utils.translation import get_language

Kind: TypeAlias = Literal["countries", "languages", "zones"]

FILE = Path(__file__).with_name("collation.json")


def in_order(kind: Kind, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Sort names in the reader's language. A regional tag sorts with its language; unknown codes come last."""
    codes = f" {orders()[kind].get(get_language() or 'en', '')} "

    def sort_key(one: tuple[str, str]) -> tuple[int, str]:
        code, name = one
        index = codes.find(f" {code} ")
        if index < 0:
            index = codes.find(f" {code.partition('-')[0]} ")
        return (len(codes) if index < 0 else index, name)

    return sorted(names.items(), key=sort_key)


@lru_cache(maxsize=1)
def orders() -> dict[str, dict[str, str]]:
    """Return the ordered codes by kind and by Django's language code."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, dict[str, str]])
