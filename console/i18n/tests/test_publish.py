"""Publishing catalogs: from the code to the repository to the data directory."""

import fcntl
import json
import os
import shutil

import polib
import pytest
from django.core.management import CommandError, call_command

from console.i18n import catalogs, checks, po, publish, resources
from console.i18n.languages import TABLE, Language

FRENCH, POLISH = (next(row for row in TABLE if row.code == code) for code in ("fr", "pl"))


def entry(text: str, translation: str = "", plural: str = "", forms: dict[int, str] | None = None) -> polib.POEntry:
    return polib.POEntry(
        msgid=text, msgstr=translation, msgid_plural=plural, msgstr_plural=forms or {}, occurrences=[("a.py", "")]
    )


def template(*entries: polib.POEntry) -> polib.POFile:
    catalog = polib.POFile(wrapwidth=po.WIDTH)
    catalog.extend(entries)
    return catalog


@pytest.fixture
def shipped(tmp_path):
    """The catalogs of a repository: three texts, none translated."""
    root = tmp_path / "shipped"
    publish.update(template(entry("A"), entry("B"), entry("%(n)s x", plural="%(n)s xs")), root)
    return root


def find(catalog: polib.POFile, text: str) -> polib.POEntry:
    return next(entry for entry in catalog if entry.msgid == text)


def set_text(root, language: Language, text: str, translation: str) -> None:
    """Change one entry of one catalog, like a translator."""
    path = po.catalog_path(root, language.code)
    catalog = po.read(path)
    find(catalog, text).msgstr = translation
    po.write(path, str(catalog).encode())


def live_text(live, language: Language, text: str) -> str | None:
    entry = po.read(po.catalog_path(live, language.code)).find(text)
    return entry.msgstr if entry else None


def snapshot(root) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_the_first_deployment_makes_and_compiles_every_catalog(shipped, live):
    set_text(shipped, FRENCH, "A", "Un")

    publish.deploy(shipped)

    assert live_text(live, FRENCH, "A") == "Un"
    assert all(po.catalog_path(live, language.code, "mo").exists() for language in TABLE)
    assert find(po.read(po.catalog_path(live, "pl")), "%(n)s x").msgstr_plural == {0: "", 1: "", 2: ""}


def test_a_text_edited_in_the_installation_wins_over_the_shipped_one(shipped, live):
    set_text(shipped, FRENCH, "A", "ship A")
    set_text(shipped, FRENCH, "B", "ship B")
    publish.deploy(shipped)
    set_text(live, FRENCH, "B", "live B")

    set_text(shipped, FRENCH, "A", "ship A2")
    set_text(shipped, FRENCH, "B", "ship B2")
    publish.deploy(shipped)

    assert live_text(live, FRENCH, "A") == "ship A2"
    assert live_text(live, FRENCH, "B") == "live B"


def test_an_edit_that_was_adopted_by_the_repository_is_no_longer_an_edit(shipped, live):
    publish.deploy(shipped)
    set_text(live, FRENCH, "B", "live B")
    set_text(shipped, FRENCH, "B", "live B")
    publish.deploy(shipped)

    set_text(shipped, FRENCH, "B", "ship B3")
    publish.deploy(shipped)

    assert live_text(live, FRENCH, "B") == "ship B3"


def test_texts_of_the_release_before_stay_until_its_processes_are_gone(shipped, live):
    set_text(shipped, FRENCH, "B", "ship B")
    publish.deploy(shipped)

    publish.update(template(entry("A"), entry("New")), shipped)
    for _host in range(2):  # each host deploys
        publish.deploy(shipped)
        compiled = polib.mofile(str(po.catalog_path(live, "fr", "mo")))
        assert [(e.msgid, e.msgstr) for e in compiled] == [("B", "ship B")]
        assert live_text(live, FRENCH, "New") == ""

    publish.update(template(entry("A"), entry("Newer")), shipped)
    publish.deploy(shipped)
    assert len(polib.mofile(str(po.catalog_path(live, "fr", "mo")))) == 0


