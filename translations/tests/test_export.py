"""Export of translators' changes into the repository's catalogs."""

import pytest
from django.core.management import call_command

from console.i18n import edits, po
from console.models import Edit, EditVersion

pytestmark = pytest.mark.sql


@pytest.mark.django_db
def test_an_export_has_what_was_changed_and_nothing_else(tmp_path):
    texts = ("%(count)s clinic", "%(count)s clinics")
    Edit.objects.create(
        code="de",
        message=edits.message_hash((None, *texts)),
        text=texts[0],
        plural=texts[1],
        forms=["%(count)s Praxis X", "%(count)s Praxen X"],
        former=["", ""],
        author="Mara",
        state=Edit.State.PUBLISHED,
    )
    EditVersion.objects.create(number=1)
    call_command("messages", "export", to=tmp_path)
    written = po.by_key(po.read(po.catalog_path(tmp_path, "de")))
    shipped = po.by_key(po.read(po.catalog_path(po.SHIPPED, "de")))
    differing = {key for key in shipped if po.translated_texts(written[key]) != po.translated_texts(shipped[key])}
    assert differing == {(None, *texts)}
    assert po.translated_texts(written[None, *texts]) == ["%(count)s Praxis X", "%(count)s Praxen X"]
    assert po.catalog_path(tmp_path, "fr").read_bytes() == po.catalog_path(po.SHIPPED, "fr").read_bytes()
