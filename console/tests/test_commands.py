"""The commands of operators: their manuals, and a failing database is reported in one sentence."""

import fcntl
import os
import sqlite3
import subprocess
import sys

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command, find_commands, load_command_class
from django.db import DatabaseError, OperationalError, connection

from console.management.manual import ManualCommand
from console.models import Draft

pytestmark = pytest.mark.sql

COMMANDS = {
    name: config.name
    for config in apps.get_app_configs()
    if not config.name.startswith("django.")
    for name in find_commands(f"{config.path}/management")
    if not config.path.endswith("site-packages/" + config.name)
}


def test_all_commands_are_found():
    commands = {"sessions", "keys", "drafts", "clearsessions", "translator", "activity", "prepare"}
    assert commands | {"forget_expected", "forget_reminders", "forget_presets"} <= COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_is_a_manual(name):
    command = load_command_class(COMMANDS[name], name)
    assert isinstance(command, ManualCommand)
    manual = command.create_parser("manage.py", name).format_help()
    parts = ["What it does:\n", "What it never does:\n", "Exit codes:\n", "Example:\n"]
    for part in parts:
        assert manual.partition(part)[2].split("\n")[0].strip(), part
    assert sorted(parts, key=manual.index) == parts
    assert f"manage.py {name}" in manual.partition("Example:\n")[2]


@pytest.mark.parametrize("words", [("sessions", "end"), ("keys", "rotate"), ("drafts", "purge"), ("translator", "add")])
def test_the_help_of_a_subcommand_is_a_manual_too(capsys, words):
    with pytest.raises(SystemExit) as ended:
        call_command(*words, "--help")
    assert ended.value.code == 0
    assert "What it never does:" in capsys.readouterr().out


@pytest.mark.django_db
def test_drafts_are_purged_before_their_time(capsys):
    for key in "ab":
        Draft.objects.create(key=key, content="typed")
    call_command("drafts", "purge")
    assert not Draft.objects.exists()
    assert capsys.readouterr().out == "2 drafts removed\n"


@pytest.mark.django_db
@pytest.mark.parametrize("words", [("drafts", "purge"), ("keys", "rotate"), ("sessions", "end", "--all")])
@pytest.mark.parametrize(
    "error", [OperationalError("database or disk is full"), DatabaseError("file is not a database")], ids=str
)
def test_a_failing_database_is_reported_in_a_sentence(words, error):
    def refuse(*_: object) -> None:
        raise error from sqlite3.DatabaseError(str(error))

    with connection.execute_wrapper(refuse), pytest.raises(CommandError, match=f"can't be used: {error}"):
        call_command(*words)


@pytest.mark.django_db
def test_input_in_another_encoding_is_reported_in_a_sentence():
    with pytest.raises(CommandError, match=r"^What was typed is not in UTF-8\.$"):
        call_command("translator", "disable", "J\udcf6rg")


@pytest.mark.django_db
def test_a_folder_that_can_not_be_written_is_reported_in_a_sentence(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(CommandError, match=r"A file can't be used: .*taken"):
        call_command("messages", "export", "--to", str(tmp_path / "taken"))


def test_the_demo_needs_no_variables():
    variables = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    ended = subprocess.run(
        [sys.executable, "manage.py", "demo", "--help"], env=variables, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def start_demo(**variables):
    """Start a demo that must not start to serve."""
    variables = {**{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}, **variables}
    command = [sys.executable, "manage.py", "demo", "--port", "0", "--handler-port", "0", "--api-port", "0"]
    return subprocess.run(command, env=variables, capture_output=True, text=True)  # noqa: S603 - our own command


def test_two_demos_do_not_share_a_folder(tmp_path):
    (tmp_path / "secret-key").write_text("k" * 60)
    with (tmp_path / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ended = start_demo(DATA_DIR=str(tmp_path))
    text = f"CommandError: Another demo uses {tmp_path}. Stop it, or set DATA_DIR to another folder.\n"
    assert (ended.returncode, ended.stderr) == (1, text)
    assert not list(tmp_path.glob("*.sqlite3"))


def test_the_demo_leaves_a_folder_with_other_data_alone(tmp_path):
    (tmp_path / "console.sqlite3").write_text("")
    ended = start_demo(DATA_DIR=str(tmp_path))
    text = f"{tmp_path} holds other data than a demo's. Set DATA_DIR to another folder.\n"
    assert (ended.returncode, ended.stderr) == (1, text)
    assert [path.name for path in tmp_path.iterdir()] == ["console.sqlite3"]


@pytest.mark.parametrize("command", ["check", "prepare"])
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("CONSOLE_ENV", "production", "CONSOLE_ENV is one of dev, stage, prod."),
        ("TRANSLATE_ENABLED", "maybe", "TRANSLATE_ENABLED is true or false."),
        ("SECRET_KEY", "", "The SECRET_KEY setting must not be empty."),
    ],
)
def test_a_wrong_variable_stops_a_command_with_its_sentence(command, name, value, sentence):
    variables = {**os.environ, name: value, "DJANGO_SETTINGS_MODULE": "console.settings"}
    arguments = [sys.executable, "manage.py", command]
    ended = subprocess.run(arguments, env=variables, capture_output=True, text=True)  # noqa: S603 - our own command
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
