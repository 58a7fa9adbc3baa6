"""``annotate score``: which sheet is meant, what is stored, and what the terminal shows."""

from __future__ import annotations

import csv
import errno
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support import stage_runs
from wdw_build.annotation.judgements import ANSWERED, FAULTS_MARKED, LABELLED, NOTED
from wdw_build.annotation.people import put_aside
from wdw_build.annotation.sheet_folder import SCORE, SheetFolder, open_or_draw
from wdw_build.annotation.sheets import Sheet, SheetProblem, Task
from wdw_build.cli.people.annotate_score import annotate_export, annotate_score
from wdw_build.errors import UsageError
from wdw_build.records import SplitAssignment


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The configuration file of a run with nothing but splits."""
    stage_runs.stored(tmp_path / "runs" / "toy" / "split", SplitAssignment, [])
    path = tmp_path / "toy.yaml"
    path.write_text(f"run: toy\noutput_dir: {tmp_path}\ncorpus: {{reader: jsonl, path: none.jsonl}}\n")
    return path


def draw(folder: Path, name: str, task: Task = "answer") -> SheetFolder:
    """A sheet of two problems."""
    problems = [
        SheetProblem(
            number=number,
            id=f"p{number}",
            question="XXX met Bo Bell .",
            passage="A text.",
            choices=("Ann Ames", "Bob Beck"),
            answer=0,
            split="test",
            level="strict",
            guesses={"unigram": 1},
        )
        for number in (1, 2)
    ]
    sheet = Sheet(
        name=name, hash=name, run="toy", task=task, condition="passage", seed=0, source="", strata=(), problems=2
    )
    return open_or_draw(folder / "runs" / "toy", name, lambda: (sheet, problems))


def call(config: Path, *, persons: Sequence[str] = (), exclude: Sequence[str] = (), **given: Any) -> None:
    annotate_score(config, [], list(persons), list(exclude), **given)


def export(config: Path, **given: Any) -> None:
    annotate_export(config, [], [], given.pop("exclude", []), **given)


def test_the_only_sheet_that_was_answered_is_scored_printed_and_stored(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw(tmp_path, "empty")
    sheet = draw(tmp_path, "read")
    for person, second in (("ida", 0), ("jon", None)):
        sheet.log.append(person, ANSWERED, "p1", 0)
        sheet.log.append(person, ANSWERED, "p2", second)
    sheet.log.append("jon", FAULTS_MARKED, "p2", ["two-answers"])
    sheet.log.append("jon", NOTED, "p2", "both\x1b[31m fit")
    call(config)
    printed = capsys.readouterr().out
    assert "human performance  .750" in printed
    assert "3 of 4" in printed
    assert "  2. p2; people differ, marked as faulty; key: Ann Ames\n    ida: Ann Ames\n" in printed
    assert "    jon: cannot tell  two-answers  both\\x1b[31m fit" in printed
    assert json.loads((sheet.path / SCORE).read_text())["answers"]["accuracy"]["part"] == 3


def test_json_is_what_is_stored(config: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    sheet = draw(tmp_path, "read")
    sheet.log.append("ida", ANSWERED, "p1", 1)
    call(config, as_json=True)
    assert capfdbinary.readouterr().out == (sheet.path / SCORE).read_bytes()


def test_several_answered_sheets_must_be_told_apart(config: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        draw(tmp_path, name).log.append("ida", ANSWERED, "p1", 0)
    with pytest.raises(UsageError) as refused:
        call(config)
    assert "first, second" in str(refused.value.hint)
    call(config, sheet="second")


def test_a_sheet_that_nobody_answered_is_refused_and_no_score_is_written(config: Path, tmp_path: Path) -> None:
    sheet = draw(tmp_path, "empty")
    with pytest.raises(UsageError, match="nobody has answered a problem of sheet empty"):
        call(config)
    assert not (sheet.path / SCORE).exists()


def test_errors_list_at_most_five_sheets_and_only_answered_ones(config: Path, tmp_path: Path) -> None:
    draw(tmp_path, "empty")
    for number in range(7):
        draw(tmp_path, f"s{number}").log.append("ida", ANSWERED, "p1", 0)
    for asked in ("", "nosuch"):
        with pytest.raises(UsageError) as refused:
            call(config, sheet=asked)
        assert refused.value.hint == "--sheet with one of: s0, s1, s2, s3, s4 and 2 more"


def test_kappas_are_labelled_by_pair_and_the_digits_of_patterns_by_baseline(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = draw(tmp_path, "read")
    for person in ("ida", "jon", "kim"):
        for problem in ("p1", "p2"):
            sheet.log.append(person, ANSWERED, problem, 0)
    sheet.log.append("ida", FAULTS_MARKED, "p1", ["two-answers"])
    call(config)
    printed = capsys.readouterr().out
    (head,) = (line for line in printed.splitlines() if line.startswith("Faults"))
    assert re.findall("kappa [a-z]+, [a-z]+", head) == ["kappa ida, jon", "kappa ida, kim", "kappa jon, kim"]
    assert "\npattern: unigram; 1: solved\n" in printed


def test_labels_of_phenomena_are_shown_without_accuracy(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = draw(tmp_path, "read", "phenomena")
    for person, labels in (("ida", ["pronominal"]), ("jon", ["named"])):
        sheet.log.append(person, LABELLED, "p1", labels)
    call(config)
    printed = capsys.readouterr().out
    assert "accuracy" not in printed
    (row,) = (line.split() for line in printed.splitlines() if line.startswith("pronominal"))
    assert row[1] == ".500"
    assert msgspec.json.decode((sheet.path / SCORE).read_bytes())["answers"] is None


def test_a_trial_sign_in_does_not_count_when_it_is_excluded_or_put_aside(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = draw(tmp_path, "read")
    for person, answer in (("ida", 0), ("zed", 1)):
        sheet.log.append(person, ANSWERED, "p1", answer)
    for chosen in ({"persons": ["Ida"]}, {"exclude": ["zed"]}):
        call(config, **chosen)
        printed = capsys.readouterr().out
        assert "human performance  1.000" in printed
        assert "note: not counted: zed" in printed
    put_aside(sheet.log, "zed", aside=True)
    call(config)
    assert "1 of 1" in capsys.readouterr().out
    put_aside(sheet.log, "zed", aside=False)
    call(config)
    assert "1 of 2" in capsys.readouterr().out


def test_a_name_that_nobody_has_is_refused_with_the_names_that_there_are(config: Path, tmp_path: Path) -> None:
    draw(tmp_path, "read").log.append("ida", ANSWERED, "p1", 0)
    with pytest.raises(UsageError, match="nobody is called 'Ada'") as refused:
        call(config, exclude=["Ada"])
    assert refused.value.hint == "people: ida"


def test_a_score_that_cannot_be_stored_is_printed(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(tmp_path, "read").log.append("ida", ANSWERED, "p1", 0)

    def refuse(path: Path, content: bytes) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("wdw_build.cli.people.annotate_score.write_private", refuse)
    call(config)
    said = capsys.readouterr()
    assert "human performance  1.000" in said.out
    assert "warning: the score is not stored" in said.err


def test_what_each_person_answered_is_exported_as_lines_and_as_a_table_and_never_over_an_export(
    config: Path, tmp_path: Path
) -> None:
    sheet = draw(tmp_path, "read")
    for person, second in (("ida", 0), ("jon", None), ("zed", 0)):
        sheet.log.append(person, ANSWERED, "p1", 1)
        sheet.log.append(person, ANSWERED, "p2", second)
    sheet.log.append("jon", FAULTS_MARKED, "p2", ["two-answers", "no-story"])
    sheet.log.append("jon", NOTED, "p2", '=1+1, "quoted"\nand more')
    export(config, exclude=["zed"])
    folder = sheet.path / "export"
    lines = [json.loads(line) for line in (folder / "judgements.jsonl").read_text().splitlines()]
    assert [(line["person"], line["number"], line["answer"], line["right"]) for line in lines] == [
        ("ida", 1, "Bob Beck", False),
        ("ida", 2, "Ann Ames", True),
        ("jon", 1, "Bob Beck", False),
        ("jon", 2, "cannot tell", False),
    ]
    with (folder / "judgements.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert rows[3]["note"] == '\'=1+1, "quoted"\nand more'
    assert (rows[3]["faults"], rows[3]["answer_index"], rows[3]["right"]) == ("two-answers no-story", "", "false")
    assert (folder / "judgements.csv").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UsageError, match="already exists"):
        export(config)
    export(config, force=True)
    assert len((folder / "judgements.jsonl").read_text().splitlines()) == 6
