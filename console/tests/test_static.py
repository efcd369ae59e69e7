"""Static files: built files keep their names, and browsers cache them forever."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from whitenoise.middleware import WhiteNoiseMiddleware


@pytest.mark.parametrize(
    ("url", "is_immutable"),
    [
        ("/static/dist/app-FGEORTGG.css", True),
        ("/static/dist/icons-3A89CB53.svg", True),
        ("/static/dist/app.css", False),
        ("/static/dist/app-short.css", False),
        ("/static/rosetta/js/rosetta.js", False),
    ],
)
def test_only_a_name_that_changes_with_its_content_is_cached_forever(
    url: str, is_immutable: bool, settings: Any
) -> None:
    whitenoise = WhiteNoiseMiddleware(lambda request: None)
    assert bool(whitenoise.immutable_file_test("", url)) is is_immutable


def test_built_files_keep_their_name_and_content(settings: Any, tmp_path: Path) -> None:
    source = 'import"./chunk-ABCD1234.js";url(a.svg)'
    built = tmp_path / "build" / "dist" / "app-ABCD1234.css"
    built.parent.mkdir(parents=True)
    built.write_text(source)
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [tmp_path / "build"], tmp_path / "served"
    call_command("collectstatic", interactive=False, verbosity=0)
    assert {path.name for path in (tmp_path / "served" / "dist").glob("*.css")} == {built.name}
    assert (tmp_path / "served" / "dist" / built.name).read_text() == source
