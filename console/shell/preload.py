"""Preloading before gunicorn forks: no request waits for it, and the workers share its memory."""

import gc
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import msgspec
from babel import localedata
from django.conf import settings
from django.db import connections
from django.forms.renderers import get_default_renderer
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.template.loader import get_template
from django.urls import reverse
from django.utils import translation

from console.forms.fields import Renderer
from console.i18n import catalogs


def warm_up() -> None:
    """Load catalog, locale data and paths of each language, import all views, and compile templates and types.

    It runs before there are threads (see `compile_types`). Nothing here opens resources that processes can't share:
    threads, pools or connections.
    """
    catalogs.refresh()
    for code, _name in settings.LANGUAGES:
        localedata.load(translation.to_locale(code))
        with translation.override(code):
            reverse("home")  # imports all views, and Django keeps its table of paths for each language
    compile_templates()
    compile_types()
    connections.close_all()
    # These objects live as long as the process: a garbage collection that visits them would pause a page by 20 ms.
    gc.collect()
    gc.freeze()


def compile_types() -> None:
    """Let msgspec compile each type that can be read from JSON.

    Otherwise it does so at the first read, and shares unfinished types with other threads: a second thread that reads
    the same type then crashes the process with a segmentation fault (msgspec 0.22.0).
    """
    for struct in structs():
        with suppress(TypeError):  # a type that is only rendered, with values that JSON can't express
            msgspec.json.Decoder(struct)


def structs(base: Any = msgspec.Struct) -> Iterator[Any]:
    """Yield all imported msgspec types."""
    for struct in base.__subclasses__():
        yield struct
        yield from structs(struct)


def compile_templates() -> None:
    """Compile each template, including those for error pages."""
    env = cast(Jinja2, engines["jinja2"]).env
    for name in env.list_templates(filter_func=lambda name: not name.startswith(("django/", "forms/django/"))):
        env.get_template(name)
    forms = cast(Renderer, get_default_renderer()).engine.env
    for name in forms.list_templates():
        forms.get_template(name)
    for path in (settings.BASE_DIR / "templates" / "django").rglob("*.html"):
        get_template(path.relative_to(settings.BASE_DIR / "templates" / "django").as_posix(), using="django")