def test_islands_get_the_texts_of_the_release_before_too(shipped, live, tmp_path, monkeypatch):
    monkeypatch.setattr(po, "ISLAND_MESSAGES", tmp_path / "island_messages.json")
    texts = []
    for text in ("Old", "New", "New", "Newest"):  # each host deploys
        publish.update(template(entry("A"), entry(text)), shipped)
        set_text(shipped, FRENCH, text, f"{text} en français")
        po.write(po.ISLAND_MESSAGES, json.dumps([[None, text, None]]).encode())
        publish.deploy(shipped)
        catalogs.refresh()
        texts.append(sorted(json.loads(resources.resources("fr-FR")[1])))
    assert texts == [["Old"], ["New", "Old"], ["New", "Old"], ["New", "Newest"]]


def test_an_edit_of_a_text_that_is_gone_stays_as_a_suggestion(shipped, live):
    publish.deploy(shipped)
    set_text(live, FRENCH, "B", "live B")

    for text in ("New", "Newer", "Newest"):
        publish.update(template(entry("A"), entry(text)), shipped)
        publish.deploy(shipped)

    (suggestion,) = [e for e in po.read(po.catalog_path(live, "fr")) if e.obsolete]
    assert (suggestion.msgid, suggestion.msgstr) == ("B", "live B")


def test_the_translation_of_a_changed_text_is_a_suggestion_for_the_new_one(shipped):
    publish.update(template(entry("Delete the users of this clinic"), entry("Gone")), shipped)
    set_text(shipped, FRENCH, "Delete the users of this clinic", "Supprimer les utilisateurs")
    set_text(shipped, FRENCH, "Gone", "Parti")
    code = template(entry("Delete all users of this clinic"), entry("Else"))

    publish.update(code, shipped)

    catalog = po.read(po.catalog_path(shipped, "fr"))
    changed = find(catalog, "Delete all users of this clinic")
    assert changed.fuzzy
    assert (changed.msgstr, changed.previous_msgid) == ("Supprimer les utilisateurs", "Delete the users of this clinic")
    assert find(catalog, "Else").msgstr == ""
    assert {e.msgid: e.msgstr for e in catalog if e.obsolete} == {
        "Delete the users of this clinic": "Supprimer les utilisateurs",
        "Gone": "Parti",
    }
    assert publish.stale(code, shipped) == []
    assert publish.progress(FRENCH, shipped).translated == 0


def test_a_text_that_comes_back_has_its_translation_again(shipped):
    set_text(shipped, FRENCH, "B", "Deux")
    publish.update(template(entry("A")), shipped)

    publish.update(template(entry("A"), entry("B")), shipped)

    assert find(po.read(po.catalog_path(shipped, "fr")), "B").msgstr == "Deux"


@pytest.mark.req("LN-32")
@pytest.mark.parametrize("location", ["shipped", "live"])
@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (lambda data: data[: data.index(b'#: a.py\nmsgid "B"')], "2 of 3 messages are missing; restore the file"),
        (lambda data: data.replace(b'msgstr "Un"', b'msgstr "Un'), "is no line of a catalog"),
        (lambda data: data.replace(b'msgstr "Un"', b'msgstr "\xe9"'), "is not UTF-8"),
        (lambda data: data.replace(b'msgid "A"', b'<<<<<<< HEAD\nmsgid "A"'), "is no line of a catalog"),
    ],
)
def test_a_damaged_catalog_is_refused_by_its_name_and_never_merged_away(shipped, live, location, damage, fault):
    set_text(shipped, FRENCH, "A", "Un")
    publish.deploy(shipped)
    root = {"shipped": shipped, "live": live}[location]
    path = po.catalog_path(root, "fr")
    path.write_bytes(damage(path.read_bytes()))
    before = snapshot(root)

    with pytest.raises(ValueError, match=fault) as refused:
        publish.update(
            template(entry("A"), entry("B"), entry("C")), shipped
        ) if location == "shipped" else publish.deploy(shipped)

    assert str(refused.value).startswith(str(path))
    changed = {name for name, data in snapshot(root).items() if before[name] != data}
    assert not [name for name in changed if name.startswith("fr/")]
    assert location == "live" or not changed


