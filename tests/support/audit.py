"""Checks of every page: title, one h1, language, unique ids, labels, CSRF, no inline script or style."""

from html.parser import HTMLParser
from typing import Any

from tests.support.page import Page

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "use"}
UNLABELLED = {"hidden", "submit", "button", "image", "reset"}


class _Facts(HTMLParser):
    """The parts of a page that the audit checks, read from the source: an HTML parser would repair broken markup."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html_tag: dict[str, str | None] = {}
        self.ids: list[str] = []
        self.headings = 0
        self.title = ""
        self.labels: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.forms: list[dict[str, Any]] = []
        self.islands: list[dict[str, str | None]] = []
        self.faults: list[str] = []
        self._open: list[str] = []
        self._label_depth = 0
        self.feed(html)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag not in VOID:
            self._open.append(tag)
        if len(attributes) != len(attrs):
            self.faults.append(f"an attribute twice on <{tag}>")
        if any(name.startswith("on") or name == "style" for name in attributes):
            self.faults.append(f"inline handler or style on <{tag}>")
        if attributes.get("id"):
            self.ids.append(attributes["id"] or "")
        self._note(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def _note(self, tag: str, attributes: dict[str, str | None]) -> None:
        match tag:
            case "html":
                self.html_tag = attributes
            case "h1":
                self.headings += 1
            case "style":
                self.faults.append("an inline <style>")
            case "script" if not attributes.get("src") and attributes.get("type") != "application/json":
                self.faults.append("an inline <script>")
            case "label":
                self._label_depth += 1
                self.labels.add(attributes.get("for") or "")
            case "form":
                self.forms.append({**attributes, "token": False})
            case "input" | "select" | "textarea":
                if attributes.get("name") == "csrfmiddlewaretoken" and self.forms:
                    self.forms[-1]["token"] = True
                if (attributes.get("type") or "") not in UNLABELLED and not self._label_depth:
                    self.controls.append(attributes)
        if "data-props" in attributes:
            self.islands.append(attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._label_depth -= 1
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            self.title += data


def audit(html: str, *, lng: str = "en-US") -> Page:
    """Read a page, after asserting what must hold for every one."""
    page = _Facts(html)
    assert page.faults == []
    assert page.html_tag.get("lang") == lng
    assert page.html_tag.get("dir") == ("rtl" if lng.startswith("ar") else "ltr")
    assert "Enterprise for Admin" in page.title
    assert page.headings == 1
    assert "UNSET" not in html, "a value that is not there was printed"
    assert "[&#39;" not in html, "a list was printed instead of its texts"
    assert len(page.ids) == len(set(page.ids)), "an id is there twice"
    for control in page.controls:
        named = control.get("aria-label") or control.get("aria-labelledby") or control.get("id") in page.labels
        assert named, f"no label for {control}"
    for form in page.forms:
        if form.get("method") == "dialog":
            continue
        assert form.get("action"), "a form without its address"
        assert (form.get("method") or "get").lower() == "get" or form["token"], "a POST form without its token"
    for island in page.islands:
        assert island.get("data-props") in page.ids, "an island without its props"
    return Page(html)
