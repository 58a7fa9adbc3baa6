"""Progress goes to stderr: a bar, lines, or nothing; text of articles cannot drive the terminal."""

import pickle
import sys

import pytest

from wdw_build.core import progress
from wdw_build.core.progress import Progress, choose_mode, printable


def test_quiet_says_nothing(capsys):
    quiet = Progress("quiet")
    with quiet.bar("toy", 3, "articles") as bar:
        bar.advance(3)
    quiet.say("hello")
    assert capsys.readouterr() == ("", "")


def test_a_log_line_cannot_drive_the_terminal(capsys):
    Progress("lines").say("a\x1b[31m\u202eb\nc")
    assert capsys.readouterr().err == "a\\x1b[31m\\u202eb\nc\n"


def test_lines_come_at_intervals_with_count_and_total(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_LINE_EVERY_SECONDS", 0.0)
    with Progress("lines").bar("toy", 3, "articles") as bar:
        bar.advance()
        bar.advance(2)
    with Progress("lines").bar("toy", None, "articles") as bar:
        bar.advance()
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors == "toy: 1 of 3 articles\ntoy: 3 of 3 articles\ntoy: 1 articles\n"


def test_a_quick_stage_prints_no_line(capsys):
    with Progress("lines").bar("toy", 1000, "articles") as bar:
        for _ in range(1000):
            bar.advance()
    assert capsys.readouterr().err == ""


def test_records_of_an_earlier_run_are_shown_and_do_not_count_for_the_rate(capsys, monkeypatch):
    monkeypatch.setattr("tqdm.std.tqdm.monitor_interval", 0)
    monkeypatch.setattr("tqdm.std.tqdm.refresh", lambda *_, **__: None)
    with Progress("bar").bar("toy", 1000, "articles", done=900) as bar:
        assert bar._bar.n == 900
        assert bar._bar.format_dict["initial"] == 900


def test_a_bar_reaches_a_count_and_never_goes_back(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_LINE_EVERY_SECONDS", 0.0)
    with Progress("lines").bar("toy", 20, "articles") as bar:
        bar.advance(5)
        bar.reach(3)
        bar.reach(10)
    assert capsys.readouterr().err == "toy: 5 of 20 articles\ntoy: 10 of 20 articles\n"


def test_a_bar_shows_nothing_in_another_process(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_LINE_EVERY_SECONDS", 0.0)
    pickle.loads(pickle.dumps(Progress("lines").bar("toy", 20, "articles"))).advance(5)
    assert capsys.readouterr().err == ""


def test_a_bar_that_counts_past_its_total_raises_the_total(monkeypatch):
    monkeypatch.setattr("tqdm.std.tqdm.monitor_interval", 0)
    monkeypatch.setattr("tqdm.std.tqdm.refresh", lambda *_, **__: None)
    with Progress("bar").bar("toy", 3, "articles") as bar:
        bar.advance(5)
        assert (bar._bar.n, bar._bar.total) == (5, 5)


def test_a_bar_writes_to_stderr_only(capsys, monkeypatch):
    monkeypatch.setattr("tqdm.std.tqdm.monitor_interval", 0)
    with Progress("bar").bar("toy", 3, "articles") as bar:
        bar.advance(3)
    out, errors = capsys.readouterr()
    assert out == ""
    assert "3/3" in errors


def test_the_log_goes_to_stderr(capsys):
    Progress("lines").say("hello")
    assert capsys.readouterr() == ("", "hello\n")


@pytest.mark.parametrize(
    ("quiet", "terminal", "mode"), [(True, True, "quiet"), (False, True, "bar"), (False, False, "lines")]
)
def test_the_mode_follows_the_option_and_the_terminal(monkeypatch, quiet, terminal, mode):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    assert choose_mode(quiet) == mode


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann Bär 😀", "Ann Bär 😀"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("\x9b31m", "\\x9b31m"),
    ],
)
def test_control_characters_are_escaped(text, shown):
    assert printable(text) == shown
    printable(text).encode("utf-8")
