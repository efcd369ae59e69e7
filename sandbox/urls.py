"""All paths of the sandbox: the calls of `views`, and the controls."""

from importlib import import_module
from pkgutil import iter_modules

from django.urls import path

from sandbox import views
from sandbox.controls import CONTROLS
from sandbox.gate import ROUTES

handler400 = "sandbox.gate.bad_request"
handler404 = "sandbox.gate.unknown_path"
handler500 = "sandbox.gate.broken"

for module in iter_modules(views.__path__, "sandbox.views."):
    import_module(module.name)  # registers its calls


def _words_first(name: str) -> list[bool]:
    """Sort `users/exist` before `users/<id>`, which would match it."""
    return [part.startswith("<") for part in name.split("/")]


urlpatterns = [
    *(path(name, ROUTES[name]) for name in sorted(ROUTES, key=_words_first)),
    *(path(f"__{name}", control) for name, control in CONTROLS.items()),
]
