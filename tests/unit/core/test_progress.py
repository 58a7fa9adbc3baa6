"""Progress goes to stderr: a bar, lines, or nothing; text of articles cannot drive the terminal."""

import pickle
import sys

import pytest

from support import toy_pipeline
from support.terminal import stderr_on_terminal
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


@pytest.fixture
def seconds(monkeypatch):
    """The clock, which stands at the first item."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


BARS = [
    (1000, 900, 79, "toy:  95%|", "| 950/1000 [00:10<00:10,  5.00 articles/s]"),
    (40, 0, 79, "toy: 100%|", "| 50/50 [00:10<00:00,  5.00 articles/s]"),
    (None, 0, 79, "toy: 50 articles", " [00:10,  5.00 articles/s]"),
    (None, 0, 12, "toy: ", "arti"),
]


@pytest.mark.parametrize(("total", "done", "width", "begins", "ends"), BARS)
def test_a_bar_fits_its_line_and_its_rate_counts_only_this_run(seconds, total, done, width, begins, ends):
    bar = Progress().bar("toy", total, "articles", done)
    seconds[0] = 10.0
    bar.advance(50)
    line = bar.line(width)
    assert len(line) <= width
    assert (line[: len(begins)], line[-len(ends) :]) == (begins, ends)


def test_what_is_left_of_a_run_follows_from_the_stages_that_ran(seconds):
    run = Progress().stages({"a": 5, "b": 1, "c": 2, "d": 3})
    run.begin("b")
    assert run.line(79) == "stage 2 of 4: b, 00:00 elapsed"
    seconds[0] = 60.0
    run.begin("c")
    seconds[0] = 90.0
    assert run.line(79) == "stage 3 of 4: c, 01:30 elapsed, about 04:30 left"
    seconds[0] = 3690.0
    assert run.line(79) == "stage 3 of 4: c, 1:01:30 elapsed"


def test_without_a_terminal_a_stage_has_a_line_if_the_last_line_is_ten_seconds_old(seconds, capsys):
    run = Progress("lines").stages({"a": 1, "b": 1, "c": 2})
    for at, stage in ((5.0, "a"), (15.0, "b"), (20.0, "c")):
        seconds[0] = at
        run.begin(stage)
    assert capsys.readouterr() == ("", "stage 2 of 3: b, 00:15 elapsed, about 00:45 left\n")


def test_messages_of_this_and_other_processes_have_their_own_lines_above_the_bars(monkeypatch):
    with stderr_on_terminal(80, monkeypatch) as terminal:
        shown = Progress("bar")
        with shown.stages({"a": 1, "b": 1}) as run, shown.bar("outer", None, "records"):
            run.begin("b")
            with shown.bar("inner", 2, "records") as bar:
                bar.advance()
                shown.say("here")
                pickle.loads(pickle.dumps(shown)).say("there")
                shown.say("again")
    screens = list(terminal.screens())
    assert any(screen[-1].startswith("inner: ") and screen[-2].startswith("stage 2 of 2") for screen in screens)
    assert screens[-1] == ("here", "there", "again", "")


def test_a_run_on_a_terminal_has_a_line_for_the_run_and_one_for_its_stage(tmp_path, monkeypatch):
    with stderr_on_terminal(80, monkeypatch) as terminal:
        pipeline = toy_pipeline.pipeline(tmp_path)
        pipeline.progress = Progress("bar")
        pipeline.run()
    screens = list(terminal.screens())
    bars = [[line for line in screen if line not in screens[-1]] for screen in screens]
    assert max(map(len, bars)) == 2
    assert max(len(line) for lines in bars for line in lines) < 80
    shown = {lines[0].partition(",")[0] for lines in bars if lines}
    assert {f"stage {number} of 14: {name}" for number, name in enumerate(toy_pipeline.RAN, 1)} <= shown
    assert [line.partition(":")[0] for line in screens[-1] if " read, " in line] == toy_pipeline.RAN
    assert not any("stage " in line for line in screens[-1])


@pytest.mark.parametrize(
    ("quiet", "tty", "mode"), [(True, True, "quiet"), (False, True, "bar"), (False, False, "lines")]
)
def test_the_mode_follows_the_option_and_the_terminal(monkeypatch, quiet, tty, mode):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: tty, raising=False)
    assert choose_mode(quiet) == mode


def test_control_characters_are_escaped():
    assert printable("Ann Bär 😀") == "Ann Bär 😀"
    assert printable("a\nb\tc") == "a\\nb\\tc"
    assert printable("\x1b[2J") == "\\x1b[2J"
    assert printable("\u202eevil") == "\\u202eevil"
    assert printable("\ud800") == "\\ud800"
    assert printable("\x9b31m") == "\\x9b31m"
