"""A page as a test reads it: headings, messages, forms, rows and links, from a real HTML parser.

`Page(html)` or `Page.from_response(response)`; `visit()` returns one. Texts have single spaces, and no direction marks.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Self

from selectolax.lexbor import LexborHTMLParser, LexborNode

UNSUBMITTED = ("submit", "button", "image", "reset", "file")
_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")


def get_text(node: LexborNode) -> str:
    """Return the text of an element."""
    return re.sub(r"\s+", " ", node.text(deep=True).translate(_ISOLATES)).strip()


class Form:
    """A form of a page."""

    def __init__(self, node: LexborNode) -> None:
        self.node = node
        self.action = node.attributes.get("action") or ""
        self.method = (node.attributes.get("method") or "get").lower()

    @cached_property
    def fields(self) -> dict[str, dict[str, str | None]]:
        """The attributes of each control by its name; of several with one name, those of the first."""
        fields: dict[str, dict[str, str | None]] = {}
        for control in self.node.css("input, select, textarea"):
            fields.setdefault(control.attributes.get("name") or "", control.attributes)
        return fields

    @cached_property
    def values(self) -> dict[str, Any]:
        """The data a browser would submit, without buttons: a string per name, a list if a name has several values."""
        values: dict[str, Any] = {}
        for name, value in self._values():
            if name in values:
                values[name] = [*(values[name] if isinstance(values[name], list) else [values[name]]), value]
            else:
                values[name] = value
        return values

    def options(self, name: str) -> dict[str, str]:
        """The values of a choice and their labels: of a select, radio buttons, or check boxes."""
        if select := self.node.css_first(f"select[name='{name}']"):
            return {_value(option): get_text(option) for option in select.css("option")}
        controls = self.node.css(f"input[name='{name}']")
        return {_value(control): get_text(control.parent) for control in controls if control.parent}

    def _values(self) -> Iterator[tuple[str, str]]:
        for control in self.node.css("input, select, textarea"):
            name, kind = control.attributes.get("name"), control.attributes.get("type") or "text"
            if not name or "disabled" in control.attributes:
                continue
            if control.tag == "select":
                options = control.css("option")
                chosen = [option for option in options if "selected" in option.attributes]
                if not chosen and "multiple" not in control.attributes:
                    chosen = options[:1]
                yield from ((name, _value(option)) for option in chosen)
            elif control.tag == "textarea":
                yield name, control.text(deep=True).removeprefix("\n")
            elif kind in ("checkbox", "radio"):
                if "checked" in control.attributes:
                    yield name, control.attributes.get("value") or "on"
            elif kind not in UNSUBMITTED:
                yield name, control.attributes.get("value") or ""


def _value(control: LexborNode) -> str:
    value = control.attributes.get("value")
    return get_text(control) if value is None and control.tag == "option" else value or ""


class Page:
    """The parts of a page that a test asks for. `response` is the answer that it came with, if any."""

    def __init__(self, html: str, response: Any = None) -> None:
        self.html, self.response = html, response

    @classmethod
    def from_response(cls, response: Any) -> Self:
        """Read the page of a response."""
        return cls(response.content.decode(), response)

    @cached_property
    def tree(self) -> LexborHTMLParser:
        """The parsed document."""
        return LexborHTMLParser(self.html)

    def all(self, selector: str) -> list[LexborNode]:
        """Return the elements that match a CSS selector."""
        return self.tree.css(selector)

    def one(self, selector: str) -> LexborNode:
        """Return the only element that matches a CSS selector."""
        nodes = self.all(selector)
        assert len(nodes) == 1, f"{len(nodes)} elements match {selector}"
        return nodes[0]

    def texts(self, selector: str) -> list[str]:
        """Return the text of each element that matches a CSS selector."""
        return [get_text(node) for node in self.all(selector)]

    @cached_property
    def text(self) -> str:
        """All that can be read, without scripts and styles."""
        tree = LexborHTMLParser(self.html)
        tree.strip_tags(["script", "style", "template"])
        assert tree.body
        # A space between blocks: "<td>1</td><td>2</td>" reads "1 2".
        return re.sub(r"\s+", " ", tree.body.text(deep=True, separator=" ").translate(_ISOLATES)).strip()

    @property
    def title(self) -> str:
        return get_text(self.one("title"))

    @property
    def heading(self) -> str:
        return get_text(self.one("h1"))

    @property
    def messages(self) -> list[str]:
        """The notices of the page: those of the last action, warnings, refusals."""
        return self.texts(".alert")

    @property
    def errors(self) -> dict[str, str]:
        """The error message of each field, by field name."""
        errors = {}
        for control in self.all("[aria-invalid=true]"):
            ids = (control.attributes.get("aria-describedby") or "").split()
            texts = [get_text(node) for id in ids for node in self.all(f".field-error[id='{id}']")]
            errors[control.attributes.get("name") or ""] = " ".join(texts)
        return errors

    @property
    def links(self) -> dict[str, str]:
        """The address of each link by its text."""
        return {get_text(link): link.attributes["href"] or "" for link in self.all("a[href]")}

    @property
    def rows(self) -> list[dict[str, str]]:
        """The rows of the first table: the text of each cell by the head of its column."""
        for table in self.all("table")[:1]:
            heads = [get_text(head) for head in table.css("thead th, thead td")]
            return [
                dict(zip(heads, (get_text(cell) for cell in row.css("th, td")), strict=False))
                for row in table.css("tbody tr")
            ]
        return []

    @property
    def forms(self) -> list[Form]:
        return [Form(node) for node in self.all("form")]

    def form(self, selector: str = "main form") -> Form:
        """Return the only form that matches a CSS selector."""
        return Form(self.one(selector))

    @property
    def fields(self) -> dict[str, dict[str, str | None]]:
        """The attributes of each control of the page by its name; of several with one name, those of the first."""
        return Form(self.one("body")).fields
