"""Fixtures of all tests but the browser's: tests/support/fixtures.py, and the rows that the console keeps itself."""

from collections.abc import Callable, Mapping

import pytest

from console.files.stored import store_file
from console.lists.saved_views import ListState, StoredViews
from console.models import ImportChoices, ImportFile, ResultContent, SavedView, StoredResult
from groups.tests.stored_presets import preset
from groups.tests.stored_reminders import remind
from overview.tests.stored_entries import create_entry, me
from scanners.models import ExpectedSerial
from scanners.tests.stored_serials import expect

IMPORTS = (
    "/user-manage/clinic/import",
    "/user-manage/clinic/g-1/user/import",
    "/user-manage/user/import",
    "/scanner-manage/expected/import",
)
"""Addresses of imports; the stored files have their positions, from 1, as ids."""

pytest_plugins = ["tests.support.fixtures", "tests.support.catalogs", "tools.repeats"]


@pytest.fixture
def stored_rows() -> Callable[[Mapping[str, str]], None]:
    """Store what pages are about that no fake of the service can answer for, under the ids of their paths."""

    def store(ids: Mapping[str, str]) -> None:
        expect("ABC-123")
        ExpectedSerial.objects.update(id=ids["expected_id"])
        remind(id=int(ids["reminder_id"]))
        preset(ids["preset_id"])
        StoredViews(me()[1]).save("Korea", ListState("/user-manage/clinic", "country=KR&size=25"), is_default=False)
        SavedView.objects.update(id=ids["view_id"])
        create_entry(id=int(ids["entry_id"]), is_bulk=True, key="b" * 64)
        for number, path in enumerate(IMPORTS, start=1):
            row = store_file(me()[1], b"A,B\n1,2\n", ImportChoices(path, back="/user-manage/clinic", header=["A", "B"]))
            ImportFile.objects.filter(pk=row.pk).update(id=number)
        result = ResultContent("/user-manage/clinic/bulk/delete", back="/user-manage/clinic", values={"job": "signed"})
        StoredResult.objects.create(owner=me()[1], content=result)
        create_entry("sign_off", id=int(ids["review_id"]), is_bulk=True, key="c" * 64)

    return store
