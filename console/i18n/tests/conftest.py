"""A separate data directory for each test, and catalogs created as needed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polib
import pytest

from console.i18n import po
from console.i18n.languages import TABLE
from tests.support.catalogs import separate_caches

Fill = Callable[..., None]


@pytest.fixture(autouse=True)
def live(tmp_path: Path, settings) -> Iterator[Path]:
    """An empty directory for live catalogs; the caches contain nothing from other tests."""
    root = tmp_path / "locale"
    settings.LIVE_CATALOGS = root
    with separate_caches():
        yield root


@pytest.fixture
def publish_text(live: Path) -> Fill:
    """Write live catalogs with these translations; a text with a plural gets one translation per form."""

    def fill(
        code: str, translations: dict[str | tuple[str | None, str, str | None], str], plural_forms: str = ""
    ) -> None:
        language = next(language for language in TABLE if language.code == code)
        header = plural_forms or language.plural_forms
        catalog = polib.POFile()
        catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": header}
        for message, text in translations.items():
            context, one, many = (None, message, None) if isinstance(message, str) else message
            entry = polib.POEntry(msgctxt=context, msgid=one, msgid_plural=many or "", msgstr="" if many else text)
            if many:
                entry.msgstr_plural = {form: f"{text} {form}" for form in range(po.plural_count(header))}
            catalog.append(entry)
        po.write(po.catalog_path(live, code), str(catalog).encode())
        po.write(po.catalog_path(live, code, "mo"), po.compiled(catalog))

    return fill
