"""Typed props of the islands: one msgspec Struct for each; its JSON goes into the page, its schema into TypeScript.

A Struct that is the props of an island is registered with `@island("its-name")`; lists have no props, and register the
Structs of their JSON responses. Wire names stay snake_case, one spelling from Struct to screen.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from console.web.contributions import SearchHit
from console.web.links import Link

REGISTRY: dict[str, type[msgspec.Struct]] = {}
"""Island name -> its props. Filled when the apps' `islands` modules are imported."""

ANSWERS: dict[str, type[msgspec.Struct]] = {}
"""The JSON responses to behaviors, which are not islands, by name."""

S = TypeVar("S", bound=type[msgspec.Struct])


def island(name: str) -> Callable[[S], S]:
    """Register a Struct as the props of the island of this name (the folder below static_src/islands)."""

    def register(struct: S) -> S:
        REGISTRY[name] = struct
        return struct

    return register


class SearchGroup(msgspec.Struct, frozen=True):
    """The results of one kind. `count` is their number if not all are among the `hits`; `more` is the address of all of
    them, or the one to try again after `failed`."""

    name: str
    title: str
    hits: list[SearchHit]
    count: str = ""
    failed: str = ""
    more: Link | None = None


class SearchAnswer(msgspec.Struct, frozen=True):
    """The `item` of /search for `Accept: application/json`: the results, and the sentences that sum them up.

    `label` is the field's, and `opened` the heading of the last opened pages, which the tab stores for this `sender`;
    `unreachable` is the message if there is no response.
    """

    sender: str
    label: str
    opened: str
    unreachable: str
    messages: list[str]
    groups: list[SearchGroup]


ANSWERS["search"] = SearchAnswer


def encode(name: str, props: msgspec.Struct) -> str:
    """Return the JSON of an island's props, safe inside a script element; props of another type are refused."""
    expected = REGISTRY[name]
    if type(props) is not expected:
        raise TypeError(f"the island {name} takes {expected.__name__}, not {type(props).__name__}")
    return escape(msgspec.json.encode(props).decode())


def escape(json: str) -> str:
    """Escape the characters that could end a script element; the same three as Django's json_script."""
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def schema() -> dict[str, Any]:
    """Return one JSON Schema of all islands' props and of the responses to behaviors, for the TypeScript types."""
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
    """Require the fields with a default, too: they are always sent. Only fields that can be unset stay optional."""
    fields = definition.get("properties", {})
    sent = {*definition.get("required", ()), *(name for name, prop in fields.items() if "default" in prop)}
    properties = {
        name: {key: value for key, value in prop.items() if key not in ("title", "default")}
        for name, prop in fields.items()
    }
    untitled = {key: value for key, value in definition.items() if key != "title"}
    return {**untitled, "properties": properties, "required": sorted(sent), "additionalProperties": False}
