"""The contributions of all apps."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.apps import apps

from console.web.contributions import Contributions, Section, contributed


@dataclass
class App:
    sections: Sequence[Section]

    def get_contributions(self):
        return Contributions(sections={"clinics": self.sections})


def test_two_apps_can_have_sections_of_the_same_kind(monkeypatch):
    first, second = (Section(name, name, str) for name in ("users", "partners"))
    monkeypatch.setattr(apps, "get_app_configs", lambda: [App([first]), App([second])])
    assert contributed.__wrapped__().sections == {"clinics": [first, second]}