def test_that_messages_are_missing_can_be_accepted(shipped):
    set_text(shipped, FRENCH, "A", "Un")
    path = po.catalog_path(shipped, "fr")
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b'#: a.py\nmsgid "B"')])

    publish.update(template(entry("A"), entry("B")), shipped, drop=True)

    assert [(e.msgid, e.msgstr) for e in po.read(path)] == [("A", "Un"), ("B", "")]


def test_a_translators_note_and_an_unfinished_text_are_kept(shipped, live):
    publish.deploy(shipped)
    path = po.catalog_path(live, "fr")
    catalog = po.read(path)
    edited = find(catalog, "B")
    edited.msgstr, edited.tcomment, edited.flags = "live B", "as in the manual", ["fuzzy"]
    po.write(path, str(catalog).encode())

    publish.deploy(shipped)

    entry = find(po.read(path), "B")
    assert (entry.msgstr, entry.tcomment, entry.fuzzy) == ("live B", "as in the manual", True)


def test_a_second_deployment_changes_nothing(shipped, live):
    set_text(shipped, FRENCH, "A", "ship A")
    publish.deploy(shipped)
    set_text(live, FRENCH, "B", "live B")
    publish.deploy(shipped)
    before = snapshot(live)

    publish.deploy(shipped)

    assert snapshot(live) == before


def test_deploying_again_reads_no_catalog_unless_something_changed(shipped, live, monkeypatch):
    publish.update(template(entry("A"), entry("B")), shipped)
    publish.deploy(shipped)
    paths = []
    read = po.read

    def record(path, **options):
        paths.append(path)
        return read(path, **options)

    monkeypatch.setattr(po, "read", record)

    publish.deploy(shipped)
    assert paths == []

    for change in (
        lambda: set_text(shipped, FRENCH, "A", "ship A"),
        lambda: set_text(live, FRENCH, "B", "live B"),
        po.catalog_path(live, "fr", "mo").unlink,
        po.catalog_path(live, "fr").unlink,
        po.live_island_messages(live).unlink,
        (live / ".format").unlink,
        lambda: monkeypatch.setattr(publish, "FORMAT", "2"),
    ):
        change()
        paths.clear()
        publish.deploy(shipped)
        assert po.catalog_path(shipped, "fr") in paths
        assert po.catalog_path(live, "fr", "mo").exists()


def test_a_killed_deployment_leaves_complete_files_and_the_next_one_finishes_it(shipped, live, monkeypatch):
    publish.deploy(shipped)
    set_text(live, POLISH, "B", "live B")
    for language in TABLE:
        set_text(shipped, language, "A", "ship A")
    expected_after = live.with_name("expected")
    shutil.copytree(live, expected_after)
    publish.deploy(shipped, expected_after)
    replace = os.replace
    calls: list[object] = []

    def killed(source, target):
        calls.append(target)
        if len(calls) == 5:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            publish.deploy(shipped)
    for language in TABLE:
        assert len(po.read(po.catalog_path(live, language.code))) == 3
        assert polib.mofile(str(po.catalog_path(live, language.code, "mo"))) is not None

    publish.deploy(shipped)

    assert snapshot(live) == snapshot(expected_after)


