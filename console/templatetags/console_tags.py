"""Template tags of every page: built files, icons, islands, points in time, and the rows of lists."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from django import template
from django.forms import BoundField
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from console import islands
from console.forms.idempotency import FIELD, id_of_form, new_form_id
from console.http import zone_of
from console.lists.view import ListView
from console.static import address
from console.static import asset as find_asset
from console.table_rows import draw_rows
from console.text import bidi
from console.text.dates import Moment, told

register = template.Library()

_SEEN = "console.islands"
_TONES = {"success": "circle-check", "info": "info", "warning": "triangle-alert", "danger": "circle-alert"}


@register.simple_tag
def asset(name: str) -> str:
    """Give the address of a built file, by its name before the build."""
    return address(find_asset(name).file)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon of static_src/icons.json. It is never the only text: screen readers pass it by."""
    return _icon(asset("icons.svg"), name)


@lru_cache(maxsize=256)
def _icon(sheet: str, name: str) -> SafeString:
    """Draw an icon once for all pages: a list has thirty of them."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', sheet, name)


@register.simple_tag(takes_context=True)
def form_id(context: Context, fresh: bool = False) -> SafeString:
    """Draw the hidden id of a form. A form that comes back keeps its id, because the service may have carried it out;
    a `fresh` one is the next step of what was carried out."""
    id = new_form_id() if fresh else id_of_form(context["request"])
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, id)


@register.simple_tag(takes_context=True)
def moment(context: Context, at: datetime | None) -> Moment | None:
    """Tell a point in time in the reader's zone and in UTC."""
    return told(at, zone_of(context["request"])) if isinstance(at, datetime) else None


@register.simple_tag
def rows(view: ListView) -> SafeString:
    """Draw the rows of a list."""
    return draw_rows(view)


@register.filter
def entry(values: Mapping[str, Any], key: str) -> Any:
    """Give the value of a key that is itself a variable."""
    return values[key]


@register.filter
def isolated(name: Any) -> str:
    """Give a name for a sentence, which keeps its own direction there; not for attributes that are read as data."""
    return bidi.isolated(name)


@register.filter
def begun(field: BoundField, told: object) -> BoundField:
    """Have a field typed into at once where the page tells that the one before was saved and the form is a new one."""
    if told and not field.form.is_bound:
        field.field.widget.attrs["autofocus"] = True
    return field


@register.filter
def tone(level: str) -> str:
    """Give the tone of a message's level: Django says debug and error, the styles say info and danger."""
    return {"error": "danger", "debug": "info"}.get(level, level)


@register.filter
def tone_icon(level: str) -> str:
    """Give the icon of a tone or level."""
    return _TONES.get(tone(level), "info")


@register.tag(name="island")
def island(parser: Parser, token: Token) -> "IslandNode":
    """Mark a region that an island takes over: `{% island "user-list" props %}…{% endisland %}`.

    What is inside works without JavaScript, and stays when the island can't be loaded.
    """
    bits = token.split_contents()
    if len(bits) != 3:
        raise template.TemplateSyntaxError("island takes a name and props")
    content = parser.parse(("endisland",))
    parser.delete_first_token()
    return IslandNode(parser.compile_filter(bits[1]), parser.compile_filter(bits[2]), content)


class IslandNode(Node):
    """The props as JSON, the server's drawing, and the scripts, which are named once a page."""

    child_nodelists = ("content",)

    def __init__(self, name: FilterExpression, props: FilterExpression, content: NodeList) -> None:
        self.name = name
        self.props = props
        self.content = content

    def render(self, context: Context) -> SafeString:
        name = str(self.name.resolve(context))
        seen: dict[str, int] = cast(dict[Any, Any], context.render_context).setdefault(_SEEN, {})
        scripts = self._scripts(name, first=not seen, known=name in seen)
        seen[name] = seen.get(name, 0) + 1
        target = f"props-{name}" if seen[name] == 1 else f"props-{name}-{seen[name]}"
        props = islands.encode(name, self.props.resolve(context))
        return format_html(
            '{}<script type="application/json" id="{}">{}</script><div data-island="{}" data-props="{}">{}</div>',
            scripts,
            target,
            mark_safe(props),  # noqa: S308 - encode() escapes it for a script element
            name,
            target,
            self.content.render(context),
        )

    @staticmethod
    def _scripts(name: str, *, first: bool, known: bool) -> SafeString:
        if known:
            return SafeString("")
        built = find_asset(f"islands/{name}")
        links = format_html_join(
            "", '<link rel="modulepreload" href="{}">', ((address(file),) for file in (*built.imports, built.file))
        )
        return format_html("{}{}", _entry() if first else "", links)


def _entry() -> SafeString:
    """The script that mounts islands. Its texts stand in the page: what loads texts may be what can't be loaded."""
    return format_html(
        '<script type="module" src="{}" data-failed="{}" data-reload="{}"></script>',
        asset("islands.js"),
        gettext("A part of this page could not be loaded. What you see still works."),
        gettext("Load the page again"),
    )
