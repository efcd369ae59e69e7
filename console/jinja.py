"""The environment of the Jinja templates (TEMPLATES): strict, escaped everywhere, and what each template may call."""

import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from contextlib import suppress
from functools import lru_cache
from keyword import iskeyword
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import get_language
from django.utils.translation import gettext as look_up
from django.utils.translation import ngettext as look_up_plural
from django.utils.translation import npgettext as look_up_plural_in_context
from django.utils.translation import pgettext as look_up_in_context
from jinja2 import (
    ChainableUndefined,
    Environment,
    FileSystemBytecodeCache,
    StrictUndefined,
    Undefined,
    make_logging_undefined,
    nodes,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from markupsafe import Markup, escape
from markupsafe import _escape_inner as escape_inner  # type: ignore[attr-defined]  # it has no public name

from console import islands
from console.characters import first_letter, folded, normalized
from console.paths import path_of
from console.static import asset
from console.text import bidi
from console.text.numbers import number_text

logger = logging.getLogger(__name__)

MACRO = re.compile(r"{% macro ([a-z]\w*)\(")


class _Placed(logging.LoggerAdapter[logging.Logger]):
    """Adds the template and its line, as Jinja's own tracebacks find them."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[str, MutableMapping[str, Any]]:
        frame: FrameType | None = sys._getframe()
        while frame and "__jinja_template__" not in frame.f_globals:
            frame = frame.f_back
        if frame is None:
            return msg, kwargs
        template = frame.f_globals["__jinja_template__"]
        return f"{msg} ({template.name}, line {template.get_corresponding_lineno(frame.f_lineno)})", kwargs


class LoggedUndefined(make_logging_undefined(_Placed(logger), ChainableUndefined)):  # type: ignore[misc]  # made by Jinja
    """Prints nothing where a template names what it was not given: in production a rare branch must not be a 500."""

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        return self


def escape_text(value: object) -> str:
    """Escape what is printed. Text does not become Markup by it: to mark each of the 800 values of a page as safe takes
    a third of the time of its rendering. A test compares the result with that of the public function."""
    kind = type(value)
    return escape_inner(value) if kind is str else value if kind is Markup else escape(value)  # type: ignore[arg-type,return-value]


class _Generator(CodeGenerator):
    """Prints values by `escape_text`, and calls what takes no context without Jinja's dispatch (tests pin both)."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        is_plain = name in _PLAIN or isinstance(self.environment.globals.get(name), Component)
        is_odd = node.dyn_args or node.dyn_kwargs or any(iskeyword(given.key) for given in node.kwargs)
        if not is_plain or is_odd or forward_caller:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escape_text(")
        else:
            super()._output_child_pre(node, frame, finalize)


class TemplateEnvironment(Environment):
    code_generator_class = _Generator
    escape_text = staticmethod(escape_text)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return one dictionary: Jinja's own chain of two is walked in Python for each page."""
        return {**self.globals, **(d or {})}


class Component:
    """A macro that all templates know by its name. Its file is asked for at each call: a change of it is seen."""

    def __init__(self, env: Environment, template: str, name: str) -> None:
        self._env, self._template, self._name = env, template, name

    def __call__(self, *args: Any, **kwargs: Any) -> Markup:
        drawn: Markup = getattr(self._env.get_template(self._template).module, self._name)(*args, **kwargs)
        return drawn


def components(root: Path) -> dict[str, str]:
    """Return the file of each macro below a folder `components`, but those for its own file (`_name`)."""
    found = [
        (name, path.relative_to(root).as_posix())
        for path in sorted(root.rglob("components/*.html"))
        for name in MACRO.findall(path.read_text("utf-8"))
    ]
    twice = {name for name, count in Counter(name for name, _ in found).items() if count > 1}
    if twice:
        raise ImproperlyConfigured(f"More than one component has the name {', '.join(sorted(twice))}.")
    return dict(found)


class CompiledTemplates(FileSystemBytecodeCache):
    """Keeps compiled templates beside the build, which saves each worker a fifth of its start.

    What was compiled of another source, or by another version of this module, is compiled anew. It may be read-only.
    """

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(source + Path(__file__).read_text("utf-8"))

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


def environment(**options: Any) -> Environment:
    """Make the environment. Without the i18n extension: its tags would print a translation as markup."""
    strict = settings.CONSOLE_ENV == "dev"
    undefined = StrictUndefined if strict else LoggedUndefined
    cache = CompiledTemplates(str(settings.COMPILED_TEMPLATES))
    given = {**options, "undefined": undefined, "bytecode_cache": cache, "trim_blocks": True, "lstrip_blocks": True}
    env = TemplateEnvironment(**{**given, "autoescape": True})
    found = components(settings.BASE_DIR / "templates")
    drawn = {name: Component(env, template, name) for name, template in found.items()}
    env.globals |= {**_PLAIN, **drawn, "island": island, "islands_script": islands_script}
    env.filters |= FILTERS
    return env


def forms_environment(**options: Any) -> Environment:
    """The same for the templates of form fields: Django's own ask for attributes that a field may not have."""
    env = environment(**options)
    env.undefined = Undefined
    return env


def gettext(text: str, **values: object) -> str:
    """Translate, and fill the values in. The result is text, never markup, so it is escaped as a whole."""
    found = look_up(text)
    return bidi.filled(found, _written(values)) if values else found


def pgettext(context: str, text: str, **values: object) -> str:
    found = look_up_in_context(context, text)
    return bidi.filled(found, _written(values)) if values else found


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    return look_up_plural(one, many, count) % _written({"count": count, **values})


def npgettext(context: str, one: str, many: str, count: int, **values: object) -> str:
    return look_up_plural_in_context(context, one, many, count) % _written({"count": count, **values})


def _written(values: dict[str, object]) -> dict[str, object]:
    """Write the numbers of a text as its language does."""
    return {name: number_text(value) if type(value) is int else value for name, value in values.items()}


def initial(name: str) -> str:
    """Return the letter that stands beside a person's name, as a capital where it has one."""
    letter = first_letter(normalized("NFC", folded(name)))
    if letter.startswith("i") and (get_language() or "").startswith("tr"):
        return "İ" + letter[1:]
    if len(letter.upper()) > len(letter):
        letter = normalized("NFKC", letter)[:1]  # "ﬁ" is "f" and "i"; "ß" has no capital
    return capital if len(capital := letter.upper()) == len(letter) else letter


def fields(items: Iterable[msgspec.Struct]) -> list[tuple[Any, ...]]:
    """Take the values out of structs, in their order: a table asks a thousand times for one of them."""
    return list(map(msgspec.structs.astuple, items))


def at(items: Sequence[Any], places: Iterable[int]) -> list[Any]:
    """Take the items at these places."""
    return [items[place] for place in places]


def icon(name: str) -> Markup:
    """Draw an icon of static_src/icons.json. It is never the only text: screen readers pass it by."""
    return _icon(asset("icons.svg"), name)


@lru_cache(maxsize=256)
def _icon(sheet: str, name: str) -> Markup:
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(sheet, name)


def islands_script() -> Markup:
    """Name the script that loads islands. Its texts stand in the page: what loads texts may be what can't be loaded."""
    return Markup('<script type="module" src="{}" data-failed="{}" data-reload="{}"></script>').format(
        asset("islands.js"),
        gettext("A part of this page could not be loaded. What you see still works."),
        gettext("Load the page again"),
    )


@pass_context
def island(context: Context, name: str, props: Any, caller: Callable[[], str]) -> Markup:
    """Mark a region that an island takes over: `{% call island("permission-toggles", props) %}…{% endcall %}`.

    What is inside works without JavaScript, and stays when the island can't be loaded. The props go along as JSON.
    """
    seen: dict[str, int] = context["request"].__dict__.setdefault("_islands", {})
    script = "" if seen else islands_script()
    seen[name] = seen.get(name, 0) + 1
    target = f"props-{name}" if seen[name] == 1 else f"props-{name}-{seen[name]}"
    json = Markup(islands.encode(name, props))  # noqa: S704 - encode() escapes it for a script element
    return Markup(
        '{}<script type="application/json" id="{}">{}</script><div data-island="{}" data-props="{}">{}</div>'
    ).format(script, target, json, name, target, caller())


_PLAIN: dict[str, Callable[..., Any]] = {
    "_": gettext,
    "ngettext": ngettext,
    "pgettext": pgettext,
    "npgettext": npgettext,
    "url": path_of,
    "asset": asset,
    "icon": icon,
    "zip": zip,
}
"""What takes what it is given, and nothing else."""

FILTERS: dict[str, Callable[..., Any]] = {
    "isolated": bidi.isolated,
    "initial": initial,
    "number": number_text,
    "removeprefix": str.removeprefix,
    "fields": fields,
    "at": at,
}
"""What templates may use beside Jinja's own filters."""
