"""The check of the project's words finds each forbidden one, and nothing else."""

import subprocess
import sys

import pytest

from tools.words import (
    ADVICE,
    ROOT,
    UNCHECKED,
    check,
    get_reader,
    main,
    tracked,
    words,
)


def check_text(path: str, text: str) -> list[tuple[int, str]]:
    return [(one.line, one.word) for one in check(path, text)]


@pytest.mark.parametrize("word", ADVICE)
def test_each_word_is_found_in_an_identifier_a_comment_a_docstring_and_a_document(word):
    assert check_text("a.py", f"open_{word} = 1\n") == [(1, word)]
    assert check_text("a.py", f"x = 1\n# The {word}, again.\n") == [(2, word)]
    assert check_text("a.py", f'"""Module.\n\nThe {word}.\n"""\n') == [(3, word)]
    assert check_text("a.md", f"# Title\n\nThe {word}.\n") == [(3, word)]
    assert check_text("a.ts", f"// The {word}\n") == [(1, word)]
    assert check_text("a.tsx", f"const a = 1;\nfunction make{word.capitalize()}() {{}}\n") == [(2, word.capitalize())]
    assert check_text("a.css", f"a {{}}\n/* The\n {word} */\n") == [(3, word)]
    assert check_text("templates/a.html", f"{{# The {word} #}}\n<p>{{{{ the_{word}.name }}}}</p>\n") == [
        (1, word),
        (2, word),
    ]
    assert check_text("a.yaml", f"a: 1  # The {word}\n") == [(1, word)]
    assert check_text(f"{word}/a.md", "") == [(1, word)]


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("front_door", ["front", "door"]),
        ("frontDoor", ["front", "Door"]),
        ("FRONT_DOOR", ["FRONT", "DOOR"]),
        ("HTTPDoor2", ["HTTP", "Door"]),
        ("doorHTTP", ["door", "HTTP"]),
        ("outdoors indoor", ["outdoors", "indoor"]),
        ("see https://door.example/door and", ["see", "and"]),
    ],
)
def test_identifiers_are_split_at_underscores_digits_and_changes_of_case(identifier, parts):
    assert list(words(identifier)) == parts


def test_texts_are_not_read():
    assert check_text("a.py", 'label = "Door"\nhelp = ("the door", f"a {x} door")\n') == []
    assert check_text("a.ts", "const a = \"door\", b = 'door', c = `a door ${x} door`, d = /door'/;\n") == []
    assert check_text("templates/a.html", '<p>A door {% translate "door" %}{{ x|default:"door" }}</p>\n') == []
    assert check_text("a.css", ".door { color: red }\n") == []


def test_identifiers_in_template_strings_and_names_of_tests_are_read():
    assert check_text("a.ts", "const a = `x\n${door.name} y`;\n") == [(2, "door")]
    assert check_text("a.test.ts", 'test("the door opens", () => {});\n') == [(1, "door")]
    assert check_text("a.test.ts", 'describe.each(["a"])("the door", () => { it("a door", f); });\n') == [(1, "door")]


def test_a_comment_sign_within_a_text_does_not_begin_a_comment():
    assert check_text("a.ts", 'const url = "https://x/door"; // door\n') == [(1, "door")]
    assert check_text("a.ts", 'const url = "// door";\n') == []
    assert check_text("a.conf", "url a#door;\n") == []


def test_a_finding_says_where_and_what_to_write_instead():
    (finding,) = check("a.md", "The Door.\n")
    assert str(finding) == 'a.md:1: "Door": say "access decorator"'


def test_one_spelling_of_canceled():
    assert check_text("a.py", "is_canceled = cancellation = canceling = True\n") == []
    assert check_text("a.py", "is_cancelled = cancelling = True\n") == [(1, "cancelled"), (1, "cancelling")]


def test_only_the_newest_entry_of_the_changelog_is_checked():
    text = "# Changelog\n\n## 0.2.0\n\nA door.\n\n## 0.1.0\n\nA door.\n"
    assert check_text("CHANGELOG.md", text) == [(5, "door")]


@pytest.mark.parametrize("path", ["locale/de/a.py", "docs/conformance.md", "static_src/types/props.gen.ts", "a.png"])
def test_quotations_generated_files_and_pictures_are_not_checked(path):
    assert check_text(path, "door") == []
    assert get_reader(path) is None


def test_the_command_checks_the_files_below_its_paths(capsys):
    assert main(["tools/__init__.py", "babel.toml"]) == 0
    assert capsys.readouterr().out == "2 files: no forbidden words\n"
    assert "tools/words.py" in tracked(["tools"])
    assert all(not path.startswith("console/") for path in tracked(["tools"]))


def test_the_command_fails_with_a_line_for_each_word(tmp_path):
    (tmp_path / "a.md").write_text("A door\nand a road.\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    code = "import sys, pathlib; from tools import words; words.ROOT = pathlib.Path(sys.argv[1]); "
    command = [sys.executable, "-c", f"{code} sys.exit(words.main([]))", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[:2]) == (
        1,
        ['a.md:1: "door": say "access decorator"', 'a.md:2: "road": say "path, route or way"'],
    )


def test_names_and_prose_have_separate_lists():
    text = '"""What nobody says."""\n\ntold = match.found  # anew\n\n\ndef test_the_place_is_told(): ...\n'
    assert [(one.line, one.word, one.kind) for one in check("a.py", text)] == [
        (1, "What", "docstrings"),
        (1, "nobody", "prose"),
        (3, "anew", "prose"),
        (3, "told", "identifiers"),
        (6, "told", "prose"),
    ]
    assert [one.word for one in check("a.ts", "const told = a.left; // As far as anybody")] == [
        "anybody",
        "as far as",
        "told",
    ]


def test_names_of_others_and_stored_ones_stay():
    assert check("a.py", "raise NotFound from bisect_left\n") == []
    assert [one.word for one in check("a.py", "LabNotFound = who = 1\n")] == ["found", "who"]
    assert check("console/models.py", "who = models.TextField()\n") == []


def test_every_unchecked_pattern_has_files():
    assert all(tracked([pattern]) for pattern in UNCHECKED)
