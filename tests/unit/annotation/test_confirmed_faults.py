"""``annotate apply``: which faults are confirmed, and the file that the build reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import stage_runs
from support.sheets import sheet_folder
from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.annotation.confirmed_faults import confirmed
from wdw_build.annotation.judgements import ADJUDICATED, ANSWERED, FAULTS_MARKED, Adjudication
from wdw_build.annotation.people import put_aside
from wdw_build.annotation.sheet_folder import SheetFolder, read_judged
from wdw_build.cli.people.annotate_score import annotate_apply
from wdw_build.errors import UsageError
from wdw_build.records import SplitAssignment


@pytest.fixture
def folder(tmp_path: Path) -> SheetFolder:
    """A sheet of a run with nothing but splits; Ada and Ben gave the marked answer to its four problems."""
    stage_runs.stored(tmp_path / "runs" / "toy" / "split", SplitAssignment, [])
    (tmp_path / "toy.yaml").write_text(
        f"run: toy\noutput_dir: {tmp_path}\ncorpus: {{reader: jsonl, path: none.jsonl}}\n"
    )
    return answered(sheet_folder(tmp_path / "runs" / "toy"))


def answered(folder: SheetFolder) -> SheetFolder:
    for person in ("Ada", "Ben"):
        for problem in folder.problems:
            folder.log.append(person, ANSWERED, problem.id, 0)
    return folder


def reasons(folder: SheetFolder) -> tuple[dict[str, str], int]:
    faulty, undecided = confirmed(read_judged(folder.path))
    return {problem.id: problem.reason for problem in faulty}, undecided


def apply(tmp_path: Path, **given: Any) -> None:
    annotate_apply(tmp_path / "toy.yaml", [], [], [], **given)


def test_a_fault_that_two_people_marked_is_confirmed_and_that_of_one_is_undecided(folder: SheetFolder) -> None:
    assert reasons(folder) == ({}, 0)
    folder.log.append("Ada", FAULTS_MARKED, "q1", ["two-answers", "wrong-span"])
    folder.log.append("Ben", FAULTS_MARKED, "q1", ["wrong-span", "two-answers", "no-story"])
    folder.log.append("Ada", FAULTS_MARKED, "q2", ["wrong-span"])
    folder.log.append("Ben", FAULTS_MARKED, "q2", ["no-story"])
    assert reasons(folder) == ({"q1": "wrong-span, two-answers"}, 1)
    put_aside(folder.log, "Ben", aside=True)
    assert reasons(folder) == ({}, 2)


def test_the_decision_of_the_adjudicator_outweighs_the_marks(folder: SheetFolder) -> None:
    for person in ("Ada", "Ben"):
        for problem in ("q1", "q2", "q3", "q4"):
            folder.log.append(person, FAULTS_MARKED, problem, ["no-story"])
    folder.log.append("(owner)", ADJUDICATED, "q1", Adjudication(answer=0))
    folder.log.append("(owner)", ADJUDICATED, "q2", Adjudication(answer=1, faults=("broken-text",)))
    folder.log.append("(owner)", ADJUDICATED, "q3", Adjudication(answer=None))
    assert reasons(folder) == ({"q2": "broken-text, wrong-answer", "q3": "no-answer", "q4": "no-story"}, 0)


@pytest.mark.parametrize("drawn", [{"condition": "without"}, {"task": "phenomena"}])
def test_without_a_passage_or_an_answer_only_faults_count(tmp_path: Path, drawn: dict[str, str]) -> None:
    folder = answered(sheet_folder(tmp_path, **drawn))
    folder.log.append("Ada", FAULTS_MARKED, "q1", ["wrong-span"])
    folder.log.append("(owner)", ADJUDICATED, "q1", Adjudication(answer=None))
    assert reasons(folder) == ({}, 0)
    folder.log.append("(owner)", ADJUDICATED, "q1", Adjudication(answer=None, faults=("wrong-span",)))
    assert reasons(folder) == ({"q1": "wrong-span"}, 0)


def test_the_file_is_what_the_build_reads_and_the_terminal_names_it(
    folder: SheetFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.log.append("(owner)", ADJUDICATED, "q2", Adjudication(answer=0))
    for person, fault in (("Ada", "no-story"), ("Ben", "no-story")):
        folder.log.append(person, FAULTS_MARKED, "q1", [fault])
    folder.log.append("Ben", FAULTS_MARKED, "q3", ["wrong-span"])
    apply(tmp_path)
    path = folder.path / "faulty.jsonl"
    assert FaultyProblemFiles([path]).reasons() == {"q1": "no-story"}
    printed = capsys.readouterr().out
    assert f"1 faulty problems of sheet toy: {path}\n  q1: no-story\n1 problems to adjudicate are undecided" in printed
    assert "corpus.faulty_problems" in printed
    apply(tmp_path, as_json=True, out=tmp_path / "new" / "faulty.jsonl")
    assert json.loads(capsys.readouterr().out) == {
        "sheet": "toy",
        "faulty": [{"id": "q1", "reason": "no-story"}],
        "undecided": 1,
        "file": str(tmp_path / "new" / "faulty.jsonl"),
    }
    assert (tmp_path / "new" / "faulty.jsonl").read_bytes() == path.read_bytes()


def test_a_file_with_other_problems_is_replaced_only_by_force(folder: SheetFolder, tmp_path: Path) -> None:
    path = folder.path / "faulty.jsonl"
    apply(tmp_path)
    apply(tmp_path)
    assert path.read_bytes() == b""
    path.write_text('{"id": "mine", "reason": "by hand"}\n')
    with pytest.raises(UsageError, match="has other problems"):
        apply(tmp_path)
    assert "mine" in path.read_text()
    apply(tmp_path, force=True)
    assert path.read_bytes() == b""
