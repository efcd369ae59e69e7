"""A report about the translations for a person: pofilter's questions, and words that no dictionary has.

`python -m tools.proofread [TAG…]`. It fails no build, because most of its findings are right: a dictionary knows
neither the trade's words nor every compound. Certain faults are found by `console.i18n.wording`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import polib

from console.i18n import po
from console.i18n.languages import TABLE, Language
from tests.support import debian, throwaway

TOOLKIT = "translate-toolkit==3.20.4"
MISSING = "This report needs hunspell and found none. Install it (on Debian or Ubuntu: apt-get install hunspell)."
# The name of each dictionary, and Debian's package of it. Chinese and Japanese have none; Thai separates no words.
DICTIONARIES = {
    "ko-KR": ("ko_KR", "hunspell-ko"),
    "fr-FR": ("fr_FR", "hunspell-fr"),
    "it-IT": ("it_IT", "hunspell-it"),
    "es-ES": ("es_ES", "hunspell-es"),
    "de-DE": ("de_DE", "hunspell-de-de"),
    "ru-RU": ("ru_RU", "hunspell-ru"),
    "pt-BR": ("pt_BR", "hunspell-pt-br"),
    "ro-RO": ("ro_RO", "hunspell-ro"),
    "el-GR": ("el_GR", "hunspell-el"),
    "tr-TR": ("tr_TR", "hunspell-tr"),
    "cs-CZ": ("cs_CZ", "hunspell-cs"),
    "pl-PL": ("pl_PL", "hunspell-pl"),
    "ar-EG": ("ar_EG", "hunspell-ar"),
    "sv-SE": ("sv_SE", "hunspell-sv"),
    "nl-NL": ("nl", "hunspell-nl"),
    "vi-VN": ("vi_VN", "hunspell-vi"),
}
# They question every second text of a language with its own way to write numbers, capitals or questions, or without
# articles; `console.i18n.wording` checks the marks with each language's own rules.
LOUD = [
    *("startpunc", "startcaps", "endpunc", "puncspacing", "brackets", "doublequoting"),
    *("simplecaps", "simpleplurals", "sentencecount"),
]
_IGNORED = re.compile(r"%\(\w+\)s|</?\w+[^>]*>|\S+@\S+|\S*[/_.]\w\S*")
_WORD = re.compile(r"[^\W\d_]+(?:['’·-][^\W\d_]+)*")
_MARKS = dict.fromkeys(range(1611, 1619))  # the vowels of Arabic, which dictionaries leave out


def questions(language: Language) -> Iterator[tuple[str, str, str]]:
    """Yield each question of pofilter about a catalog: the check's name, the English text, the translation."""
    python = throwaway.python("translate-toolkit", TOOLKIT)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "found.po")
        excluded = [f"--excludefilter={name}" for name in LOUD]
        command = [str(python.with_name("pofilter")), "--progress=none", f"--language={language.code}", *excluded]
        subprocess.run([*command, str(po.catalog_path(po.SHIPPED, language.code)), str(output)], check=True)
        for entry in polib.pofile(str(output)) if output.exists() else ():
            for name in re.findall(r"\(pofilter\) (\w+)", entry.tcomment):
                yield name, entry.msgid, " ‖ ".join(po.translated_texts(entry))


def unknown_words(language: Language) -> dict[str, list[str]]:
    """Return the words that the dictionary of a language lacks, with the texts that hold them."""
    name, _package = DICTIONARIES[language.tag]
    texts_by_word: defaultdict[str, list[str]] = defaultdict(list)
    for entry in polib.pofile(str(po.catalog_path(po.SHIPPED, language.code))):
        english = set(_WORD.findall(entry.msgid))
        for text in () if entry.obsolete else po.translated_texts(entry):
            for word in set(_WORD.findall(_IGNORED.sub(" ", text).translate(_MARKS))) - english:
                texts_by_word[word.replace("’", "'")].append(text)
    command = ["hunspell", "-i", "utf-8", "-d", name, "-l"]
    answer = subprocess.run(command, input="\n".join(texts_by_word), capture_output=True, text=True, check=True)
    # Hunspell names the unknown parts of a word that holds a mark, and short articles ("all'elenco") are unknown to it.
    unknown = set(answer.stdout.split())
    return {
        word: texts
        for word, texts in texts_by_word.items()
        if word in unknown or unknown & set(re.split("[·-]", word.rpartition("'")[2]))
    }


def report(language: Language) -> Iterator[str]:
    results = list(questions(language))
    counts = ", ".join(f"{name} {count}" for name, count in Counter(name for name, *_ in results).most_common())
    yield f"{language.tag}: {len(results)} questions of pofilter ({counts})"
    yield from (f"  {name}: {english!r} -> {text!r}" for name, english, text in sorted(results))
    if language.tag in DICTIONARIES:
        words = unknown_words(language)
        yield f"{language.tag}: {len(words)} words that its dictionary lacks"
        yield from (f"  {word} ({len(texts)}): {texts[0]!r}" for word, texts in sorted(words.items()))


def main() -> int:
    chosen = [language for language in TABLE[1:] if not sys.argv[1:] or language.tag in sys.argv[1:]]
    debian.install("hunspell", *(DICTIONARIES[one.tag][1] for one in chosen if one.tag in DICTIONARIES))
    if not shutil.which("hunspell"):
        print(MISSING, file=sys.stderr)  # noqa: T201 - said to who runs the command
        return 1
    for language in chosen:
        print("\n".join(report(language)))  # noqa: T201 - the report
    return 0


if __name__ == "__main__":
    sys.exit(main())
