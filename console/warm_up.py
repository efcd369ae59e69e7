"""What a worker loads before its first request, so that nobody waits for it."""

import gc
from typing import cast

from django.conf import settings
from django.forms.renderers import get_default_renderer
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils import translation

from console.text import locales
from console.text.fields import Renderer


def warm_up() -> None:
    """Import all views, load the catalog and the locale data of each language, and compile all templates."""
    for code, _ in settings.LANGUAGES:
        with translation.override(code):
            translation.gettext("Log in")
            get_resolver().resolve("/login")
    locales.load(code for code, _ in settings.LANGUAGES)
    compile_templates()
    # All of this stays for the life of the process; going through it again is a pause of 20 ms in somebody's page.
    gc.collect()
    gc.freeze()


def compile_templates() -> None:
    """Compile each template, also those that the page of an error needs."""
    env = cast(Jinja2, engines["jinja2"]).env
    for name in env.list_templates(filter_func=lambda name: not name.startswith(("django/", "forms/django/"))):
        env.get_template(name)
    forms = cast(Renderer, get_default_renderer()).engine.env
    for name in forms.list_templates():
        forms.get_template(name)
    for path in (settings.BASE_DIR / "templates" / "django").rglob("*.html"):
        get_template(path.relative_to(settings.BASE_DIR / "templates" / "django").as_posix(), using="django")
