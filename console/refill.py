"""Put values into the form of a finished page: what the sender had typed takes the place of what the server drew.

It works on the page and not on the form objects, so that no view has to know of it, and nothing that a POST would do
can happen.
"""

from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser

from django.utils.html import escape

Attributes = list[tuple[str, str | None]]


def refill(
    page: str, action: str, fields: Mapping[str, Sequence[str]], draw_notice: Callable[[list[str]], str]
) -> str | None:
    """The page with these values in its `data-guard` form of this action, and a notice above; None without such a form.

    The notice is drawn from the values that have no place in the form any more.
    """
    reader = _Reader(page, action, fields)
    reader.feed(page)
    reader.close()
    if reader.form_at is None:
        return None
    rest = [value for name, values in fields.items() if name not in reader.seen for value in values if value]
    edits = [*reader.edits, (reader.form_at, reader.form_at, draw_notice(rest))]
    for start, end, text in sorted(edits, reverse=True):
        page = page[:start] + text + page[end:]
    return page


class _Reader(HTMLParser):
    """Finds the controls of the form and notes what is to be written in their places."""

    def __init__(self, page: str, action: str, fields: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self._action = action
        self._left = {name: list(values) for name, values in fields.items()}
        self._lines = [0]
        for line in page.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._is_inside = False
        self._select: str | None = None
        self._textarea: tuple[int, str] | None = None
        self.form_at: int | None = None
        self.seen: set[str] = set()
        self.edits: list[tuple[int, int, str]] = []

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        values = dict(attrs)
        if tag == "form" and self.form_at is None and self._is_meant(values):
            self._is_inside, self.form_at = True, self._at()
        if not self._is_inside:
            return
        name = values.get("name") or ""
        if tag in ("input", "textarea", "select", "button"):
            self.seen.add(name)
        if tag == "select":
            self._select = name if name in self._left else None
        elif tag == "option" and self._select is not None:
            self._write(tag, attrs, "selected", is_set=values.get("value", "") in self._left[self._select])
        elif tag == "input" and values.get("type") in ("checkbox", "radio"):
            # A box that is not ticked is not sent at all.
            self._write(tag, attrs, "checked", is_set=(values.get("value") or "on") in self._left.get(name, []))
        elif tag in ("input", "textarea") and self._left.get(name):
            self._type_in(tag, attrs, self._left[name].pop(0))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_inside = False
        elif tag == "select":
            self._select = None
        elif tag == "textarea" and self._textarea is not None:
            start, text = self._textarea
            # The first line break after the tag is not part of the text.
            self.edits.append((start, self._at(), "\n" + escape(text)))
            self._textarea = None

    def _is_meant(self, form: dict[str, str | None]) -> bool:
        return "data-guard" in form and (form.get("action") or "").partition("?")[0] == self._action

    def _type_in(self, tag: str, attrs: Attributes, value: str) -> None:
        if tag == "textarea":
            self._textarea = (self._at() + len(self.get_starttag_text() or ""), value)
        else:
            self._replace(tag, [*((n, v) for n, v in attrs if n != "value"), ("value", value)])

    def _write(self, tag: str, attrs: Attributes, mark: str, *, is_set: bool) -> None:
        self._replace(tag, [*((n, v) for n, v in attrs if n != mark), *([(mark, None)] if is_set else [])])

    def _replace(self, tag: str, attrs: Attributes) -> None:
        text = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attrs)
        start = self._at()
        self.edits.append((start, start + len(self.get_starttag_text() or ""), f"<{tag}{text}>"))

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column
