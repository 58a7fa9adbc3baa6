"""What enters by the command line and leaves by its streams: bytes that are not UTF-8, closed streams, encodings, errors."""

import errno
import subprocess
import sys

import pytest
from cli_corpora import article, start

from wdw_build.cli import explained


@pytest.mark.parametrize("command", ["inspect ingest --id", "trace", "export jsonl --json --out"])
def test_an_argument_that_is_not_utf8_is_refused(call, tiny, command):
    call(*command.split(), "a\udcff", "-c", tiny([article("a")])).fails(2, "error: the argument '", "a\\udcff")


@pytest.mark.parametrize("arguments", [["config", "show"], ["run", "ingest"]])
def test_a_closed_standard_output_discards_the_result(tiny, arguments):
    command = [sys.executable, "-m", "wdw_build.cli", *arguments, "-c", str(tiny([article("a")]))]
    closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], capture_output=True, text=True, check=False)
    assert (closed.returncode, "Traceback" in closed.stderr) == (0, False)


def test_a_terminal_with_another_encoding_gets_every_record(call, tiny):
    config = tiny([article("a", text="He said “yes” on it.")])
    call("run", "ingest", "-q", "-c", config).ok()
    with start("inspect", "ingest", "-c", config, PYTHONIOENCODING="latin-1") as process:
        out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    assert "He said \\u201cyes\\u201d on it." in out


def test_the_configuration_is_shown_in_utf8_whatever_the_encoding_of_the_terminal(tiny):
    config = tiny([article("a")], release={"title": "Łódź"})
    command = [sys.executable, "-m", "wdw_build.cli", "config", "show", "-c", str(config)]
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path)}
    shown = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert "title: Łódź\n" in shown.stdout.decode("utf-8")


def test_an_error_cannot_drive_the_terminal(call, tmp_path):
    call("config", "check", "-c", tmp_path / "\u202e\x1b[31mred.yaml").fails(2, "\\u202e\\x1b[31mred.yaml")


def test_an_id_that_is_no_number_is_none_and_the_place_is_the_id(call, tiny):
    config = tiny([article("a"), article(float("nan"))])
    assert "2 written, 0 rejected" in call("run", "ingest", "-c", config).err
    shown = call("inspect", "ingest", "--json", "-c", config).rows
    assert [one["id"] for one in shown] == ["a", "articles.jsonl:2"]


# --- errors of the system ---------------------------------------------------------------------------------------------


ERRORS = [
    (PermissionError(errno.EACCES, "Permission denied", "/proc/x"), "Permission denied: /proc/x", "permissions"),
    (OSError(errno.EADDRINUSE, "Address already in use"), "Address already in use", "give another --port"),
    (OSError(errno.ENOSPC, "No space left on device"), "No space left on device", "make room on the disk"),
]


@pytest.mark.parametrize(("error", "message", "hint"), ERRORS)
def test_an_error_of_the_system_is_answered_with_what_to_do(error, message, hint):
    told = explained(error)
    assert (told.message, hint in told.hint) == (message, True)


# --- the folder of a run in place of its configuration ------------------------------------------------------------------


def test_the_folder_of_a_run_and_its_output_folder_stand_for_its_configuration(call, tiny, tmp_path):
    config = tiny([article("a")])
    call("run", "ingest", "-c", config).ok()
    shown = call("inspect", "ingest", "-c", config)
    for folder in (tmp_path / "out" / "runs" / "tiny", tmp_path / "out"):
        assert call("inspect", "ingest", "-c", folder) == shown
        assert call("run", "ingest", "-c", folder).out == "nothing to do: up to date\n"


def test_a_run_that_was_moved_is_not_taken_for_the_run_at_the_former_place(call, tiny, tmp_path):
    call("run", "ingest", "-c", tiny([article("a")])).ok()
    (tmp_path / "out" / "runs" / "tiny").rename(tmp_path / "moved")
    call("inspect", "ingest", "-c", tmp_path / "moved").fails(2, f"{tmp_path / 'moved'} was moved")


@pytest.mark.parametrize("command", ["all", "status", "inspect ingest", "config show"])
def test_a_folder_without_a_run_is_not_a_configuration(call, tmp_path, command):
    call(*command.split(), "-c", tmp_path).fails(2, "is a folder, and not a configuration file")
