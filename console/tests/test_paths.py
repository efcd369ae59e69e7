"""Paths are the same in all languages."""

from django.urls import get_resolver, reverse
from django.utils import translation

from console.i18n.languages import DEFAULT, TABLE


def test_what_paths_are_built_of_is_kept_once():
    """Fails if an upgrade of Django changes the name that console/paths.py replaces."""
    paths = set()
    for language in TABLE:
        with translation.override(language.code):
            paths.add(reverse("groups:team-list", args=["g-1"]))
    assert len(paths) == 1
    assert set(get_resolver()._reverse_dict) == {DEFAULT.code}
