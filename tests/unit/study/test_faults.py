"""``annotate apply``: which faults are confirmed, and the file that the build reads."""

from pathlib import Path

import pytest

from support.sheets import answered, sheet_folder
from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.errors import UsageError
from wdw_study.actions import apply_faults
from wdw_study.judging.exchange import confirmed
from wdw_study.judging.judgements import ADJUDICATED, FAULTS_MARKED, Adjudication
from wdw_study.judging.sheets import judged_of
from wdw_study.people import put_aside


@pytest.fixture
def folder(tmp_path):
    return answered(sheet_folder(tmp_path))


def reasons(folder):
    faulty, undecided = confirmed(judged_of(folder))
    return {problem.id: problem.reason for problem in faulty}, undecided


def test_a_fault_that_two_people_marked_is_confirmed_and_that_of_one_is_undecided(folder):
    assert reasons(folder) == ({}, 0)
    folder.log.append("Ada", FAULTS_MARKED, "q1", ["two-answers", "wrong-span"])
    folder.log.append("Ben", FAULTS_MARKED, "q1", ["wrong-span", "two-answers", "no-story"])
    folder.log.append("Ada", FAULTS_MARKED, "q2", ["wrong-span"])
    folder.log.append("Ben", FAULTS_MARKED, "q2", ["no-story"])
    assert reasons(folder) == ({"q1": "wrong-span, two-answers"}, 1)
    put_aside(folder.log, "Ben", aside=True)
    assert reasons(folder) == ({}, 2)


def test_the_decision_of_the_adjudicator_outweighs_the_marks(folder):
    for person in ("Ada", "Ben"):
        for problem in ("q1", "q2", "q3", "q4"):
            folder.log.append(person, FAULTS_MARKED, problem, ["no-story"])
    folder.log.append("(owner)", ADJUDICATED, "q1", Adjudication(answer=0))
    folder.log.append("(owner)", ADJUDICATED, "q2", Adjudication(answer=1, faults=("broken-text",)))
    folder.log.append("(owner)", ADJUDICATED, "q3", Adjudication(answer=None))
    assert reasons(folder) == ({"q2": "broken-text, wrong-answer", "q3": "no-answer", "q4": "no-story"}, 0)


@pytest.mark.parametrize("drawn", [{"condition": "without"}, {"task": "phenomena"}])
def test_without_a_passage_or_an_answer_only_faults_count(tmp_path, drawn):
    folder = answered(sheet_folder(tmp_path, **drawn))
    folder.log.append("Ada", FAULTS_MARKED, "q1", ["wrong-span"])
    folder.log.append("(owner)", ADJUDICATED, "q1", Adjudication(answer=None))
    assert reasons(folder) == ({}, 0)
    folder.log.append("(owner)", ADJUDICATED, "q1", Adjudication(answer=None, faults=("wrong-span",)))
    assert reasons(folder) == ({"q1": "wrong-span"}, 0)


def test_the_file_is_what_the_build_reads_and_the_text_names_it(folder, tmp_path):
    folder.log.append("(owner)", ADJUDICATED, "q2", Adjudication(answer=0))
    for person in ("Ada", "Ben"):
        folder.log.append(person, FAULTS_MARKED, "q1", ["no-story"])
    folder.log.append("Ben", FAULTS_MARKED, "q3", ["wrong-span"])
    done = apply_faults(folder, out=None, force=False)
    path = folder.path / "faulty.jsonl"
    assert FaultyProblemFiles([path]).reasons() == {"q1": "no-story"}
    assert f"1 faulty problem of sheet toy: {path}\n  q1: no-story\n1 problems to adjudicate are undecided" in done.text
    assert "corpus.faulty_problems" in done.text
    elsewhere = apply_faults(folder, out=tmp_path / "new" / "faulty.jsonl", force=False).value
    assert (elsewhere["undecided"], Path(elsewhere["file"]).read_bytes()) == (1, path.read_bytes())


def test_a_file_with_other_problems_is_replaced_only_by_force(folder):
    path = folder.path / "faulty.jsonl"
    path.write_text('{"id": "mine", "reason": "by hand"}\n')
    with pytest.raises(UsageError, match="has other problems"):
        apply_faults(folder, out=None, force=False)
    assert "mine" in path.read_text()
    apply_faults(folder, out=None, force=True)
    assert path.read_bytes() == b""
