"""Static files: what the build named keeps its name, and is kept by browsers for ever."""

from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from whitenoise.middleware import WhiteNoiseMiddleware

from console.static import DistStorage


@pytest.fixture
def storage(tmp_path: Any) -> DistStorage:
    return DistStorage(location=str(tmp_path), base_url="/static/")


def test_a_built_file_has_one_name_only(storage: DistStorage) -> None:
    name = "dist/islands-ABCD1234.js"
    assert storage.hashed_name(name) == name
    assert storage.stored_name(name) == name


def test_what_a_built_script_imports_is_not_rewritten(storage: DistStorage, tmp_path: Any) -> None:
    source = 'import"./chunk-ABCD1234.js";url(a.svg)'
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "app-ABCD1234.css").write_text(source)
    list(storage.post_process({"dist/app-ABCD1234.css": (storage, "dist/app-ABCD1234.css")}))
    assert (tmp_path / "dist" / "app-ABCD1234.css").read_text() == source


def test_other_files_get_their_hash_from_django(storage: DistStorage, tmp_path: Any) -> None:
    (tmp_path / "robots.txt").write_text("x")
    assert storage.hashed_name("robots.txt") != "robots.txt"


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("/static/dist/app-FGEORTGG.css", True),
        ("/static/dist/icons-3A89CB53.svg", True),
        ("/static/admin/base.0123456789ab.css", True),
        ("/static/dist/app.css", False),
        ("/static/dist/app-short.css", False),
        ("/static/rosetta/js/rosetta.js", False),
    ],
)
def test_only_a_name_that_changes_with_its_content_is_kept_for_ever(url: str, kept: bool, settings: Any) -> None:
    whitenoise = WhiteNoiseMiddleware(lambda request: None)
    assert bool(whitenoise.immutable_file_test("", url)) is kept


def test_the_storage_in_force_is_this_one() -> None:
    assert isinstance(staticfiles_storage, DistStorage)
