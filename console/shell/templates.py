"""The environment of the Jinja templates (TEMPLATES): strict, escaped everywhere, with the functions for templates."""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from traceback import walk_stack
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import get_language
from django.utils.translation import gettext as translate
from django.utils.translation import ngettext as translate_plural
from django.utils.translation import npgettext as translate_plural_in_context
from django.utils.translation import pgettext as translate_in_context
from jinja2 import (
    ChainableUndefined,
    Environment,
    FileSystemBytecodeCache,
    StrictUndefined,
    Undefined,
    make_logging_undefined,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.runtime import Context
from markupsafe import Markup

from console.config.static import asset
from console.l10n import bidi
from console.l10n.line_breaks import breakable
from console.l10n.marks import marked
from console.l10n.numbers import number_text
from console.web import islands
from console.web.contributions import contributed
from console.web.links import back_label
from console.web.message_extras import messages_about, read_extras
from console.web.paths import get_path
from upstream.characters import first_letter, folded, normalized

logger = logging.getLogger(__name__)

MACRO = re.compile(r"{% macro ([a-z]\w*)\(")


class _TemplateLogger(logging.LoggerAdapter[logging.Logger]):
    """Adds the file of the template, which is that of its compiled code."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[str, MutableMapping[str, Any]]:
        files = (frame.f_code.co_filename for frame, _line in walk_stack(None))
        return f"{msg} ({next((file for file in files if file.endswith('.html')), 'no template')})", kwargs


class LoggedUndefined(make_logging_undefined(_TemplateLogger(logger), ChainableUndefined)):  # type: ignore[misc]  # made by Jinja
    """Prints nothing for an undefined name: in production a rare branch must not be a 500."""

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        return self


class Component:
    """A macro that all templates know by its name. Each call loads its file, so that changes are seen."""

    def __init__(self, env: Environment, template: str, name: str) -> None:
        self._env, self._template, self._name = env, template, name

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        html: Markup = getattr(self._env.get_template(self._template).module, self._name)(*args, **kwargs)
        return html


def components(root: Path) -> dict[str, str]:
    """Return the file of each macro below a folder `components`, except those for its own file (`_name`)."""
    macros = [
        (name, path.relative_to(root).as_posix())
        for path in sorted(root.rglob("components/*.html"))
        for name in MACRO.findall(path.read_text("utf-8"))
    ]
    twice = {name for name, count in Counter(name for name, _ in macros).items() if count > 1}
    if twice:
        raise ImproperlyConfigured(f"More than one component has the name {', '.join(sorted(twice))}.")
    return dict(macros)


class CompiledTemplates(FileSystemBytecodeCache):
    """Keeps compiled templates in the build, which saves a fifth of the start. The folder may be read-only."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


class WithoutIndentation(Extension):
    """Strips the indentation of templates from the output. Line breaks stay."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return "\n".join(line.lstrip(" \t") for line in source.split("\n"))


def environment(**options: Any) -> Environment:
    """Return the environment. The i18n extension is not used: its tags would print a translation as markup."""
    strict = settings.CONSOLE_ENV == "dev"
    undefined = StrictUndefined if strict else LoggedUndefined
    cache = CompiledTemplates(str(settings.COMPILED_TEMPLATES))
    given = {**options, "undefined": undefined, "bytecode_cache": cache, "trim_blocks": True}
    env = Environment(**{**given, "autoescape": True})  # noqa: S701 - it is on
    env.add_extension(WithoutIndentation)
    templates = components(settings.BASE_DIR / "templates")
    by_name = {name: Component(env, template, name) for name, template in templates.items()}
    env.globals |= {**FUNCTIONS, **by_name}
    env.filters |= FILTERS
    return env


def forms_environment(**options: Any) -> Environment:
    """Return the environment for form fields: Django's own templates read attributes that a field may not have."""
    env = environment(**options)
    env.undefined = Undefined
    return env


def gettext(text: str, **values: object) -> str:
    """Translate a text and fill in its values. The result is text, never markup, so it is escaped as a whole."""
    translated = translate(text)
    return bidi.filled(translated, _written(values)) if values else translated


def pgettext(context: str, text: str, **values: object) -> str:
    translated = translate_in_context(context, text)
    return bidi.filled(translated, _written(values)) if values else translated


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    return translate_plural(one, many, count) % _written({"count": count, **values})


def npgettext(context: str, one: str, many: str, count: int, **values: object) -> str:
    return translate_plural_in_context(context, one, many, count) % _written({"count": count, **values})


def _written(values: dict[str, object]) -> dict[str, object]:
    """Format the numbers among the values of a text for its language."""
    return {name: number_text(value) if type(value) is int else value for name, value in values.items()}


def initial(name: str) -> str:
    """Return the letter next to a person's name, as a capital if it has one."""
    letter = first_letter(normalized("NFC", folded(name)))
    if letter.startswith("i") and (get_language() or "").startswith("tr"):
        return "İ" + letter[1:]
    if len(letter.upper()) > len(letter):
        letter = normalized("NFKC", letter)[:1]  # "ﬁ" is "f" and "i"; "ß" has no capital
    return capital if len(capital := letter.upper()) == len(letter) else letter


def fields(items: Iterable[msgspec.Struct]) -> list[tuple[Any, ...]]:
    """Return the values of structs as tuples, because a table would read attributes thousands of times."""
    return list(map(msgspec.structs.astuple, items))


def at(items: Sequence[Any], indexes: Iterable[int]) -> list[Any]:
    """Return the items at these indexes."""
    return [items[index] for index in indexes]


def icon(name: str) -> Markup:
    """Render an icon of static_src/icons.json. It is never the only text: screen readers skip it.

    Attributes are not quoted: a page has 50 of them.
    """
    return _icon(asset("icons.svg"), name)


@lru_cache(maxsize=256)
def _icon(sheet: str, name: str) -> Markup:
    return Markup('<svg class=icon aria-hidden=true><use href="{}#{}"/></svg>').format(sheet, name)


def islands_script() -> Markup:
    """Return the script that loads islands, with its error texts, because loading texts may fail, too."""
    return Markup('<script type="module" src="{}" data-failed="{}" data-reload="{}"></script>').format(
        asset("islands.js"),
        gettext("Part of this page couldn't load. The rest still works."),
        gettext("Reload the page"),
    )


@pass_context
def island(context: Context, name: str, props: Any, caller: Callable[[], str]) -> Markup:
    """Mark a region that an island replaces: `{% call island("permission-toggles", props) %}…{% endcall %}`.

    The content works without JavaScript, and stays if the island can't be loaded. The props are included as JSON.
    """
    request = context["request"]
    if not hasattr(request, "islands"):
        request.islands = Counter[str]()
    script = "" if request.islands else islands_script()
    request.islands[name] += 1
    number = request.islands[name]
    target = f"props-{name}" if number == 1 else f"props-{name}-{number}"
    json = Markup(islands.encode(name, props))  # noqa: S704 - encode() escapes it for a script element
    return Markup(
        '{}<script type="application/json" id="{}">{}</script><div data-island="{}" data-props="{}">{}</div>'
    ).format(script, target, json, name, target, caller())


def section_tabs(kind: str, row: Any, current: str) -> list[dict[str, Any]]:
    """Return the sections of an object as tabs."""
    return [
        {"label": section.label, "href": section.href(row), "is_current": section.name == current, "count": ""}
        for section in contributed().sections[kind]
    ]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "_": gettext,
    "ngettext": ngettext,
    "pgettext": pgettext,
    "npgettext": npgettext,
    "url": get_path,
    "asset": asset,
    "icon": icon,
    "island": island,
    "islands_script": islands_script,
    "section_tabs": section_tabs,
    "back_label": back_label,
}
"""The functions for templates."""

FILTERS: dict[str, Callable[..., Any]] = {
    "isolated": bidi.isolated,
    "initial": initial,
    "marked": marked,
    "number": number_text,
    "removeprefix": str.removeprefix,
    "fields": fields,
    "at": at,
    "zip": zip,
    "extras": read_extras,
    "about": messages_about,
    "breakable": breakable,
}
"""The filters for templates, in addition to Jinja's own."""
