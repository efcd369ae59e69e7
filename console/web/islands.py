"""Typed props of the islands: one msgspec Struct for each; its JSON goes into the page, its schema into TypeScript.

A Struct that is the props of an island is registered with `@island("its-name")`; lists have no props, and register what
their addresses answer. Wire names stay snake_case, one spelling from Struct to screen.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from console.web.contributions import SearchHit
from console.web.links import Link

REGISTRY: dict[str, type[msgspec.Struct]] = {}
"""Island name -> its props. Filled when the apps' `islands` modules are imported."""

ANSWERS: dict[str, type[msgspec.Struct]] = {}
"""What addresses answer to behaviors, which are no islands, by name."""

S = TypeVar("S", bound=type[msgspec.Struct])


def island(name: str) -> Callable[[S], S]:
    """Register a Struct as the props of the island of this name (the folder below static_src/islands)."""

    def register(struct: S) -> S:
        REGISTRY[name] = struct
        return struct

    return register


class SearchGroup(msgspec.Struct, frozen=True):
    """What was found of one kind. `count` is how many there are where not all are among the `hits`; `more` leads to all
    of them, or reads again what `failed`."""

    name: str
    title: str
    hits: list[SearchHit]
    count: str = ""
    failed: str = ""
    more: Link | None = None


class SearchAnswer(msgspec.Struct, frozen=True):
    """What /search answers to `Accept: application/json`, as the `item`: what was found, and the sentences that say so.

    `label` is the field's, and `opened` the heading of what was opened last, which the tab knows of this `sender`;
    `unreachable` is what to say when there is no further answer.
    """

    sender: str
    label: str
    opened: str
    unreachable: str
    told: list[str]
    groups: list[SearchGroup]


ANSWERS["search"] = SearchAnswer


def encode(name: str, props: msgspec.Struct) -> str:
    """The JSON of an island's props, safe inside a script element; refuses props that are not the island's own."""
    expected = REGISTRY[name]
    if type(props) is not expected:
        raise TypeError(f"the island {name} takes {expected.__name__}, not {type(props).__name__}")
    return escape(msgspec.json.encode(props).decode())


def escape(json: str) -> str:
    """Escape what could end a script element; the same three characters as Django's json_script."""
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def schema() -> dict[str, Any]:
    """One JSON Schema of all islands' props, and of what behaviors are answered, for the TypeScript types."""
    known = dict(sorted((REGISTRY | ANSWERS).items()))
    (references, definitions) = msgspec.json.schema_components(known.values(), ref_template="#/$defs/{name}")
    names = [reference["$ref"].rsplit("/", 1)[1] for reference in references]
    return {
        "$defs": {key: _required(value) for key, value in definitions.items()},
        "title": "Islands",
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{props}"} for name, props in zip(known, names, strict=True)},
        "required": list(known),
        "additionalProperties": False,
    }


def _required(definition: dict[str, Any]) -> dict[str, Any]:
    """Fields with a default are always sent, so TypeScript may rely on them; only those that can be unset are not."""
    fields = definition.get("properties", {})
    sent = {*definition.get("required", ()), *(name for name, prop in fields.items() if "default" in prop)}
    properties = {
        name: {key: value for key, value in prop.items() if key not in ("title", "default")}
        for name, prop in fields.items()
    }
    untitled = {key: value for key, value in definition.items() if key != "title"}
    return {**untitled, "properties": properties, "required": sorted(sent), "additionalProperties": False}