def test_a_deployment_waits_for_other_writers(shipped, live):
    with po.lock(live), open(live / ".lock", "a") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with po.lock(live, write=False), open(live / ".lock", "a") as other:
        fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)
        with open(live / ".lock", "a") as third, pytest.raises(BlockingIOError):
            fcntl.flock(third, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_compiling_publishes_what_is_in_the_live_catalogs(shipped, live):
    publish.deploy(shipped)
    set_text(live, FRENCH, "A", "Un")

    publish.compile_live()

    compiled = polib.mofile(str(po.catalog_path(live, "fr", "mo")))
    assert [(entry.msgid, entry.msgstr) for entry in compiled] == [("A", "Un")]


def test_an_update_keeps_translations_and_a_second_one_changes_nothing(shipped):
    set_text(shipped, FRENCH, "A", "Un")
    code = template(entry("A"), entry("C"))
    assert len(publish.stale(code, shipped)) == len(TABLE)

    publish.update(code, shipped)

    assert [(e.msgid, e.msgstr) for e in po.read(po.catalog_path(shipped, "fr"))] == [("A", "Un"), ("C", "")]
    assert publish.stale(code, shipped) == []


@pytest.mark.req("LN-32")
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (POLISH.plural_forms, FRENCH.plural_forms, "the Plural-Forms are not those of the table"),
        ("Language: pl", "Language: fr", "the header names another language"),
        ('msgstr[2] ""\n', "", "not 3 plural forms: '%(n)s x'"),
        ('msgid "B"', 'msgid "A"', "is there 2 times: 'A'"),
        ('msgid "B"\nmsgstr ""', 'msgid "B"\nmsgstr "B "', "space at an end: 'B'"),
    ],
)
def test_a_fault_in_a_catalog_is_named(shipped, old, new, fault):
    path = po.catalog_path(shipped, "pl")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))

    assert list(publish.faults(POLISH, shipped)) == [f"pl/django.po: {fault}"]


def test_a_missing_or_broken_catalog_is_named(shipped):
    path = po.catalog_path(shipped, "pl")
    path.write_text('msgid "')
    assert "django.po" in next(publish.faults(POLISH, shipped))

    path.unlink()
    assert list(publish.faults(POLISH, shipped)) == ["pl/django.po: is missing"]


def test_progress_counts_what_is_translated_and_english_is_complete(shipped):
    set_text(shipped, FRENCH, "A", "Un")

    assert (publish.progress(FRENCH, shipped).translated, publish.progress(FRENCH, shipped).total) == (1, 3)
    assert publish.progress(TABLE[0], shipped).complete


def test_a_release_without_the_sources_is_not_extracted_from(monkeypatch, tmp_path):
    """The texts of the islands would leave its catalogs."""
    monkeypatch.setattr("console.management.commands.messages.ROOT", tmp_path)
    before = po.ISLAND_MESSAGES.read_bytes()
    with pytest.raises(CommandError, match="prepare"):
        call_command("messages")
    assert po.ISLAND_MESSAGES.read_bytes() == before


@pytest.mark.slow
def test_the_command_deploys_without_development_tools(live):
    call_command("messages", "deploy")
    assert checks.catalogs_are_deployed() == []

    po.catalog_path(live, "fr", "mo").unlink()
    assert "fr-FR" in checks.catalogs_are_deployed()[0].msg

    call_command("messages", "compile")
    assert checks.catalogs_are_deployed() == []


def test_the_system_check_requires_the_same_table_everywhere(settings):
    assert checks.one_table() == []

    settings.LANGUAGES = settings.LANGUAGES[1:]
    assert [message.id for message in checks.one_table()] == ["i18n.E001"]


def test_the_system_check_requires_writable_catalogs(live, deployed, monkeypatch):
    shutil.copytree(deployed, live)
    assert checks.live_catalogs_are_writable() == []

    refused = po.catalog_path(live, "fr")
    allowed = os.access  # root may write anything, so os.access is replaced instead of changing the file's mode
    monkeypatch.setattr(os, "access", lambda path, mode: path != refused and allowed(path, mode))
    assert [message.msg for message in checks.live_catalogs_are_writable()] == [
        "The catalog of fr-FR can't be written."
    ]
