"""Logs of worker processes: one line an event, with stage, shard and record, collected in the order of time."""

import logging
import warnings

import pytest

from support import toy_stages
from wdw_build.core.tasks.logs import collect, cpu_seconds, task_log


def lines(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def test_a_task_notes_start_end_messages_and_the_record_that_it_was_at(tmp_path):
    notes = [toy_stages.Note(id="a\tb", value=1)]
    with task_log(tmp_path, "double run 0-1") as log:
        for _ in log.reading(notes):
            warnings.warn("odd\x1b[2J", stacklevel=1)
            logging.getLogger("library").warning("cold")
    collect(tmp_path, tmp_path / "all.log")
    found = lines(tmp_path / "all.log")
    assert [(task, record, message.partition(" after")[0]) for *_, task, record, message in found] == [
        ("double run 0-1", "", "begins"),
        ("double run 0-1", "a\\tb", "UserWarning: odd\\x1b[2J"),
        ("double run 0-1", "a\\tb", "warning of library: cold"),
        ("double run 0-1", "a\\tb", "ends"),
    ]


def test_an_exception_is_noted_with_its_stack_on_one_line(tmp_path):
    with pytest.raises(ValueError, match="bad"), task_log(tmp_path, "t"):
        raise ValueError("bad")
    collect(tmp_path, tmp_path / "all.log")
    assert lines(tmp_path / "all.log")[-1][-1].startswith("stops: Traceback")


def test_the_logs_of_all_processes_are_merged_by_time(tmp_path):
    (tmp_path / ".logs").mkdir()
    (tmp_path / ".logs" / "b.1.log").write_text("2026-01-01T00:00:01Z\tb\n2026-01-01T00:00:03Z\tb\n")
    (tmp_path / ".logs" / "a.1.log").write_text("2026-01-01T00:00:02Z\ta\n")
    collect(tmp_path, tmp_path / "logs" / "all.log")
    assert (tmp_path / "logs" / "all.log").read_text() == (
        "2026-01-01T00:00:01Z\tb\n2026-01-01T00:00:02Z\ta\n2026-01-01T00:00:03Z\tb\n"
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_collects_the_logs_of_its_workers(tmp_path, workers):
    toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.double), workers)
    found = lines(tmp_path / "runs" / "toy" / "logs" / "double.log")
    assert {line[3].split()[0] for line in found} == {"double"}
    assert sum(line[-1] == "begins" for line in found) == 16


def test_the_cpu_seconds_of_all_tasks_are_added(tmp_path):
    for task in ("double run 0-1", "double run 1-2"):
        with task_log(tmp_path, task):
            sum(range(200_000))
    whole = cpu_seconds(tmp_path)
    (tmp_path / ".logs" / "b.1.log").write_text(
        "t\ta\tends after 3.0 s and 2.50 s of CPU; this process …\nt\ta\tends after 1 s\n"
    )
    assert cpu_seconds(tmp_path) == pytest.approx(whole + 2.5)
