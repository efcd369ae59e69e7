"""Links as pages and JSON answers have them."""

import msgspec


class Link(msgspec.Struct, frozen=True):
    label: str
    href: str
