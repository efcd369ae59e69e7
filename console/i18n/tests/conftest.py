"""A data directory of its own for each test of the languages, and catalogues made up on the spot."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polib
import pytest
from django.utils import translation

from console.i18n import catalogs, po, resources
from console.i18n.languages import TABLE

Fill = Callable[..., None]


@pytest.fixture(autouse=True)
def live(tmp_path: Path, settings) -> Iterator[Path]:
    """The live catalogues' directory, empty; nothing of another test is left in the caches."""
    root = tmp_path / "locale"
    settings.LOCALE_PATHS = [root]
    _forget()
    yield root
    _forget()


@pytest.fixture
def publish_text(live: Path) -> Fill:
    """Write live catalogues in which these texts are translated; a text with a plural gets one text per form."""

    def fill(
        code: str, translations: dict[str | tuple[str | None, str, str | None], str], plural_forms: str = ""
    ) -> None:
        language = next(language for language in TABLE if language.code == code)
        header = plural_forms or language.plural_forms
        catalogue = polib.POFile()
        catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": header}
        for message, text in translations.items():
            context, one, many = (None, message, None) if isinstance(message, str) else message
            entry = polib.POEntry(msgctxt=context, msgid=one, msgid_plural=many or "", msgstr="" if many else text)
            if many:
                entry.msgstr_plural = {form: f"{text} {form}" for form in range(po.plural_count(header))}
            catalogue.append(entry)
        po.write(po.path_of(live, code), str(catalogue).encode())
        po.write(po.path_of(live, code, "mo"), po.compiled(catalogue))

    return fill


def _forget() -> None:
    catalogs._seen.clear()
    catalogs._python._translations.clear()
    catalogs._django._translations.clear()
    resources._build.cache_clear()
    translation.deactivate()
