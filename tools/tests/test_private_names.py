"""The check of private names finds each use of a private name, and nothing else."""

import pytest

from tools import private_names

MODULES = {"console/own.py": "_helper = 1\nclass Own:\n    def _method(self): self._value = 1\n"}


def list_faults(text: str) -> list[str]:
    return list(private_names.faults({**MODULES, "console/a.py": text}))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("from openpyxl.worksheet._reader import Parser", "1: the private name openpyxl.worksheet._reader.Parser"),
        ("import openpyxl.worksheet._reader", "1: the private name openpyxl.worksheet._reader"),
        ("from markupsafe import _escape_inner", "1: the private name markupsafe._escape_inner"),
        ("import markupsafe\nmarkupsafe._escape_inner", "2: the private name _escape_inner"),
        ("import babel.core as b\nb._helper", "2: the private name _helper"),
        ("import babel\ndel babel.core._global_data['x']", "2: the private name _global_data"),
        ("def f(connection):\n    connection._new_conn()", "2: the private name _new_conn"),
        ("import socket\ngetattr(socket, '_socket')", "2: the private name _socket"),
        ("import socket\ndef test(patch):\n    patch.setattr(socket, '_socket', 1)", "3: the private name _socket"),
        ("from django import forms\nclass F(forms._Base): pass", "2: the private name _Base"),
        ("from http.client import HTTPConnection as C\nclass D(C):\n    def _tunnel(self): pass", "3: overrides"),
        ("from django import forms\nclass F(forms.Form):\n    def f(self): self._errors = {}", "3: the private name"),
        ("from django import forms\nclass F(forms.Form):\n    _post_clean = None", "3: overrides the private name"),
        ("from enum import Enum\nclass E(Enum):\n    @classmethod\n    def _missing_(cls, value): pass", None),
        ("from a import b\nb.c = 1", "2: an assignment to the foreign name c"),
        (
            "from a import b\nfrom typing import Any, cast\nx: Any = b\nx.c = 1",
            "4: an assignment to the foreign name c",
        ),
        ("from a import b\nfrom typing import Any, cast\ncast(Any, b).c = 1", "3: an assignment to the foreign name c"),
        ("from a import b\nvars(b)['c'] = 1", "2: an assignment to the foreign name c"),
        ("from a import b\nsetattr(b, 'c', 1)", "2: an assignment to the foreign name c"),
        ("from a import b\ndel b.c", "2: an assignment to the foreign name c"),
        ("def f(entry):\n    entry.__class__ = int", "2: an assignment to the foreign name __class__"),
        # Allowed.
        ("from console import own\nown._helper\nown.x = 1", None),
        ("from console.own import _helper", None),
        ("from .own import _helper", None),
        ("def f(other):\n    return other._value + other._method()", None),
        ("class A:\n    def f(self): return self._x\n    def g(self): self._x = 1", None),
        (
            "from django.db.models import Model\nclass A(Model):\n    def _mine(self): return self._meta",
            None,
        ),
        ("from collections import namedtuple\ndef f(row): return row._replace(a=1), row._asdict()", None),
        ("from django.utils.translation import gettext as _\n_('text')\nx, _ = 1, 2", None),
        ("from __future__ import annotations\nimport os\nos.environ['A'] = 'b'\nos.__name__", None),
        ("from django.conf import settings\ndef test(settings):\n    settings.DEBUG = True", None),
        ("from a import b\ndef f():\n    b = object()\n    b.c = 1", None),
        ("import socket\ndef test(monkeypatch):\n    monkeypatch.setattr(socket, 'getaddrinfo', None)", None),
    ],
)
def test_what_is_private_or_assigned_is_found_and_nothing_else(text, fault):
    faults = list_faults(text)
    assert [f"console/a.py:{fault}"] == [one[: len(f"console/a.py:{fault}")] for one in faults] if fault else not faults


def test_a_line_with_a_decision_is_allowed_if_the_decision_exists(tmp_path, monkeypatch):
    (tmp_path / "docs/adr").mkdir(parents=True)
    (tmp_path / "docs/adr/0042-names.md").touch()
    monkeypatch.setattr(private_names, "ROOT", tmp_path)
    assert list_faults("from a import _b  # ADR-0042") == []
    assert list_faults("from a import _b  # ADR-0043") == [
        "console/a.py:1: the private name a._b, and there is no ADR 0043"
    ]
    assert list_faults("from a import _b\n# ADR-0042") == ["console/a.py:1: the private name a._b"]
